import { CliError } from '../cli/terminal/cli-error.ts';
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
  for (const path of connectionsOf(appId))
    if (await exists(() => manage.call('get-connection', { path }))) await manage.call('delete-connection', { path });
  for (const ask of isThere)
    if (await exists(ask)) throw new Error('the deletions are complete, but something is left');
}

/** The connections of a run have ids that follow from its application's. */
function connectionsOf(appId: string): readonly { readonly connectionId: string }[] {
  const id = appId.replace(/^smoke-/, '');
  const ofOptions = optionProbes.flatMap(({ connections }) => connections?.(id) ?? []);
  return [{ connectionId: appId }, ...ofOptions];
}

async function exists(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof CliError && error.problem?.status === 404) return false;
    throw error;
  }
}
