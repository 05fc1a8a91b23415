import { expect, test } from '@jest/globals';
import { World } from '#test/simulation/virtual-time.ts';
import { SimulatedPool } from './simulated-pool.ts';

// Otherwise sessions that ended 300 ms after the order would seem to have ended before it.
test('the pool dates what it does by the time of the run, however coarse the clocks of its processes are', () => {
  const world = new World(1);
  world.clockStepMilliseconds = 1000;
  const simulated = new SimulatedPool(world, '');
  const call = (action: string, input: object) =>
    simulated.perform({
      host: '',
      path: '/',
      headers: { 'x-amz-target': `AWSCognitoIdentityProviderService.${action}` },
      body: JSON.stringify({ UserPoolId: 'simulated', Username: 'ada', ...input }),
    });
  const createdAt = world.time + 339;
  world.time = createdAt;
  call('AdminCreateUser', { MessageAction: 'SUPPRESS' });
  const endedAt = createdAt + 300;
  world.time = endedAt;
  call('AdminUserGlobalSignOut', {});
  const [{ sub = '' } = {}] = simulated.pool.users.values();
  expect([simulated.createdAt(sub), simulated.signOuts]).toEqual([createdAt, [{ sub, at: endedAt }]]);
});
