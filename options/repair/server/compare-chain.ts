import type { Change } from '#shared/contract/change.ts';
import { now } from '#shared/core/clock.ts';
import { config } from '#shared/core/config.ts';
import { secondsPerDay } from '#shared/table/ttl.ts';

/** The newest Changes of a user or an application that are compared: more than are made in the moments that a takeover can lose. */
export const newestChanges = 300;

/** What an item says of its last Change. */
export interface Head {
  readonly chainHead: string;
  readonly version: number;
  readonly updatedAt: string;
}

/** How an item relates to the Changes of its chain. */
export type ChainState =
  | { readonly kind: 'whole' }
  /** The item is older than its newest Change: the next one to apply. */
  | { readonly kind: 'behind'; readonly next: Change }
  /** The item is newer than its newest Change, or its Change is another one of the same version. */
  | { readonly kind: 'unrecorded' };

/** The version that a Change wrote. A deletion counts as one. */
export function versionAfter({ before, after }: Change): number {
  return after?.version ?? (before?.version ?? 0) + 1;
}

/**
 * Compares an item with the Changes of its chain that the service wrote, oldest first; undefined if there is no item. A chain has
 * lost its beginning when Changes have expired. An item whose last Change was altered or forged is left as it is: neither says
 * what is right.
 */
export function compareChain(
  head: Head | undefined,
  changes: readonly Change[],
  forged: ReadonlySet<string>,
): ChainState {
  if (head !== undefined && forged.has(head.chainHead)) return { kind: 'whole' };
  const newest = changes.at(-1);
  if (head === undefined) {
    const first = changes.findLast(isBeginning);
    return newest === undefined || newest.after === null || first === undefined
      ? { kind: 'whole' }
      : { kind: 'behind', next: first };
  }
  if (newest === undefined) return isKept(head.updatedAt) ? { kind: 'unrecorded' } : { kind: 'whole' };
  if (newest.integrity.mac === head.chainHead) return { kind: 'whole' };
  const known = changes.findLastIndex(({ integrity }) => integrity.mac === head.chainHead);
  const next = known >= 0 ? changes[known + 1] : changes.find((change) => versionAfter(change) > head.version);
  if (next !== undefined) return { kind: 'behind', next };
  return isKept(head.updatedAt) ? { kind: 'unrecorded' } : { kind: 'whole' };
}

/** Whether a Change starts a chain. */
export function isBeginning({ before }: Change): boolean {
  return before === null || before.version === 0;
}

/** Whether a Change of this time is still in the table; a day less, because DynamoDB removes items at any time after. */
export function isKept(at: string): boolean {
  return Date.parse(at) > now().getTime() - (config().changeRetentionDays - 1) * secondsPerDay * 1000;
}

/**
 * The Changes that do not continue the one before in their chain; what was between is not in the table. If a
 * subject is younger than the oldest Change that is kept, one Change must be its beginning.
 */
export function gapsIn(changes: readonly Change[], createdAt?: string): readonly Change[] {
  const isWhole = createdAt === undefined || !isKept(createdAt) || changes.some(isBeginning);
  return changes.filter((change, at) => {
    const before = changes[at - 1];
    if (at === 0) return !isWhole;
    const { previous } = change.integrity;
    const isAnew = isBeginning(change) && previous === null;
    return before !== undefined && !isAnew && previous !== before.integrity.mac;
  });
}
