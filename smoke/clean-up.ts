import { exists } from './exists.ts';
import { optionProbes } from './registered-probes.ts';
import type { Trial } from './trial.ts';

/**
 * Deletes what is left of a run, and verifies that nothing is. Only what the service keeps of every deleted resource remains:
 * the history, the reserved id of the application, and the tombstone of the user.
 */
export async function cleanUp({ manage, appId, userId }: Pick<Trial, 'manage' | 'appId' | 'userId'>): Promise<void> {
  const [app, user] = [{ path: { appId } }, { path: { userId } }];
  const isThere = [() => manage.call('get-user', user), () => manage.call('get-application', app)] as const;
  if (await exists(isThere[0])) await manage.call('delete-user', user);
  if (await exists(isThere[1])) await manage.call('delete-application', { ...app, query: { force: true } });
  for (const { cleanUp: cleanUpOption } of optionProbes) await cleanUpOption?.(manage, appId);
  for (const ask of isThere)
    if (await exists(ask)) throw new Error('the deletions are complete, but something is left');
}
