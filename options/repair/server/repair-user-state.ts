import type { Change } from '#shared/contract/change.ts';
import { equalFields, pickFields, recordedFields } from '#shared/contract/field-forms.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { isPossible, now } from '#shared/core/clock.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import type { KeptOfUser } from '#shared/domain/request/kept-of-user.ts';
import { monotonicTimestamp } from '#shared/domain/request/optimistic-locking.ts';
import { registeredOfUser } from '#shared/domain/request/registered-of-user.ts';
import { searchTextOf } from '#shared/domain/user/search-words.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import { putEntry, updateEntry } from '#shared/table/expression.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { deleteInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import { markUserEntries, putTombstoneEntries, type User, updateUserEntry } from '#shared/table/items/user-item.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { compareChain, isKept, versionAfter } from './compare-chain.ts';
import { recordSteps, type Step, stepsOr } from './record-steps.ts';
import type { RepairRun } from './repair-run.ts';
import type { UserFacts } from './user-partition.ts';

/** Brings a user and the user's Changes together, one step at a time; true if something was written. */
export async function repairUserState(facts: UserFacts, run: RepairRun, key: ChainKey): Promise<boolean> {
  const { userId, item, user, deleting } = facts;
  const applied = applyErasureOrCreation(facts, run);
  if (applied !== undefined) return applied;
  if (item === undefined) {
    if (facts.accesses.length > 0 || facts.changes.length > 0) run.note('orphan', { userId });
    return false;
  }
  if (user === undefined && facts.changes.length > 0) run.note('orphan', { userId });
  if (user === undefined || deleting) return recordLostErasure(facts, run, key);
  const ownChanges = facts.ownChanges.filter(({ action }) => action !== 'user.deleted');
  const state = compareChain(user, ownChanges, facts.forged);
  if (state.kind === 'behind') {
    return run.apply(state.next, { userId }, appliedBy(user, state.next));
  }
  if (state.kind === 'unrecorded') {
    return run.repair('change-missing', { userId }, recordUser(user, facts.ownChanges, run, key));
  }
  return raiseOrder(facts, user, run);
}

/** Applies an erasure or a creation that is on record and newer than the user's item; undefined if there is none. */
function applyErasureOrCreation(facts: UserFacts, run: RepairRun): Promise<boolean> | boolean | undefined {
  const { userId, item, user, deleting, ownChanges } = facts;
  const newest = ownChanges.at(-1);
  const itemId = String(item?.lastChangeId ?? '');
  if (newest?.action === 'user.deleted') {
    if (item === undefined) return restoreTombstone(facts, newest, run);
    if (user === undefined || deleting || itemId >= newest.id) return undefined;
    return run.apply(newest, { userId }, markedBy(user, newest));
  }
  const created = ownChanges.findLast(({ action }) => action === 'user.created');
  const isThis = user !== undefined && !deleting && user.createdAt >= (created?.at ?? '');
  if (created === undefined || isThis || itemId >= created.id) return undefined;
  return run.apply(created, { userId }, createdBy(facts, created));
}

/** Records an erasure of which only the mark or the tombstone came. */
function recordLostErasure(facts: UserFacts, run: RepairRun, key: ChainKey): Promise<boolean> | boolean {
  const { userId, item = {}, ownChanges } = facts;
  const recorded = ownChanges.findLast(({ action }) => action === 'user.deleted')?.id ?? '';
  const isExpired = item.erased === true && !isKept(String(item.erasedAt));
  if (recorded >= String(item.lastChangeId) || isExpired || facts.forged.has(String(item.lastChangeId))) return false;
  return run.repair('change-missing', { userId }, recordErasure(facts, run, key));
}

/** The tombstone of a user whose erasure is on record; it is kept for some days only. */
function restoreTombstone({ userId }: UserFacts, erasure: Change, run: RepairRun): Promise<boolean> | boolean {
  const entries = putTombstoneEntries(userId, erasure);
  return entries === undefined ? false : run.apply(erasure, { userId }, entries);
}

function markedBy(user: User, erasure: Change): TransactEntry[] {
  return [...markUserEntries(user, erasure), deleteInactiveMarkEntry(user.userId)];
}

/** The user as created; later Changes are applied by later steps. */
function createdBy({ userId, item }: UserFacts, { id, at, after, integrity }: Change): TransactEntry[] {
  const fields = recordedFields(userFields, after);
  const created: User = {
    userId,
    status: 'active',
    ...fields,
    version: versionOf(after),
    createdAt: at,
    updatedAt: at,
    lastChangeId: id,
    statusChangeId: null,
    chainHead: integrity.mac,
    words: searchTextOf({ userId, ...fields }),
  };
  const condition = item === undefined ? { absent: ['pk'] } : { equals: { lastChangeId: item.lastChangeId } };
  return [putEntry({ ...userKey(userId), ...created }, condition)];
}

function versionOf(recorded: Change['after']): number {
  return recorded?.version ?? 1;
}

