import { type TransactEntry, type TransactOutcome, transact } from '#shared/table/client.ts';
import { maxTransactEntries } from '#shared/table/deletions.ts';
import { retryWhileMoving } from './retry-while-moving.ts';

/**
 * Deletes groups of items, each group in one transaction as far as DynamoDB takes it, small groups together. A guard
 * stands in every transaction. False when a condition did not hold: then somebody else was here.
 */
export async function eraseGroups(
  groups: readonly (readonly TransactEntry[])[],
  guard: readonly TransactEntry[] = [],
): Promise<boolean> {
  for (const entries of pack(groups, maxTransactEntries - guard.length)) {
    const outcome = await retryWhileMoving(() => attempt([...guard, ...entries]));
    if (outcome.kind !== 'committed') return false;
  }
  return true;
}

async function attempt(entries: readonly TransactEntry[]): Promise<TransactOutcome | 'moved'> {
  const outcome = await transact(entries);
  return outcome.kind === 'conflict' ? 'moved' : outcome;
}

/** A group that is too large is cut; its last entries, what holds the group together, come last. */
function pack(groups: readonly (readonly TransactEntry[])[], size: number): TransactEntry[][] {
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
