import { recordedFields } from '#shared/contract/field-forms.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { now } from '#shared/core/clock.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { changeSearchEntries } from '#shared/domain/user/search-entries.ts';
import { searchTextOf, wordsIn } from '#shared/domain/user/search-words.ts';
import { type Item, readItems, type TransactEntry } from '#shared/table/client.ts';
import { conditionCheckEntry, deleteEntry, putEntry } from '#shared/table/expression.ts';
import {
  accessOf,
  type ChangedAccessItem,
  liveGrants,
  ownerOf,
  repairBlockEndEntry,
} from '#shared/table/items/access-item.ts';
import { deleteInactiveMarkEntry, setInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import { deleteReadMemberEntry, memberOf, putMemberEntry } from '#shared/table/items/role-item.ts';
import { deleteSearchEntries } from '#shared/table/items/search-item.ts';
import { putErasedEntry, type User, updateWordsEntry } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import { accessEntryKey, accessKey } from '#shared/table/keys/access-item-keys.ts';
import { memberKey } from '#shared/table/keys/role-item-keys.ts';
import { searchEntryKey } from '#shared/table/keys/search-item-keys.ts';
import { erasedEntryKey, inactiveMarkKey, userEntryKey, userKey } from '#shared/table/keys/user-item-keys.ts';

import type { RepairRun } from './repair-run.ts';
import type { UserFacts } from './user-partition.ts';

/** Everything that lists a user follows the user's own items; each write requires that they are as they were read. */
export async function repairUserLists(facts: UserFacts, run: RepairRun): Promise<boolean> {
  const user = facts.deleting ? undefined : facts.user;
  const wrote = [await repairEntries(facts, user, run), await repairWords(facts, user, run)];
  const accesses = user === undefined ? [] : facts.accesses;
  for (const appId of new Set(
    facts.changes.flatMap(({ appId: id }) => id ?? []).concat(accesses.map((one) => one.appId)),
  )) {
    const access = accesses.find((one) => one.appId === appId);
    wrote.push(await repairAccessLists(facts, appId as AppId, access, run));
    if (access !== undefined) wrote.push(await repairBlockEnd(facts, access, run));
  }
  return wrote.includes(true);
}

async function repairEntries(facts: UserFacts, user: User | undefined, run: RepairRun): Promise<boolean> {
  const { userId } = facts;
  const keys = [userEntryKey(userId), inactiveMarkKey(userId), erasedEntryKey(userId)];
  const [listed, mark, erased] = await readItems(keys);
  const guard = guardOf(userId, facts.item);
  const wrote = [
    await repairList('user-list', listedWrite(userId, user, listed)),
    await repairList('inactive-mark', markWrite(userId, user, mark)),
    await repairList('erased-list', erasedWrite(facts, erased)),
  ];
  return wrote.includes(true);

  async function repairList(kind: string, write: TransactEntry | undefined): Promise<boolean> {
    return write !== undefined && run.repair(kind, { userId }, [guard, write]);
  }
}

/** What makes an entry right; undefined if it is. */
function listedWrite(userId: UserId, user: User | undefined, listed: Item | undefined): TransactEntry | undefined {
  if ((listed !== undefined) === (user !== undefined)) return undefined;
  const key = userEntryKey(userId);
  return user === undefined ? deleteEntry(key) : putEntry({ ...key, userId });
}

function markWrite(userId: UserId, user: User | undefined, mark: Item | undefined): TransactEntry | undefined {
  if (user?.status !== 'inactive') return mark === undefined ? undefined : deleteInactiveMarkEntry(userId);
  const isRight = mark !== undefined && mark.changeId === (user.statusChangeId ?? mark.changeId);
  return isRight ? undefined : setInactiveMarkEntry(user);
}

function erasedWrite({ userId, item, deleting }: UserFacts, erased: Item | undefined): TransactEntry | undefined {
  if (item === undefined || (item.erased !== true && !deleting)) {
    return erased === undefined ? undefined : deleteEntry(erasedEntryKey(userId));
  }
  const isRight = erased?.erasedAt === item.erasedAt && erased?.lastChangeId === item.lastChangeId;
  return isRight ? undefined : putErasedEntry(item);
}

/** The user's own item is as it was read: what belongs to it can be written. */
function guardOf(userId: UserId, item: Item | undefined): TransactEntry {
  const { version, lastChangeId, erased, deleting } = item ?? {};
  if (item === undefined) return conditionCheckEntry(userKey(userId), { absent: ['pk'] });
  const state = { version, erased, deleting };
  const equals = Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
  return conditionCheckEntry(userKey(userId), { equals: { ...equals, lastChangeId } });
}

/**
 * Also entries of words that the user no longer has: those of earlier names, and all that an entry which is left names. A
 * user who is being erased keeps them until the end.
 */
async function repairWords(facts: UserFacts, user: User | undefined, run: RepairRun): Promise<boolean> {
  const { userId, item, ownChanges, deleting } = facts;
  if (deleting) return false;
  const words = user === undefined ? '' : searchTextOf(user);
  const recordedStates = ownChanges.flatMap(({ action, before, after }) =>
    action === 'user.status.changed' ? [] : [before, after],
  );
  const earlier = recordedStates.flatMap((recorded) =>
    recorded === null ? [] : wordsIn(searchTextOf({ userId, ...recordedFields(userFields, recorded) })),
  );
  const own = searchTextOf({ userId, displayName: null, email: null });
  const candidates = new Set([...wordsIn(words), ...wordsIn(user?.words ?? ''), ...wordsIn(own), ...earlier]);
  const found = await readEntries(userId, [...candidates]);
  for (const { words: text } of found.values()) for (const word of wordsIn(String(text))) candidates.add(word);
  const all = await readEntries(userId, [...candidates]);
  const wanted = new Set(wordsIn(words).filter((word) => searchEntryKey(word, userId) !== undefined));
  const stale = [...all.keys()].filter((word) => !wanted.has(word));
  const isWhole = [...wanted].every((word) => all.get(word)?.words === words) && stale.length === 0;
  if (isWhole && (user === undefined || user.words === words)) return false;
  const gone = stale.flatMap((word) => deleteSearchEntries({ userId, word }));
  const guard = user === undefined ? guardOf(userId, item) : updateWordsEntry(user, words);
  const written = user === undefined ? [] : changeSearchEntries({ userId, words: '' }, words);
  return run.repair('search-words', { userId }, [guard, ...gone.slice(0, maxStaleWords), ...written]);
}
/** A transaction has room for them; the next round removes the rest. */
const maxStaleWords = 80;

async function readEntries(userId: UserId, words: readonly string[]): Promise<ReadonlyMap<string, Item>> {
  const keys = words.flatMap((word): (readonly [string, Key])[] => {
    const key = searchEntryKey(word, userId);
    return key === undefined ? [] : [[word, key]];
  });
  const items = await readItems(keys.map(([, key]) => key));
  return new Map(keys.flatMap(([word], at): [string, Item][] => (items[at] === undefined ? [] : [[word, items[at]]])));
}

/** The entry of an access, and the members of its grants; those of roles that its Changes name may be stale. */
async function repairAccessLists(
  { userId, changes }: UserFacts,
  appId: AppId,
  access: ChangedAccessItem | undefined,
  run: RepairRun,
): Promise<boolean> {
  const named = changes.flatMap(({ appId: of, role }) =>
    of === appId && role !== undefined ? [role as RoleName] : [],
  );
  const roles = [...new Set([...Object.keys(access?.roles ?? {}), ...named])] as RoleName[];
  const [entry, ...members] = await readItems([
    accessEntryKey(appId, userId),
    ...roles.map((role) => memberKey(appId, role, userId)),
  ]);
  const guard = accessGuard(userId, appId, access);
  const wrote: boolean[] = [];
  if ((entry !== undefined) !== (access !== undefined)) {
    const key = accessEntryKey(appId, userId);
    const write = access ? putEntry({ ...key, userId }) : deleteEntry(key);
    wrote.push(await run.repair('access-list', { userId, appId }, [guard, write]));
  }
  const live = new Map(access === undefined ? [] : liveGrants(access, now()));
  for (const [at, role] of roles.entries()) {
    const grant = live.get(role);
    const item = members[at];
    const member = item && memberOf(item);
    const isSame =
      grant === undefined
        ? member === undefined || hasPassed(member.expiresAt, now())
        : member?.expiresAt === grant.expiresAt && member.grantedAt === grant.grantedAt;
    if (isSame) continue;
    const write = grant
      ? putMemberEntry(appId, role, { userId, ...grant })
      : deleteEntry(memberKey(appId, role, userId));
    wrote.push(await run.repair('member', { userId, appId, role }, [guard, write]));
  }
  return wrote.includes(true);
}

/** The place of an access in the list of blocks with an end. */
async function repairBlockEnd({ listedEnds }: UserFacts, access: ChangedAccessItem, run: RepairRun): Promise<boolean> {
  const { userId, appId } = access;
  const entry = repairBlockEndEntry(access, listedEnds.get(appId));
  return entry !== undefined && run.repair('block-end', { userId, appId }, [entry]);
}

/** The access is as it was read. */
export function accessGuard(userId: UserId, appId: AppId, access: ChangedAccessItem | undefined): TransactEntry {
  const condition = access === undefined ? { absent: ['pk'] } : { equals: { version: access.version } };
  return conditionCheckEntry(accessKey(userId, appId), condition);
}

/** An entry without an access is one too many; an access without an entry is found with its user. True if one was removed. */
export async function repairAccessEntries(
  appId: AppId,
  entries: readonly (Item & Key)[],
  run: RepairRun,
): Promise<boolean> {
  const userIds = entries.map(ownerOf);
  const accesses = await readItems(userIds.map((userId) => accessKey(userId, appId)));
  const wrote: boolean[] = [];
  for (const [at, userId] of userIds.entries()) {
    if (accesses[at] !== undefined) continue;
    const write = deleteEntry(accessEntryKey(appId, userId));
    wrote.push(await run.repair('access-list', { userId, appId }, [accessGuard(userId, appId, undefined), write]));
  }
  return wrote.includes(true);
}

/** A member without a grant is one too many; true if one was removed. */
export async function repairMembers(
  appId: AppId,
  role: RoleName,
  members: readonly (Item & Key)[],
  run: RepairRun,
): Promise<boolean> {
  const accesses = await readItems(members.map((member) => accessKey(memberOf(member).userId, appId)));
  const wrote: boolean[] = [];
  for (const [at, member] of members.entries()) {
    const { userId } = memberOf(member);
    const item = accesses[at];
    const access = item && accessOf(item);
    if (access?.roles[role] !== undefined) continue;
    const entries = [accessGuard(userId, appId, access), deleteReadMemberEntry(member)];
    wrote.push(await run.repair('member', { userId, appId, role }, entries));
  }
  return wrote.includes(true);
}
