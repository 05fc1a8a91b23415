import type { Changed, Deletion, Page } from '#shared/contract/answers.ts';
import type { ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import type { ConnectionView } from '#shared/contract/connection.ts';
import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import type { ConnectionKind } from '#shared/contract/operation.ts';
import {
  connectionFields,
  type FieldChanges,
  type FieldValues,
  mergeFields,
  pickFields,
} from '#shared/contract/resource-fields.ts';
import { now } from '#shared/core/clock.ts';
import { invalidField } from '#shared/core/errors.ts';
import { readItems } from '#shared/table/client.ts';
import { applicationOf, requireApplication } from '#shared/table/items/application-item.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import {
  type Connection,
  connectionOf,
  createConnectionEntry,
  readExistingConnection,
  tombstoneConnectionEntry,
  updateConnectionEntry,
} from '#shared/table/items/connection-item.ts';
import { applicationKey, connectionKey, ranges } from '#shared/table/keys.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import { keyViews } from '../api-key/owned-keys.ts';
import { alreadyExists, buildChange } from '../request/build-change.ts';
import { listPage } from '../request/list-page.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import { monotonicTimestamp, requireVersion } from '../request/optimistic-locking.ts';
import { identity, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { clientApplications } from './client-applications.ts';

/** A connection as operators see it, with its keys and the days of their last use. */
async function connectionView(connection: Omit<Connection, 'chainHead'>): Promise<ConnectionView> {
  const { connectionId, kind, applications, version, createdAt, updatedAt } = connection;
  const keys = await keyViews({ connectionId }, connection.keys);
  const fields = pickFields(connectionFields, connection);
  return { connectionId, kind, ...fields, applications, keys, version, createdAt, updatedAt };
}

export interface NewConnection extends FieldChanges<typeof connectionFields> {
  readonly connectionId: ConnectionId;
  readonly kind: ConnectionKind;
  readonly name: string;
  readonly applications: readonly AppId[];
}

/** Creates a connection without keys; 409 if its id was ever taken, 404 if one of its applications does not exist. */
export async function createConnection(request: NewConnection, context: RequestContext): Promise<ConnectionView> {
  const { connectionId, kind, applications } = request;
  const unset = pickFields(connectionFields, { name: request.name, trustsUserHeader: false });
  const fields = mergeFields(connectionFields, unset, request);
  requireIdentity(fields);
  requireClients(fields, applications);
  return performWrite<ConnectionView, ConnectionView>(context, {
    decide: async (key) => {
      const [taken] = await readItems([connectionKey(connectionId)]);
      if (taken !== undefined) throw alreadyExists();
      await requireApplications(applications);
      const at = monotonicTimestamp();
      const state = { connectionId, kind, ...fields, applications: [...applications], keys: {}, version: 1 };
      const connection = { ...state, createdAt: at, updatedAt: at };
      const change = buildChange(context, key, {
        ...{ action: 'connection.created', at, connectionId, before: null, previous: null },
        after: { ...sideOfConnection(connection), version: 1 },
      });
      const entries = [createConnectionEntry(connection, change), ...putChangeEntries(change)];
      return { answer: await connectionView(connection), entries };
    },
    keep: identity,
    restore: identity,
  });
}

/** Refuses two ways of identifying users, of which a caller could choose the weaker, and tokens that are meant for others. */
function requireIdentity({ issuer, audience, trustsUserHeader }: FieldValues<typeof connectionFields>): void {
  if ((issuer === null) !== (audience === null)) throw invalidField('audience', 'must be set exactly if issuer is');
  if (issuer !== null && trustsUserHeader) throw invalidField('trustsUserHeader', 'cannot be combined with issuer');
}

/** Refuses a client that is named twice, and one of an application that the connection may not ask about. */
function requireClients({ clients }: FieldValues<typeof connectionFields>, applications: readonly AppId[]): void {
  const named = clientApplications(clients);
  if (new Set(named.map(({ clientId }) => clientId)).size < named.length) {
    throw invalidField('clients', 'must name each client once');
  }
  const unknown = named.find(({ appId }) => !applications.some((one) => one === appId));
  if (unknown !== undefined) {
    throw invalidField('clients', `must name applications of the connection, not ${unknown.appId}`);
  }
}

/** 404 if one of them does not exist. */
async function requireApplications(applications: readonly AppId[]): Promise<void> {
  const items = await readItems(applications.map(applicationKey));
  for (const item of items) requireApplication(applicationOf(item));
}

type SettingsOf = Pick<Connection, 'kind' | 'applications' | keyof typeof connectionFields>;

/** A list in a Change is a text, with spaces. */
export function sideOfConnection({ kind, applications, ...connection }: SettingsOf): ChangeSide {
  return { kind, ...pickFields(connectionFields, connection), applications: applications.join(' ') };
}

interface NamedConnection {
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
  const { items, cursor } = await listPage(ranges.connections(), request, connectionOf);
  return { items: await mapConcurrently(items, connectionView), cursor };
}

export interface ConnectionUpdate extends NamedConnection, FieldChanges<typeof connectionFields> {
  readonly applications?: readonly AppId[] | undefined;
}

/** Changes a connection; undefined keeps a value. Its id and its kind never change. */
export async function updateConnection(
  { applications, ...command }: ConnectionUpdate,
  context: RequestContext,
): Promise<Changed<ConnectionView>> {
  if (applications !== undefined) await requireApplications(applications);
  const { connection, changed } = await changeConnection(command, context, {
    decide: (current) => {
      const fields = mergeFields(connectionFields, current, command);
      const next = { ...current, ...fields, applications: [...(applications ?? current.applications)] };
      requireIdentity(next);
      requireClients(next, next.applications);
      const [before, after] = [sideOfConnection(current), sideOfConnection(next)];
      if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
      return { action: 'connection.updated', next, before, after };
    },
    answerOf: (outcome) => outcome,
  });
  return { ...(await connectionView(connection)), changed };
}

/** Deletes a connection, whose tokens stop working immediately. Nothing else belongs to it. */
export async function deleteConnection(named: NamedConnection, context: RequestContext): Promise<Deletion> {
  const { changed } = await changeConnection(named, context, {
    decide: (current) => ({ action: 'connection.deleted', next: {}, before: sideOfConnection(current), after: null }),
    answerOf: (outcome) => outcome,
  });
  return { changed, complete: true };
}

/** The change of a connection that a rule has decided on. */
export interface ConnectionChange {
  readonly action: ChangeAction;
  readonly keyId?: string;
  readonly next: Partial<Omit<SettingsOf, 'kind'> & Pick<Connection, 'keys'>>;
  readonly before: ChangeSide;
  /** `null` if the connection is deleted. */
  readonly after: ChangeSide | null;
}

interface ConnectionRule<Answer> {
  /** The change to write; undefined when nothing changes. Throws refusals. */
  readonly decide: (connection: Connection, at: Date) => ConnectionChange | undefined;
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
      const decided = decide(read, now());
      if (decided === undefined) return { answer: answerOf({ connection: read, changed: false }) };
      const updatedAt = monotonicTimestamp(read);
      const version = read.version + 1;
      const change = buildChange(context, key, {
        ...decided,
        ...{ at: updatedAt, connectionId, previous: read.chainHead },
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
    keep: identity,
    restore: identity,
  });
}