/** The user after the next Change, which does not name what it did not change. */
function appliedBy(user: User, change: Change): TransactEntry[] {
  const { action, at, after, id, integrity } = change;
  const fields = action === 'user.updated' ? recordedFields(userFields, after) : {};
  const status = action === 'user.status.changed' ? { status: after?.status, statusChangeId: id } : {};
  const kept = registeredOfUser.find(({ actions }) => actions.includes(action))?.attributesAfter(user, change);
  const next = { ...user, ...fields, ...status, ...kept };
  const { userId, createdAt, ...set } = next as User;
  return [
    updateEntry({
      key: userKey(userId),
      set: {
        ...set,
        words: searchTextOf(next as User),
        version: versionAfter(change),
        updatedAt: at,
        lastChangeId: id > user.lastChangeId ? id : user.lastChangeId,
        chainHead: integrity.mac,
      },
      equals: { createdAt, version: user.version, chainHead: user.chainHead, lastChangeId: user.lastChangeId },
      absent: ['deleting'],
    }),
  ];
}

/** Records a state whose Change is missing: what differs from the newest one that is there. */
function recordUser(user: User, own: readonly Change[], { context }: RepairRun, key: ChainKey): TransactEntry[] {
  const recorded = own.findLast(({ action }) => action === 'user.updated' || action === 'user.created');
  const fields = pickFields(userFields, user);
  const before = recorded === undefined ? fields : recordedFields(userFields, recorded.after);
  const statusBefore =
    own.findLast(({ action }) => action === 'user.status.changed')?.after?.status ??
    (recorded === undefined ? user.status : 'active');
  const isCreation = recorded === undefined && user.version === 1;
  const differs: readonly Step[] = [
    ...(isCreation
      ? [{ action: 'user.created', before: null, after: { status: user.status, ...fields } } as const]
      : []),
    ...(statusBefore === user.status
      ? []
      : [{ action: 'user.status.changed', before: { status: statusBefore }, after: { status: user.status } } as const]),
    ...(equalFields(userFields, before, fields) ? [] : [{ action: 'user.updated', before, after: fields } as const]),
    ...registeredOfUser.flatMap((kept) => keptSteps(user, own, kept)),
  ];
  const steps = stepsOr({ action: 'user.updated', before: fields, after: fields }, differs);
  const changes = recordSteps(steps, {
    subject: { userId: user.userId },
    last: own.at(-1),
    version: user.version,
    context,
    key,
    at: monotonicTimestamp(user),
  });
  const newest = changes.at(-1) ?? changes[0];
  const status = changes.find(({ action }) => action === 'user.status.changed');
  const version = newest.after?.version ?? user.version;
  const next = { ...user, version, updatedAt: newest.at, ...(status && { statusChangeId: status.id }) };
  const isRecreated = own.length > 0;
  return [
    updateUserEntry(user, next, newest),
    ...changes.flatMap((change) => putChangeEntries(change, { isRecreated })),
  ];
}

/** What an option keeps of the user, where its newest Change says otherwise. */
function keptSteps(user: User, own: readonly Change[], { actions, recordedOf, restoredBy }: KeptOfUser): Step[] {
  const after = recordedOf(user);
  const newest = own.findLast(({ action }) => actions.includes(action))?.after ?? {};
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, newest[name] ?? null]));
  const isSame = Object.entries(after).every(([name, value]) => before[name] === value);
  return isSame ? [] : [{ action: restoredBy(after), before, after }];
}

function recordErasure(facts: UserFacts, { context }: RepairRun, key: ChainKey): TransactEntry[] {
  const { userId, item = {}, user, ownChanges } = facts;
  const at = monotonicTimestamp({ lastChangeId: String(item.lastChangeId) });
  const before = user === undefined ? {} : { status: user.status };
  const [change] = recordSteps([{ action: 'user.deleted', before, after: null }], {
    subject: { userId },
    last: ownChanges.at(-1),
    version: (user?.version ?? 0) + 1,
    at,
    context,
    key,
  });
  const last = { lastChangeId: change.id, chainHead: change.integrity.mac };
  const state = item.erased === true ? { erased: true } : { deleting: true };
  return [
    updateEntry({ key: userKey(userId), set: last, equals: { ...state, lastChangeId: item.lastChangeId } }),
    ...putChangeEntries(change),
  ];
}

/** The user names the newest Change of everything that is its own, and none that lies in the future. */
function raiseOrder({ userId, changes }: UserFacts, user: User, run: RepairRun): Promise<boolean> | boolean {
  const { createdAt, lastChangeId } = user;
  const isWritten = isPossible(timeOfUlid(lastChangeId));
  const newest = changes.at(-1)?.id ?? (isWritten ? '' : lowestUlid(now()));
  if (isWritten && newest <= lastChangeId) return false;
  const equals = { createdAt, lastChangeId };
  const entry = updateEntry({ key: userKey(userId), set: { lastChangeId: newest }, equals, absent: ['deleting'] });
  return run.repair(isWritten ? 'state-behind' : 'change-order', { userId, changeId: newest }, [entry]);
}
