import { isDeepStrictEqual } from 'node:util';
import { accessFields } from '#shared/contract/access-fields.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import type { Item } from '../../../local/memory/memory-table.ts';
import type { Run } from '../run-seed.ts';
import {
  accessOf,
  applicationKey,
  type CommittedChange,
  isAccess,
  isLive,
  isUser,
  type RecordedState,
  type StoredChange,
  subjectOf,
  userKey,
} from '../stored-state.ts';

/** The state that the Changes of one user, role, application or access produce. */
interface Folded {
  version: number;
  readonly lastChangeId: string | null;
  readonly fields: Record<string, RecordedState[string]>;
}

/**
 * Checks that, in commit order, each Change starts from the result of the previous one, and the last produces the
 * stored state.
 */
export function checkChains({ changes, items, endedAt }: Run): string[] {
  const folds = new Map<string, Folded>();
  const broken = changes.flatMap((committed) => follow(folds, committed));
  const stored = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  return [
    ...broken,
    ...differences(folds, stored, endedAt),
    ...unexplained(folds, items),
    ...items.flatMap((item) => wrongOrder(item, changes, stored)),
  ];
}

function follow(folds: Map<string, Folded>, { change }: CommittedChange): string[] {
  const { pk, sk } = subjectOf(change);
  const subject = `${pk} ${sk}`;
  const { action, before, after, id } = change;
  const isAccessChange = change.userId !== undefined && !action.startsWith('user.');
  const isFirst = isAccessChange ? before?.version === 0 : action === 'role.defined' && before === null;
  if (isFirst && isWithoutApplication(folds, change)) folds.delete(subject);
  const known = folds.get(subject) ?? (isAccessChange ? neverChanged() : undefined);
  const wrong = before === null ? begins(known) : continues(known, before, change);
  if (after === null) folds.delete(subject);
  else folds.set(subject, next(known, change, after));
  if (action === 'user.deleted') forget(folds, `${userKey(change.userId ?? '').pk} `);
  return wrong === undefined ? [] : [`${subject}: ${action} ${id} ${wrong}`];
}

/** The items of a deleted application are removed without Changes, and a concurrent write may create them again. */
function isWithoutApplication(folds: ReadonlyMap<string, Folded>, { appId = '' }: StoredChange): boolean {
  const { pk, sk } = applicationKey(appId);
  return !folds.has(`${pk} ${sk}`);
}

function neverChanged(): Folded {
  return {
    version: 0,
    lastChangeId: null,
    fields: { status: 'enabled', explicit: false, ...unsetFields(accessFields) },
  };
}

function begins(known: Folded | undefined): string | undefined {
  return known === undefined ? undefined : `starts again, although version ${known.version} exists`;
}

function continues(known: Folded | undefined, before: RecordedState, change: StoredChange): string | undefined {
  if (known === undefined) return 'changes something that does not exist';
  const { version, ...fields } = before;
  if (change.after !== null && change.after.version !== Number(version) + 1)
    return `creates version ${change.after.version} from version ${version}`;
  if (version !== known.version) return `follows version ${version}, although ${known.version} was the last`;
  if (!isRealChange(change)) return `changes nothing: ${JSON.stringify(change.after)}`;
  const named = Object.entries(fields).filter(([name]) => known.fields[fieldName(change, name)] !== undefined);
  const [differs] = named.filter(([name, value]) => !isSame(known.fields[fieldName(change, name)], value, change));
  if (differs === undefined) return undefined;
  return `changes ${differs[0]} from ${differs[1]}, although it was ${known.fields[fieldName(change, differs[0])]}`;
}

/**
 * Whether before and after name the same fields with at least one difference; a key, or a role that was redefined, is
 * new.
 */
function isRealChange({ action, before, after, caller }: StoredChange): boolean {
  if (before === null || after === null || action.startsWith('key.')) return true;
  // `checkDirectoryUsers` checks that only the change by which a directory takes over a user changes nothing.
  if (caller.kind === 'connection' && action === 'user.updated') return true;
  const { version: _, ...from } = before;
  const { version: __, ...to } = after;
  const isSameKind = isDeepStrictEqual(Object.keys(from).sort(), Object.keys(to).sort());
  return isSameKind && (action === 'role.assigned' || !isDeepStrictEqual(from, to));
}

/** The expiry of a grant, and whether it is held, are separate fields for each role. */
function fieldName({ role, keyId, webhookId, userId }: StoredChange, name: string): string {
  if (userId !== undefined && role !== undefined) return `${name} of ${role}`;
  const part = keyId ?? webhookId;
  return part === undefined ? name : `${name} of ${part}`;
}

