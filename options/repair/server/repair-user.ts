import type { UserId } from '#shared/contract/fields.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { deleteInBatches } from '#shared/domain/request/delete-in-batches.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { subjectOf } from '#shared/integrity/chain-breaks.ts';
import { groupBy } from '#shared/integrity/group-by.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { gapsIn, isKept, newestChanges } from './compare-chain.ts';
import { registeredRepairs } from './registered-repairs.ts';
import { deletionOf, repairAccesses } from './repair-access.ts';
import { repairUserLists } from './repair-lists.ts';
import type { RepairRun } from './repair-run.ts';
import { repairUserState } from './repair-user-state.ts';
import { readOwners, readUserFacts, type UserFacts } from './user-partition.ts';

/**
 * Repairs a user with all accesses: first the states and their Changes, which decide, then what is derived from them. Each
 * step is conditional on what was read, and the next one reads again. A dry run names what the first step of each finds.
 */
export async function repairUser(userId: UserId, run: RepairRun): Promise<void> {
  await run.untilWhole(() => repairOnce(userId, run));
}

async function repairOnce(userId: UserId, run: RepairRun): Promise<boolean> {
  const key = await latestChainKey();
  const facts = await readUserFacts(userId, run);
  if (await repairUserState(facts, run, key)) return true;
  if (await removeErased(facts, run)) return true;
  const { user, deleting } = facts;
  if (user !== undefined && deleting) {
    await repairUserLists(facts, run);
    return run.finish({ userId }, async () => (await deleteUser({ userId }, run.context)).complete);
  }
  nameGaps(facts, run);
  if (user !== undefined && (await repairAccesses({ ...facts, user }, await readOwners(facts), run, key))) return true;
  for (const { repairUser: repairKept } of registeredRepairs) if (await repairKept?.(facts, run)) return true;
  return repairUserLists(facts, run);
}

/** What is left of an erased user with this id: Changes, and the accesses of one who has a tombstone. */
async function removeErased(facts: UserFacts, run: RepairRun): Promise<boolean> {
  const { userId, item, erasedChanges } = facts;
  const accesses = item?.erased === true ? facts.accesses : [];
  const owners = await readOwners({ accesses, changes: [] });
  const deletions = accesses.map((access) => deletionOf(access, owners));
  const groups: TransactEntry[][] = [...erasedChanges.map((key) => [deleteEntry(key)]), ...deletions];
  if (groups.length === 0) return false;
  return run.repairBy('erased-data', { userId }, () => deleteInBatches(groups));
}

/** Changes that are missing in the middle of a chain cannot be written again: only their authors knew them. */
function nameGaps(facts: UserFacts, run: RepairRun): void {
  const { userId, user, changes } = facts;
  const since = changes.length < newestChanges ? user?.createdAt : undefined;
  const lost = lostNewest(facts);
  if (lost !== undefined) run.note('history-gap', { userId, changeId: lost });
  for (const chain of groupBy(changes, subjectOf).values()) run.nameGaps(gapsIn(chain, since));
}

/** The newest Change that the user names, if nothing of it is left: it may have been a block, or an erasure removed it. */
function lostNewest({ user, accesses, changes }: UserFacts): string | undefined {
  if (user === undefined) return undefined;
  const { lastChangeId } = user;
  const isNamed = [...changes.map(({ id }) => id), ...accesses.map((access) => access.lastChangeId)];
  const isExpired = !isKept(new Date(timeOfUlid(lastChangeId)).toISOString());
  return isExpired || isNamed.includes(lastChangeId) ? undefined : lastChangeId;
}
