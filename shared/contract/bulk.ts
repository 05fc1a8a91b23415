import * as v from 'valibot';
import type { Answer } from './answers.ts';
import type { bulkOutcomeSchema } from './bulk-answers.ts';
import { maxUsersPerBulk } from './bulk-calls.ts';
import { bulkIdSchema, maxBodyBytes } from './fields.ts';

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
