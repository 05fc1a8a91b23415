import * as v from 'valibot';
import type { Answer } from './answers.ts';
import type { bulkOutcomeSchema } from './bulk-answers.ts';
import { bulkIdSchema, maxBodyBytes } from './fields.ts';
import { crockford } from './ulid.ts';

/** Users of one bulk request. */
export const maxUsersPerBulk = 100;

/** The bytes of the users in one request: the rest of the body is small. */
export const maxBatchBytes = maxBodyBytes - 2048;

/** The bytes of an item in a request. */
export function bytesOf(item: unknown): number {
  return new TextEncoder().encode(JSON.stringify(item)).length + 1;
}

/** Users, or what is known of them, in parts that fit into one request each. */
export function batchesOf<Item>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = batches.at(-1);
    const size = bytesOf(item);
    if (last === undefined || last.length === maxUsersPerBulk || bytes + size > maxBatchBytes) {
      batches.push([item]);
      bytes = size;
    } else {
      last.push(item);
      bytes += size;
    }
  }
  return batches;
}

/** How long the requests of one bulk may go on after the time in its id; also how far its undoing looks for its changes. */
export const bulkHours = 24;

/** By how much the clock that made such an id may be ahead. */
export const bulkClockSeconds = 300;

/** A new id of a bulk that begins at a time, in milliseconds since the epoch. */
export function newBulkId(now: number): string {
  return createBulkId(now, crypto.getRandomValues(new Uint8Array(16)));
}

/** The id of a bulk that begins now, by 16 random bytes. */
export function createBulkId(now: number, random: Uint8Array): string {
  const time = Array.from({ length: 10 }, (_, place) => crockford[Math.floor(now / 32 ** (9 - place)) % 32]);
  const rest = Array.from(random.subarray(0, 16), (byte) => crockford[byte % 32]);
  return [...time, ...rest].join('');
}

/** The members that all bulk requests have in common. */
export const bulkEntries = {
  userIds: v.pipe(
    v.array(v.string('must be a string'), 'must be a list'),
    v.minLength(1, 'must name at least one user'),
    v.maxLength(maxUsersPerBulk, `must name at most ${maxUsersPerBulk} users`),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each user once'),
    v.metadata({ uniqueItems: true }),
  ),
  bulkId: v.optional(bulkIdSchema),
  dryRun: v.optional(v.boolean('must be true or false'), false),
};

export type BulkOutcome = Answer<typeof bulkOutcomeSchema>;

/**
 * The outcome of a user who needed a change and was sent again: after an attempt with an unknown outcome, one that finds nothing
 * to change shows that the first has changed the user.
 */
export function outcomeAfter(before: BulkOutcome | undefined, outcome: BulkOutcome): BulkOutcome {
  const isDone = before?.problem?.code === 'unavailable' && outcome.outcome === 'unchanged';
  return isDone ? { ...outcome, outcome: 'changed' } : outcome;
}
