import { beforeEach, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { deleteItem } from '#shared/table/client.ts';
import { newApplication } from '#test/support/new-application.ts';
import { describeRepair, repairPage } from '#test/support/repair-pages.ts';
import { operator } from '#test/support/start-service.ts';
import { setLogin } from '../../server/logins.ts';
import { begin, create, invite, setEmail, setStatus } from './account-steps.ts';
import { expectMirrored } from './expect-mirrored.ts';
import { follow, newRecords, passing, poolForEachTest, sweep } from './pool-world.ts';

const world = poolForEachTest();
const appId = 'billing' as AppId;
const login = { clientType: 'public', redirectUris: ['https://app.example.com/'], logoutUris: [] } as const;

beforeEach(async () => {
  await newApplication([], appId);
  await setLogin({ appId, ...login }, operator);
  await begin(world);
});

/** The findings of a whole repair that concern the login. */
async function findings(dryRun = false): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await passing(repairPage({ limit: 100, cursor }, { ...operator, dryRun }));
    const own = page.findings.filter(({ kind }) => kind.startsWith('login-'));
    found.push(...own.map(({ kind, userId, appId: of, repaired }) => `${kind} ${userId ?? of} ${repaired}`));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return [...new Set(found)];
}
const account = () => world.pool.users.get('ada');
const client = () => [...world.pool.clients.values()][0];
const tasks = () => [...world.memory.table.items()].filter(({ pk }) => pk === 'LOGINS');
const removed = (prefix: string) =>
  Promise.all(
    [...world.memory.table.items()]
      .filter(({ pk }) => `${pk}`.startsWith(prefix))
      .map(({ pk, sk }) => deleteItem({ pk: `${pk}`, sk: `${sk}` })),
  );

describeRepair('the repair of the table', () => {
  test('finds nothing where the pool has what the table says, with one request for each account and client', async () => {
    await create('mei');
    world.calls.length = 0;
    expect(await findings()).toEqual([]);
    expect(world.calls).toEqual(['DescribeUserPoolClient', 'AdminGetUser']);
  });

  test.each([
    ['is disabled', () => Object.assign(account() ?? {}, { Enabled: false })],
    ['has another address', () => Object.assign(account()?.attributes ?? {}, { email: 'eve@example.com' })],
    ['has another name', () => Object.assign(account()?.attributes ?? {}, { name: 'Eve' })],
    ['is not there', () => world.pool.users.clear()],
    ['is not known', () => removed('LOGIN#USER')],
    ['is of an erased user', () => Object.assign(account()?.attributes ?? {}, { 'custom:user_created_at': 'before' })],
  ])('brings back in step an account that %s, once', async (_, change) => {
    await change();
    expect(await findings(true)).toEqual(['login-account ada true']);
    expect(tasks()).toEqual([]);
    expect(await findings()).toEqual(['login-account ada true']);
    expect(await findings()).toEqual([]);
    await sweep();
    expectMirrored(world);
    expect(await findings()).toEqual([]);
  });

  test('deletes the account of a user who was erased, also if the table no longer knows of it', async () => {
    const { eraseUser } = await import('#test/support/manage-outcomes/prepare.ts');
    await eraseUser('ada');
    newRecords(world);
    await removed('LOGIN#USER');
    expect(await findings()).toEqual(['login-account ada true']);
    await sweep();
    expect(world.pool.users.size).toBe(0);
    expect(await findings()).toEqual([]);
  });

  test('finds a change that nobody was told of', async () => {
    await setStatus('ada', 'inactive');
    newRecords(world);
    expect(await findings()).toEqual(['login-account ada true']);
    await sweep();
    expect(account()?.Enabled).toBe(false);
    expect(world.signedOut).toEqual(['ada']);
  });

  test('leaves to the account what Cognito refused, and to the function what it is about to do', async () => {
    world.fault = (action) => (action === 'AdminCreateUser' ? { code: 'InvalidParameterException' } : undefined);
    await begin(world, 'mei');
    await create('zoe');
    await invite('zoe');
    await follow(world).catch(() => undefined);
    expect(await findings()).toEqual([]);
  });

  test.each([
    [
      'has other addresses',
      () => Object.assign(client()?.settings ?? {}, { CallbackURLs: ['https://evil.example.com/'] }),
    ],
    ['has other settings', () => Object.assign(client()?.settings ?? {}, { AccessTokenValidity: 60 })],
    ['is not there', () => world.pool.clients.clear()],
    ['is not known', () => removed('LOGIN#')],
    ['has an application that is not known', () => removed('LOGIN#CLIENT#')],
  ])('brings back in step a client that %s, once', async (_, change) => {
    await removed('LOGIN#USER');
    world.pool.users.clear();
    await sweep();
    await change();
    expect(await findings()).toContain('login-client billing true');
    expect(await findings()).toEqual([]);
    await sweep();
    expectMirrored(world);
    expect(await findings()).toEqual([]);
  });

  test('names the accounts that it could not compare, and goes on', async () => {
    world.fault = () => 'before';
    expect(await findings()).toEqual(['login-account ada false']);
    world.fault = () => ({ code: 'TooManyRequestsException' });
    expect(await findings()).toEqual(['login-account ada false']);
  });

  test('compares nothing in a deployment without a login', async () => {
    await setEmail('ada', 'ada@example.org');
    const pool = process.env.LOGIN_POOL_ID;
    delete process.env.LOGIN_POOL_ID;
    world.calls.length = 0;
    expect(await findings()).toEqual([]);
    expect(world.calls).toEqual([]);
    process.env.LOGIN_POOL_ID = pool;
    jest.restoreAllMocks();
  });
});
