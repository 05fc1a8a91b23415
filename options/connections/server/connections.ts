import type { Changed, Page } from '#shared/contract/answers.ts';
import type { ChangeAction, RecordedState } from '#shared/contract/change.ts';
import { type FieldChanges, mergeFields, pickFields } from '#shared/contract/field-forms.ts';
import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import type { ConnectionKind } from '#shared/contract/operation.ts';
import { now } from '#shared/core/clock.ts';
import { keyViews } from '#shared/domain/api-key/owned-keys.ts';
import { alreadyExists, buildChange } from '#shared/domain/request/build-change.ts';
import { listPage } from '#shared/domain/request/list-page.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { monotonicTimestamp, requireVersion } from '#shared/domain/request/optimistic-locking.ts';
import { identity, performWrite } from '#shared/domain/request/perform-write.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { readItems } from '#shared/table/client.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import type { ConnectionView } from '../contract/connection.ts';
import { connectionFields } from '../contract/connection-fields.ts';
import type { GroupRole } from '../contract/group-roles.ts';
import { groupRolesText } from '../contract/group-roles-text.ts';
import {
  type Connection,
  connectionOf,
  createConnectionEntry,
  readExistingConnection,
  tombstoneConnectionEntry,
  updateConnectionEntry,
} from '../table/connection-item.ts';
import { connectionKey, connectionsRange } from '../table/connection-item-keys.ts';
import { requireSettings, requireTargets, type SettingsOf } from './connection-settings.ts';

/** A connection as operators see it, with its keys and the days of their last use. */
async function connectionView(connection: Omit<Connection, 'chainHead'>): Promise<ConnectionView> {
  const { connectionId, kind, applications, groupRoles, version, createdAt, updatedAt } = connection;
  const keys = await keyViews({ connectionId }, connection.keys);
  const fields = pickFields(connectionFields, connection);
  return { connectionId, kind, ...fields, applications, groupRoles, keys, version, createdAt, updatedAt };
}

export interface NewConnection extends FieldChanges<typeof connectionFields> {
  readonly connectionId: ConnectionId;
  readonly kind: ConnectionKind;
  readonly name: string;
  readonly applications: readonly AppId[];
  readonly groupRoles?: readonly GroupRole[] | undefined;
}

/** Creates a connection without keys; 409 if its id was ever taken, 404 if an application does not exist. */
export async function createConnection(request: NewConnection, context: RequestContext): Promise<ConnectionView> {
  const { connectionId, kind, applications, groupRoles = [] } = request;
  const unset = pickFields(connectionFields, { name: request.name, trustsUserHeader: false });
  const merged = mergeFields(connectionFields, unset, request);
  const settings = requireSettings({ kind, ...merged, applications: [...applications], groupRoles: [...groupRoles] });
  return performWrite<ConnectionView, ConnectionView>(context, {
    decide: async (key) => {
      const [taken] = await readItems([connectionKey(connectionId)]);
      if (taken !== undefined) throw alreadyExists();
      await requireTargets(settings);
      const at = monotonicTimestamp();
      const state = { connectionId, ...settings, keys: {}, version: 1 };
      const connection = { ...state, createdAt: at, updatedAt: at };
      const change = buildChange(context, key, {
        action: 'connection.created',
        at,
        connectionId,
        before: null,
        previous: null,
        after: { ...recordedConnection(connection), version: 1 },
      });
      const entries = [createConnectionEntry(connection, change), ...putChangeEntries(change)];
      return { answer: await connectionView(connection), entries };
    },
    toStored: identity,
    fromStored: identity,
  });
}

/** A list in a Change is a text: of applications with spaces. Only a directory has groups. */
export function recordedConnection({ kind, applications, groupRoles, ...connection }: SettingsOf): RecordedState {
  const groups = kind === 'scim' ? { groupRoles: groupRolesText(groupRoles) } : {};
  return { kind, ...pickFields(connectionFields, connection), applications: applications.join(' '), ...groups };
}

