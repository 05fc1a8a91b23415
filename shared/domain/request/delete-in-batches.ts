import {
  maxTransactEntries,
  queryItems,
  type TransactEntry,
  type TransactOutcome,
  transact,
} from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import type { Range } from '#shared/table/key.ts';
import { retryOnConflict } from './optimistic-locking.ts';

/**
 * Deletes groups of items, each group in one transaction up to DynamoDB's limit, small groups together. Every transaction
 * includes the guard. False when a condition failed, because another request has changed the items.
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

/** Deletes all items of a range; whether anything was found. */
export async function deleteRange(range: Range): Promise<boolean> {
  for (let found = false; ; found = true) {
    const { items } = await queryItems(range, { limit: 100 });
    if (items.length === 0) return found;
    await deleteInBatches(items.map((item) => [deleteEntry(item)]));
  }
}

async function attempt(entries: readonly TransactEntry[]): Promise<TransactOutcome | 'conflict'> {
  const outcome = await transact(entries);
  return outcome.kind === 'conflict' ? 'conflict' : outcome;
}

/** Splits a group that is too large; its last entries, which hold the group together, stay in one part. */
function packGroups(groups: readonly (readonly TransactEntry[])[], size: number): TransactEntry[][] {
  const packs: TransactEntry[][] = [];
  let current: TransactEntry[] = [];
  for (const part of groups.flatMap((group) => partsOf(group, size))) {
    if (current.length + part.length > size) {
      packs.push(current);
      current = [];
    }
    current.push(...part);
  }
  return current.length > 0 ? [...packs, current] : packs;
}

/** All parts but the first have the maximum size. */
function partsOf(group: readonly TransactEntry[], size: number): TransactEntry[][] {
  const parts: TransactEntry[][] = [];
  for (let end = group.length; end > 0; end -= size) parts.unshift(group.slice(Math.max(0, end - size), end));
  return parts;
}
