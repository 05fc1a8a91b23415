import { describe, expect, jest, test } from '@jest/globals';
import { begin, callsOf, create, invite, setEmail, setStatus } from './account-steps.ts';
import { deliver, follow, invoke, newRecords, poolForEachTest, sweep } from './pool-world.ts';

const world = poolForEachTest();
const inPool = (name: string) => world.pool.users.get(name);
const tasks = () => [...world.memory.table.items()].filter(({ pk }) => pk === 'LOGINS');
const failing = 'could not be brought up to date';

describe('a change', () => {
  test('whose invocation is lost, or never accepted, follows with the schedule', async () => {
    await begin(world);
    await setStatus('ada', 'inactive');
    world.isLambdaDown = true;
    await deliver(world);
    expect(tasks()).toMatchObject([{ userId: 'ada' }]);
    await sweep(0);
    expect(inPool('ada')?.Enabled).toBe(true);
    await sweep(1);
    expect(inPool('ada')?.Enabled).toBe(false);
    expect(tasks()).toEqual([]);
  });

  test('is read again from the stream if it cannot be noted', async () => {
    await begin(world);
    await setStatus('ada', 'inactive');
    const records = newRecords(world);
    world.memory.before = ({ input }) => {
      if (JSON.stringify(input).includes('LOGINS'))
        throw Object.assign(new Error('injected'), { name: 'AccessDenied' });
    };
    expect(await deliver(world, records)).toBe(records[0]?.dynamodb?.SequenceNumber);
    expect(world.invocations).toEqual([]);
    world.memory.before = undefined;
    expect(await deliver(world, records)).toBeUndefined();
    for (const changes of world.invocations.splice(0)) await invoke(changes);
    expect(inPool('ada')?.Enabled).toBe(false);
  });

  test.each([
    ['AdminDisableUser', 'before'],
    ['AdminDisableUser', 'after'],
    ['AdminUserGlobalSignOut', 'before'],
  ] as const)('whose call %s is lost %s it took effect is completed', async (failed, when) => {
    await begin(world);
    world.fault = (action) => (action === failed ? when : undefined);
    await expect(callsOf(world, () => setStatus('ada', 'inactive'))).rejects.toThrow(failing);
    world.fault = undefined;
    await sweep();
    expect(inPool('ada')?.Enabled).toBe(false);
    expect(world.signedOut).toEqual(['ada']);
    expect(tasks()).toEqual([]);
  });

  test('that comes while the function works on the one before is not lost, whatever becomes of its own invocation', async () => {
    await begin(world);
    await setStatus('ada', 'inactive');
    await deliver(world);
    const [changes] = world.invocations.splice(0);
    world.afterCall = async (action) => {
      if (action !== 'AdminUserGlobalSignOut') return;
      world.afterCall = undefined;
      await setStatus('ada', 'active');
      await deliver(world);
      for (const later of world.invocations.splice(0)) await invoke(later);
    };
    await invoke(changes);
    expect(inPool('ada')?.Enabled).toBe(true);
    expect(tasks()).toEqual([]);
  });

  test('that comes meanwhile sends no invitation twice', async () => {
    await create('ada');
    await invite('ada');
    await follow(world);
    jest.advanceTimersByTime(1000);
    world.afterCall = async (action) => {
      if (action !== 'AdminCreateUser') return;
      world.afterCall = undefined;
      await setStatus('ada', 'inactive');
      await setStatus('ada', 'active');
      await deliver(world);
    };
    const calls = await callsOf(world, () => invite('ada'));
    expect(calls.filter((action) => action === 'AdminCreateUser')).toHaveLength(1);
    expect(calls).toContain('AdminUserGlobalSignOut');
  });

  test('that was made costs one request of the table when its invocation is repeated', async () => {
    await begin(world);
    await setStatus('ada', 'inactive');
    await deliver(world);
    const [changes] = world.invocations.splice(0);
    await invoke(changes);
    world.memory.sdk.requests.length = 0;
    await invoke(changes);
    expect(world.memory.sdk.requests.map(({ command }) => command)).toEqual(['UpdateItemCommand']);
  });

  test('for which there is no time is left to the schedule, which is no failure', async () => {
    await begin(world);
    await setStatus('ada', 'inactive');
    await deliver(world);
    world.calls.length = 0;
    await invoke(world.invocations.splice(0)[0], 10_000);
    expect(world.calls).toEqual([]);
    await sweep();
    expect(inPool('ada')?.Enabled).toBe(false);
  });

  test('is made by one function at a time, and by another one if that does not end', async () => {
    await begin(world);
    await setStatus('ada', 'inactive');
    await deliver(world);
    const [changes] = world.invocations.splice(0);
    world.calls.length = 0;
    const stuck = Promise.withResolvers<undefined>();
    world.afterCall = (action) => (action === 'AdminGetUser' ? stuck.promise : undefined);
    const first = invoke(changes);
    while (world.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    world.afterCall = undefined;
    await invoke(changes);
    expect(world.calls).toEqual(['AdminGetUser']);
    await sweep(3);
    expect(inPool('ada')?.Enabled).toBe(false);
    await setStatus('ada', 'active');
    await follow(world);
    stuck.resolve(undefined);
    await first.catch(() => undefined);
    expect(inPool('ada')?.Enabled).toBe(true);
  });
});

describe('the limits of Cognito', () => {
  test('are waited for', async () => {
    await begin(world);
    let refused = 0;
    world.fault = () => (++refused <= 6 ? { code: 'TooManyRequestsException' } : undefined);
    await callsOf(world, () => setStatus('ada', 'inactive'));
    expect(inPool('ada')?.Enabled).toBe(false);
    expect(world.calls).toHaveLength(9);
  });

  test('for longer than the function has time leave the change to the schedule', async () => {
    await begin(world);
    world.fault = () => ({ code: 'TooManyRequestsException' });
    await setStatus('ada', 'inactive');
    await deliver(world);
    const began = Date.now();
    await expect(invoke(world.invocations.splice(0)[0])).rejects.toThrow();
    expect(Date.now() - began).toBeLessThan(120_000);
    world.fault = undefined;
    await sweep();
    expect(inPool('ada')?.Enabled).toBe(false);
  });

  test('are not reached by many changes at once', async () => {
    const users = Array.from({ length: 40 }, (_, n) => `user${n}`);
    for (const id of users) await create(id);
    for (const id of users) await invite(id);
    await deliver(world);
    const sent: number[] = [];
    world.fault = (action) => {
      if (action === 'AdminCreateUser') sent.push(Date.now());
      return undefined;
    };
    await invoke(world.invocations.splice(0)[0]);
    expect(world.pool.users.size).toBe(users.length);
    const inOneSecond = sent.map((at) => sent.filter((other) => other >= at && other < at + 1000).length);
    expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(11);
  });
});

test('one that fails holds up no other, and the function says so', async () => {
  await begin(world, 'ada');
  await begin(world, 'mei');
  world.fault = (action, { Username }) => (action === 'AdminGetUser' && Username === 'ada' ? 'before' : undefined);
  await setEmail('ada', 'ada@example.org');
  await setEmail('mei', 'mei@example.org');
  await expect(follow(world)).rejects.toThrow(`1 ${failing}`);
  expect(inPool('mei')?.attributes.email).toBe('mei@example.org');
  expect(tasks()).toMatchObject([{ userId: 'ada' }]);
});