export interface NamedConnection {
  readonly connectionId: ConnectionId;
  /** The versions that the caller expects; undefined for any. */
  readonly ifMatch?: readonly number[] | undefined;
}

/** One connection, or 404. */
export async function getConnection({ connectionId }: NamedConnection): Promise<ConnectionView> {
  return connectionView(await readExistingConnection(connectionId));
}

/** All connections, ordered by id. */
export async function listConnections(request: PageRequest): Promise<Page<ConnectionView>> {
  const { items, cursor } = await listPage(connectionsRange(), request, connectionOf);
  return { items: await mapConcurrently(items, connectionView), cursor };
}

export interface ConnectionUpdate
  extends NamedConnection,
    Omit<FieldChanges<typeof connectionFields>, 'userIdAttribute'> {
  readonly applications?: readonly AppId[] | undefined;
  readonly groupRoles?: readonly GroupRole[] | undefined;
}

/** Changes a connection; undefined keeps a value. Its id, its kind and the attribute that names users never change. */
export async function updateConnection(
  { applications, groupRoles, ...command }: ConnectionUpdate,
  context: RequestContext,
): Promise<Changed<ConnectionView>> {
  const { connection, changed } = await changeConnection(command, context, {
    decide: async (current) => {
      await requireTargets({ applications: applications ?? [], groupRoles: groupRoles ?? [] });
      const next = requireSettings({
        ...mergeFields(connectionFields, current, command),
        kind: current.kind,
        applications: [...(applications ?? current.applications)],
        groupRoles: [...(groupRoles ?? current.groupRoles)],
      });
      const [before, after] = [recordedConnection(current), recordedConnection(next)];
      if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
      return { action: 'connection.updated', next, before, after };
    },
    answerOf: (outcome) => outcome,
  });
  return { ...(await connectionView(connection)), changed };
}

/** The change of a connection that a rule has decided on. */
export interface ConnectionChange {
  readonly action: ChangeAction;
  readonly keyId?: string;
  readonly next: Partial<SettingsOf & Pick<Connection, 'keys'>>;
  readonly before: RecordedState;
  /** `null` if the connection is deleted. */
  readonly after: RecordedState | null;
}

type MaybePromise<Value> = Value | Promise<Value>;

interface ConnectionRule<Answer> {
  /** The change to write; undefined when nothing changes. Throws refusals. */
  readonly decide: (connection: Connection, at: Date) => MaybePromise<ConnectionChange | undefined>;
  readonly answerOf: (outcome: { readonly connection: Connection; readonly changed: boolean }) => Answer;
}

/** The one way to change a connection, which holds no secret; otherwise like `changeApplication`. */
export async function changeConnection<Answer>(
  { connectionId, ifMatch }: NamedConnection,
  context: RequestContext,
  { decide, answerOf }: ConnectionRule<Answer>,
): Promise<Answer> {
  return performWrite<Answer, Answer>(context, {
    decide: async (key) => {
      const read = await readExistingConnection(connectionId);
      requireVersion('connection', read.version, ifMatch);
      const decided = await decide(read, now());
      if (decided === undefined) return { answer: answerOf({ connection: read, changed: false }) };
      const updatedAt = monotonicTimestamp(read);
      const version = read.version + 1;
      const change = buildChange(context, key, {
        ...decided,
        at: updatedAt,
        connectionId,
        previous: read.chainHead,
        before: { ...decided.before, version: read.version },
        after: decided.after && { ...decided.after, version },
      });
      const connection = { ...read, ...decided.next, version, updatedAt };
      const entry =
        decided.after === null
          ? tombstoneConnectionEntry(read, change)
          : updateConnectionEntry(read, connection, change);
      return { answer: answerOf({ connection, changed: true }), entries: [entry, ...putChangeEntries(change)] };
    },
    toStored: identity,
    fromStored: identity,
  });
}
