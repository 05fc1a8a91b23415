import { exists } from '#smoke/exists.ts';
import type { Trial } from '#smoke/trial.ts';

/** Deletes a connection that a run of the smoke test may have left. */
export async function deleteLeftConnection(manage: Trial['manage'], connectionId: string): Promise<void> {
  const path = { connectionId };
  if (await exists(() => manage.call('get-connection', { path }))) await manage.call('delete-connection', { path });
}
