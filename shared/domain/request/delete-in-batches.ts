import { maxTransactEntries, type TransactEntry, type TransactOutcome, transact } from '#shared/table/client.ts';
import { retryOnConflict } from './optimistic-locking.ts';

/**
 * Deletes groups of items, each group in one transaction as far as DynamoDB takes it, small groups together. A guard is
 * in every transaction. False when a condition did not hold: then somebody else has changed the items.
 */
export async function deleteInBatches(
  groups: readonly (readonly TransactEntry[])[],
  guard: readonly TransactEntry[] = [],
): Promise<boolean> {
  for (const entries of packGroups(groups, maxTransactEntries - guard.length)) {
    const outcome = await retryOnConflict(() => attempt([...guard, ...entries]));
    if (outcome.kind !== 'committed') return false;
  }
  return true;
}

async function attempt(entries: readonly TransactEntry[]): Promise<TransactOutcome | 'conflict'> {
  const outcome = await transact(entries);
  return outcome.kind === 'conflict' ? 'conflict' : outcome;
}

/** A group that is too large is split; its last entry, which holds the group together, is in the last part. */
function packGroups(groups: readonly (readonly TransactEntry[])[], size: number): TransactEntry[][] {
  const packs: TransactEntry[][] = [];
  let current: TransactEntry[] = [];
  for (const group of groups) {
    if (current.length + group.length > size && current.length > 0) {
      packs.push(current);
      current = [];
    }
    for (const entry of group) {
      if (current.length === size) {
        packs.push(current);
        current = [];
      }
      current.push(entry);
    }
  }
  return current.length > 0 ? [...packs, current] : packs;
}
