import { now, pause } from '#shared/core/clock.ts';
import { log } from '#shared/core/log.ts';
import { noteKeyUse as writeKeyUse } from '#shared/table/key-use.ts';
import type { RequestContext } from './request-context.ts';

const patienceMilliseconds = 100;
const capacity = 1000;
/** The days on which this process has noted a use, by key id. */
const noted = new Map<string, string>();

/**
 * Notes that a key was used today: one write per key, process and day. It is an extra for operators, so it can never
 * fail a request or hold it up beyond 100 ms.
 */
export async function noteKeyUse({ caller }: RequestContext): Promise<void> {
  if (caller.kind !== 'api-key') return;
  const { keyId, appId } = caller;
  const day = now().toISOString().slice(0, 10);
  if (noted.get(keyId) === day) return;
  if (noted.size >= capacity) noted.clear();
  noted.set(keyId, day);
  const writing = writeKeyUse(appId, keyId, day).catch((error: Error) => {
    log.warn('The use of a key was not noted', { keyId, error });
  });
  await Promise.race([writing, pause(patienceMilliseconds)]);
}
