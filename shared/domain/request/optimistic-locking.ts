import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import { jitter, now, pause, runWithin } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { timeOfUlid } from '#shared/core/ids.ts';

const maxRetries = 4;
const firstBackoffMilliseconds = 20;

/**
 * Runs an attempt again, from its read on, while others write the same items; after four retries 503. What an attempt
 * sends, it has sent after `attemptSeconds`, or never.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | 'conflict'>): Promise<T> {
  for (let retry = 0; retry <= maxRetries; retry++) {
    if (retry > 0) await pause(jitter(firstBackoffMilliseconds * 3 ** retry));
    const result = await runWithin(attemptSeconds * 1000, attempt);
    if (result !== 'conflict') return result;
  }
  throw new ServiceError('unavailable', { detail: 'Others are changing the same user right now. Try again.' });
}

/** Refuses a change by a caller who has seen another version (`If-Match`); undefined is any. */
export function requireVersion(what: string, version: number, ifMatch: readonly number[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(version)) return;
  throw new ServiceError('version_mismatch', {
    detail: `The ${what} is at version ${version}. Re-read it and try again.`,
    members: { version },
  });
}

/** What was changed before, as far as it is known. */
export interface Predecessor {
  readonly updatedAt?: string | null;
  /** The id of the last Change of the item, or of all that belongs to it. */
  readonly lastChangeId?: string | null;
}

/** Now, or a millisecond after all that was changed before: times and ids of Changes rise, also when clocks differ. */
export function monotonicTimestamp(...before: readonly Predecessor[]): string {
  const earliest = before.flatMap(({ updatedAt, lastChangeId }) => [
    updatedAt ? Date.parse(updatedAt) + 1 : 0,
    lastChangeId ? timeOfUlid(lastChangeId) + 1 : 0,
  ]);
  return new Date(Math.max(now().getTime(), ...earliest)).toISOString();
}