/** An expired grant is no longer held, without a Change. */
function isSame(
  known: RecordedState[string] | undefined,
  value: RecordedState[string],
  { role, userId }: StoredChange,
): boolean {
  return known === value || (userId !== undefined && role !== undefined && (value === false || value === null));
}

function next(known: Folded | undefined, change: StoredChange, { version, ...after }: RecordedState): Folded {
  const fields = { ...known?.fields };
  for (const [name, value] of Object.entries(after)) fields[fieldName(change, name)] = value;
  return { version: Number(version), lastChangeId: change.id, fields };
}

function forget(folds: Map<string, Folded>, prefix: string): void {
  for (const subject of [...folds.keys()]) if (subject.startsWith(prefix)) folds.delete(subject);
}

function differences(folds: Map<string, Folded>, stored: ReadonlyMap<string, Item>, endedAt: number): string[] {
  return [...folds].flatMap(([subject, folded]) => {
    const item = stored.get(subject);
    const [, appId] = / ACCESS#(.*)$/.exec(subject) ?? /^APP#(\S+) ROLE#/.exec(subject) ?? [];
    if (appId !== undefined && !isLive(stored.get(`APP#${appId} APP`))) return [];
    if (!isLive(item)) return [`${subject} is at version ${folded.version} by its changes, and not stored`];
    if (item.version !== folded.version) return [`${subject} is at ${item.version}, by its changes ${folded.version}`];
    return [
      ...fieldDifferences(subject, folded, item),
      ...(isAccess(item) ? grantDifferences(subject, folded, item, endedAt) : []),
    ];
  });
}

function fieldDifferences(subject: string, { fields, lastChangeId }: Folded, item: Item): string[] {
  if (isAccess(item) && item.lastChangeId !== lastChangeId) return [`${subject} does not name ${lastChangeId}`];
  const plain = [
    'description',
    'name',
    'rolloutPercent',
    'requestsPerSecond',
    'requireReason',
    'reviewEveryDays',
    'displayName',
    'email',
    'until',
    'reason',
  ];
  return plain
    .filter((name) => fields[name] !== undefined && fields[name] !== (item[name] ?? null))
    .map((name) => `${subject} has ${name} ${item[name]}, by its changes ${fields[name]}`);
}

function grantDifferences(subject: string, { fields }: Folded, item: Item, endedAt: number): string[] {
  const { roles, status } = accessOf(item);
  const isHeld = (end: RecordedState[string] | undefined) => typeof end !== 'string' || Date.parse(end) > endedAt;
  const folded = Object.keys(fields)
    .filter((name) => name.startsWith('granted of ') && fields[name] === true)
    .map((name) => name.slice('granted of '.length))
    .filter((role) => isHeld(fields[`expiresAt of ${role}`]))
    .map((role) => `${role} until ${fields[`expiresAt of ${role}`]}`);
  const held = Object.entries(roles)
    .filter(([, { expiresAt }]) => isHeld(expiresAt))
    .map(([role, { expiresAt }]) => `${role} until ${expiresAt}`);
  const isStatusSame = (status ?? 'enabled') === fields.status && (status !== null) === fields.explicit;
  return [
    ...(isStatusSame ? [] : [`${subject} is ${status}, by its changes ${fields.status}`]),
    ...(folded.sort().join() === held.sort().join() ? [] : [`${subject} has ${held}, by its changes ${folded}`]),
  ];
}

function unexplained(folds: ReadonlyMap<string, Folded>, items: readonly Item[]): string[] {
  return items
    .filter((item) => isAccess(item) && !folds.has(`${item.pk} ${item.sk}`))
    .map((item) => `${item.pk} ${item.sk} is stored, and has no changes`);
}

/** Checks that a user names the last Change of everything that belongs to it, and that each access names its user. */
function wrongOrder(item: Item, changes: Run['changes'], stored: ReadonlyMap<string, Item>): string[] {
  if (isAccess(item)) {
    const { createdAt } = stored.get(`${item.pk} USER`) ?? {};
    return item.userCreatedAt === createdAt ? [] : [`${item.pk} ${item.sk} is of the user of ${item.userCreatedAt}`];
  }
  if (!isUser(item) || !isLive(item)) return [];
  const last = changes.findLast(({ change }) => change.userId === item.userId)?.change.id;
  return item.lastChangeId === last ? [] : [`${item.pk} names ${item.lastChangeId}, the last Change is ${last}`];
}
