import { pause } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { jitter } from '#shared/core/ids.ts';

const maxRetries = 4;
const firstBackoffMilliseconds = 20;

/** Runs an attempt again, from its read on, while somebody else moves the same items; after four times anew 503. */
export async function retryWhileMoving<T>(attempt: () => Promise<T | 'moved'>): Promise<T> {
  for (let retry = 0; retry <= maxRetries; retry++) {
    if (retry > 0) await pause(jitter(firstBackoffMilliseconds * 3 ** retry));
    const result = await attempt();
    if (result !== 'moved') return result;
  }
  throw new ServiceError('unavailable', { detail: 'Others are changing the same user right now. Try again.' });
}
