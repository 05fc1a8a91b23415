import { keyFields } from '#shared/contract/api-key-fields.ts';
import type { ChangeKinds } from '#shared/contract/described-changes.ts';
import { fieldNames } from '#shared/contract/field-forms.ts';
import { changeKinds } from '#shared/contract/option-changes.ts';
import { resourceFields } from '#shared/contract/resource-fields.ts';
import { subjectOf } from './chain-breaks.ts';
import { type Folded, type FoldedChanges, isPersonal, type State } from './fold-changes.ts';

/** An item of the table, without DynamoDB's types. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** How stored state can differ from what its changes produce. */
export type StateDifferenceKind =
  /** An attribute has another value. */
  | 'state-differs'
  /** Its changes say that it exists. */
  | 'not-stored'
  /** No change wrote it, or its changes say that it was deleted. */
  | 'without-change';

export interface StateDifference {
  readonly kind: StateDifferenceKind;
  readonly subject: string;
  /** What differs, for people; without personal data. */
  readonly detail: string;
  /** The last change of the subject; undefined if there is none. */
  readonly changeId: string | undefined;
}

export interface ComparedState {
  readonly differences: readonly StateDifference[];
  /** The number of users, accesses, roles and applications that were compared. */
  readonly compared: number;
  /** Items that were last changed before the first change of the export, so that nothing can be said about them. */
  readonly older: readonly string[];
}

/**
 * Compares every stored user, access, role, application, connection and key with the state that the changes produce. Grants and keys
 * that have ended may be missing, because later writes drop them.
 */
export function compareState({ subjects }: FoldedChanges, items: readonly StoredItem[], now: Date): ComparedState {
  const stored = new Map(items.map(namedItem).filter((named) => named !== undefined));
  const context: Context = { subjects, stored, now: now.toISOString() };
  const names = [...new Set([...subjects.keys(), ...stored.keys()])]
    .sort()
    .filter((name) => !isBeingRemoved(name, context));
  const first = [...subjects.values()].map(({ last }) => String(last.at)).sort()[0] ?? '';
  const isOlder = (name: string) => !subjects.has(name) && String(stored.get(name)?.updatedAt) < first;
  const older = names.filter(isOlder);
  const comparable = names.filter((name) => !isOlder(name));
  return {
    differences: comparable.flatMap((name) => compareSubject(name, context)),
    compared: comparable.length,
    older,
  };
}

interface Context {
  readonly subjects: ReadonlyMap<string, Folded>;
  readonly stored: ReadonlyMap<string, StoredItem>;
  /** The time by which grants and keys have ended. */
  readonly now: string;
}

/** The name of the subject that an item stores; undefined for an item of another kind. */
function namedItem(item: StoredItem): [string, StoredItem] | undefined {
  const [kind = ''] = String(item.sk).split('#', 1);
  const ids = { id: '', userId: textOf(item.userId), appId: textOf(item.appId) };
  switch (kind) {
    case 'USER':
      // Also the entries by which others find a user have this sort key, with the id.
      return item.sk === 'USER' ? [subjectOf({ ...ids, action: 'user.' }), item] : undefined;
    case 'ACCESS':
      return [subjectOf({ ...ids, action: 'access.' }), item];
    case 'ROLE':
      return [subjectOf({ id: '', action: 'role.', appId: ids.appId, role: textOf(item.role) }), item];
    case 'CONNECTION':
      return [subjectOf({ id: '', action: 'connection.', connectionId: textOf(item.connectionId) }), item];
    case 'APP':
      return [subjectOf({ id: '', action: 'application.', appId: ids.appId }), item];
    default:
      return undefined;
  }
}

/** Whether a deletion that has its change already removes the item without another one. */
function isBeingRemoved(name: string, { subjects, stored }: Context): boolean {
  const { userId, appId, role } = { ...subjects.get(name)?.last, ...stored.get(name) };
  const isPart = appId !== undefined && (userId !== undefined || role !== undefined);
  if (!isPart || name === `user ${userId}`) return false;
  return subjects.get(`application ${appId}`)?.isDeleted === true || stored.get(`user ${userId}`)?.deleting === true;
}

function isLive({ deleting, erased }: StoredItem): boolean {
  return deleting !== true && erased !== true;
}

function compareSubject(subject: string, context: Context): StateDifference[] {
  const [item, folded] = [context.stored.get(subject), context.subjects.get(subject)];
  const changeId = folded?.last.id;
  const isStored = item !== undefined && isLive(item);
  if (folded === undefined || folded.isDeleted) {
    const detail = folded === undefined ? 'is stored, but no change wrote it' : 'is stored, although it was deleted';
    return isStored ? [{ kind: 'without-change', subject, detail, changeId }] : [];
  }
  if (!isStored) return [{ kind: 'not-stored', subject, detail: 'is not stored', changeId }];
  const parts = differingParts(folded, item, context);
  return parts.map((detail) => ({ kind: 'state-differs', subject, detail, changeId }));
}

function differingParts({ state, isWhole }: Folded, item: StoredItem, context: Context): string[] {
  const stored = stateOf(item);
  const names = isWhole ? new Set([...Object.keys(state), ...Object.keys(stored)]) : Object.keys(state);
  return [...names].sort().flatMap((name) => {
    const [expected, found] = [state[name] ?? defaultOf(name), stored[name] ?? defaultOf(name)];
    if (expected === found || isUnknown(name, state) || isDropped(name, { state, stored, now: context.now })) return [];
    if (name.startsWith('grantedAt of ') && isOtherTime(name, { item, state, found }, context)) return [];
    if (name.startsWith('changeId of ') && isUnknownChange(name, { state, found }, context)) return [];
    return [describe(name, found, expected)];
  });
}

