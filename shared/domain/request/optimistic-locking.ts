import { jitter, pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';

const maxRetries = 4;
const firstBackoffMilliseconds = 20;

/** Runs an attempt again, from its read on, while others write the same items; after four retries 503. */
export async function retryOnConflict<T>(attempt: () => Promise<T | 'conflict'>): Promise<T> {
  for (let retry = 0; retry <= maxRetries; retry++) {
    if (retry > 0) await pause(jitter(firstBackoffMilliseconds * 3 ** retry));
    const result = await attempt();
    if (result !== 'conflict') return result;
  }
  throw new ServiceError('unavailable', { detail: 'Others are changing the same user right now. Try again.' });
}

/** Refuses a change by a caller who has seen another version (`If-Match`); undefined is any. */
export function requireVersion(what: string, version: number, ifMatch: readonly number[] | undefined): void {
  if (ifMatch === undefined || ifMatch.includes(version)) return;
  throw new ServiceError('version_mismatch', {
    detail: `The ${what} is at version ${version}. Read it again and decide anew.`,
    members: { version },
  });
}

/** Now, or a millisecond after the last change: the times of an item rise with its versions, also when clocks differ. */
export function monotonicTimestamp(at: Date, updatedAt: string | null): string {
  const earliest = updatedAt === null ? 0 : Date.parse(updatedAt) + 1;
  return new Date(Math.max(at.getTime(), earliest)).toISOString();
}
