import type { ApiKey, Clients } from './clients.ts';
import { Follower } from './feeds.ts';
import { type World, wait } from './virtual-time.ts';

const day = 86_400_000;

/**
 * An application that waits for an action that happens only after three months, while other changes are made and expire.
 * Returns what went wrong.
 */
export async function followForMonths(world: World, clients: Clients, suffix: string): Promise<string[]> {
  const [appId, userId] = [`rare-${suffix}`, `rare-${suffix}`];
  await clients.call('create-application', { appId, name: appId });
  await clients.call('create-user', { userId, displayName: null, email: null });
  const scopes: ApiKey['scopes'] = ['access:read'];
  const { outcome } = await clients.call('issue-key', { appId, scopes, expiresAt: null });
  if (outcome?.kind !== 'done') throw new Error(`No key was issued: ${JSON.stringify(outcome)}`);
  const key = { appId, keyId: String(outcome.body.keyId), scopes };
  const follower = new Follower(world, clients, key, { actions: ['role.defined'] });
  for (let pass = 1; pass <= 9; pass++) {
    await clients.call('update-application', { appId, name: `${appId} ${pass}` });
    // The cursor also has a position in the feed of users, which expires if nothing happens there for as long as it is kept.
    await clients.call('set-user-status', { userId, status: pass % 2 === 0 ? 'active' : 'inactive', reason: null });
    await follower.finish();
    await wait(10 * day);
  }
  await clients.call('define-role', { appId, role: 'late', description: null });
  await follower.finish();
  const seen = new Set(follower.answers.flat().map(({ action }) => action));
  return [
    ...(follower.refusal === undefined ? [] : [`the cursor was refused after months: ${follower.refusal}`]),
    ...(seen.has('role.defined') && seen.size === 1 ? [] : [`after months it had: ${[...seen].join(', ')}`]),
  ];
}
