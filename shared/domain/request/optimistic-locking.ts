import { attemptSeconds } from '#shared/contract/time-bounds.ts';
import { timeOfUlid } from '#shared/contract/ulid.ts';
import { isPossible, jitter, now, pause, runWithin } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';

const maxRetries = 4;
const firstBackoffMilliseconds = 20;

/**
 * Retries an attempt, including its read, while others write the same items; 503 after four retries. An attempt
 * sends nothing after `attemptSeconds`.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | 'conflict'>): Promise<T> {
  for (let retry = 0; retry <= maxRetries; retry++) {
    if (retry > 0) await pause(jitter(firstBackoffMilliseconds * 3 ** retry));
    const result = await runWithin(attemptSeconds * 1000, attempt);
    if (result !== 'conflict') return result;
  }
  throw new ServiceError('unavailable', { detail: 'The resource is being modified. Try again.' });
}

/** Refuses a change by a caller who expects another version (`If-Match`); undefined allows any. */
export function requireVersion(what: string, version: number, ifMatch: readonly number[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(version)) return;
  throw new ServiceError('version_mismatch', {
    detail: `The ${what} is at version ${version}. Re-read it and try again.`,
    members: { version },
  });
}

/**
 * Refuses to act on what the caller saw of an earlier user with the same id, whose items may by chance have had the same
 * versions; undefined allows any user.
 */
export function requireSeen({ createdAt, version }: SeenUser, seenAt: string | undefined): void {
  if (seenAt === undefined || createdAt <= seenAt) return;
  throw new ServiceError('version_mismatch', {
    detail: 'The user was erased and created again. Re-read it and try again.',
    members: { version },
  });
}

interface SeenUser {
  readonly createdAt: string;
  readonly version: number;
}

/** What is known of the previous change. */
export interface Predecessor {
  readonly updatedAt?: string | null;
  /** The id of the last Change of the item, or of its contents. */
  readonly lastChangeId?: string | null;
}

/**
 * Now, or a millisecond after the previous change: times and ids of Changes increase even when clocks differ. A time that the
 * service cannot have written is not continued.
 */
export function monotonicTimestamp(...before: readonly Predecessor[]): string {
  const earliest = before.flatMap(({ updatedAt, lastChangeId }) => [
    updatedAt ? Date.parse(updatedAt) + 1 : 0,
    lastChangeId ? timeOfUlid(lastChangeId) + 1 : 0,
  ]);
  return new Date(Math.max(now().getTime(), ...earliest.filter(isPossible))).toISOString();
}