/** What an item has by the same name as a change. */
const plainNames: readonly string[] = ['status', ...Object.values(resourceFields).flatMap(Object.keys)];

/** The state in an item, by the names that a fold has. */
function stateOf(item: StoredItem): State {
  const { version, createdAt, chainHead, keys, roles } = item;
  const fields = Object.fromEntries(plainNames.flatMap((name) => (name in item ? [[name, item[name]]] : [])));
  const access =
    roles === undefined ? {} : { status: item.status ?? 'enabled', explicit: (item.status ?? null) !== null };
  const created = roles === undefined ? { createdAt } : {};
  const parts = {
    ...grantsIn(roles),
    ...keysIn(keys),
    ...Object.assign({}, ...changeKinds.flatMap((kinds) => [keptIn(item, kinds), kinds.stateIn?.(item)])),
    ...reviewIn(item.lastReview),
  };
  return { version, chainHead, ...created, ...fields, ...access, ...parts } as State;
}

function reviewIn(review: unknown): object {
  const { changeId, asOf, laterChanges }: StoredItem = Object(review);
  return { reviewChangeId: changeId, reviewedAsOf: asOf, laterChanges };
}

function grantsIn(roles: unknown): object {
  const named = Object.entries(Object(roles) as Record<string, StoredItem>).flatMap(([role, grant]) => [
    [`granted of role ${role}`, true],
    [`grantedAt of role ${role}`, grant.grantedAt],
    [`expiresAt of role ${role}`, grant.expiresAt],
    [`changeId of role ${role}`, grant.changeId],
    [`fromGroup of role ${role}`, grant.fromGroup ?? false],
  ]);
  return Object.fromEntries(named);
}

function keysIn(keys: unknown): object {
  const named = Object.entries(Object(keys) as Record<string, StoredItem>).flatMap(([keyId, key]) => [
    [`scopes of key ${keyId}`, Array.isArray(key.scopes) ? key.scopes.join(' ') : key.scopes],
    ...['expiresAt', 'revokedAt', ...fieldNames(keyFields)].map((name) => [`${name} of key ${keyId}`, key[name]]),
  ]);
  return Object.fromEntries(named);
}

/** What an application keeps of an option, as its Changes record it. */
function keptIn(item: StoredItem, { kept, harmless, personal }: ChangeKinds): object {
  if (kept === undefined) return {};
  const { attribute, noun } = kept;
  const named = Object.entries(Object(item[attribute]) as Record<string, StoredItem>).flatMap(([id, one]) =>
    [...personal, ...harmless].map((name) => {
      const value = one[name];
      return [`${name} of ${noun} ${id}`, Array.isArray(value) ? value.join(' ') : value];
    }),
  );
  return Object.fromEntries(named);
}

/** What a name without a value means. */
function defaultOf(name: string): boolean | null {
  return /^(granted|fromGroup) of /.test(name) ? false : null;
}

/** Personal data of which only a redacted change knows. */
function isUnknown(name: string, state: State): boolean {
  return !(name in state) && isPersonal(name);
}

interface BothStates {
  readonly state: State;
  readonly stored: State;
  readonly now: string;
}

/** Whether a later write may have dropped the grant or the key, because it has ended. */
function isDropped(name: string, { state, stored, now }: BothStates): boolean {
  const [, part = ''] = / of ((?:role|key) .*)$/.exec(name) ?? [];
  if (part === '' || `expiresAt of ${part}` in stored) return false;
  const [end = null, revoked = null] = [state[`expiresAt of ${part}`], state[`revokedAt of ${part}`]];
  return revoked !== null || state[`granted of ${part}`] === false || (end !== null && end <= now);
}

interface Granted {
  readonly item: StoredItem;
  readonly state: State;
  readonly found: State[string];
}

/**
 * A grant may be older than its change, whose time is never before that of the previous one. It has the time of its role's
 * definition if a clock that is behind made it. Nothing depends on the time of a grant that has ended.
 */
function isOtherTime(name: string, { item, state, found }: Granted, { stored, now }: Context): boolean {
  const role = roleIn(name);
  const isBefore = typeof found === 'string' && found <= String(state[name]);
  return !isGranted(role, state, now) || isBefore || found === stored.get(`role ${role} of ${item.appId}`)?.createdAt;
}

/** A grant that is older than the attribute does not name its change, and nothing depends on that of one that has ended. */
function isUnknownChange(name: string, { state, found }: Omit<Granted, 'item'>, { now }: Context): boolean {
  return found === null || !isGranted(roleIn(name), state, now);
}

/** The role in the name of a part, such as `grantedAt of role editor`. */
function roleIn(name: string): string {
  return name.slice(name.indexOf(' of role ') + ' of role '.length);
}

function isGranted(role: string, state: State, now: string): boolean {
  const end = state[`expiresAt of role ${role}`] ?? null;
  return state[`granted of role ${role}`] === true && (end === null || end > now);
}

function describe(name: string, found: State[string], expected: State[string]): string {
  if (name === 'chainHead') return 'does not have the MAC of its last change';
  if (isPersonal(name)) return `${name} is not what the changes say`;
  return `${name} is ${found} in the table, and ${expected} by the changes`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
