import { crockford } from './ulid.ts';

/** Users of one bulk request. */
export const maxUsersPerBulk = 100;

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

interface AnyOutcome {
  readonly outcome: string;
  readonly problem?: { readonly code: string } | undefined;
}

/**
 * The outcome of a user who needed a change and was sent again: after an attempt with an unknown outcome, one that finds nothing
 * to change shows that the first has changed the user.
 */
export function outcomeAfter<Outcome extends AnyOutcome>(before: AnyOutcome | undefined, outcome: Outcome): Outcome {
  const isDone = before?.problem?.code === 'unavailable' && outcome.outcome === 'unchanged';
  return isDone ? { ...outcome, outcome: 'changed' } : outcome;
}
