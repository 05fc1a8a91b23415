import { describe, expect, jest, test } from '@jest/globals';
import { eraseUser } from '#test/support/manage-outcomes/prepare.ts';
import {
  accountOf,
  begin,
  callsOf,
  create,
  deleteAccountOf,
  invite,
  setEmail,
  setStatus,
  signOut,
} from './account-steps.ts';
import { follow, followAgain, poolForEachTest, sweep } from './pool-world.ts';

const world = poolForEachTest();
const inPool = (name: string) => world.pool.users.get(name);
const attributesOf = (name: string) => inPool(name)?.attributes ?? {};
const calls = (act: () => Promise<unknown>) => callsOf(world, act);

describe('the account of a user', () => {
  test('is created with the invitation, the address and the id', async () => {
    await create('ada');
    expect(await calls(() => invite('ada'))).toEqual(['AdminGetUser', 'AdminCreateUser']);
    expect(inPool('ada')).toMatchObject({ Enabled: true, UserStatus: 'FORCE_CHANGE_PASSWORD' });
    expect(attributesOf('ada')).toEqual({
      email: 'ada@example.com',
      email_verified: 'true',
      name: 'Name of ada',
      'custom:user_id': 'ada',
      'custom:user_created_at': '2026-11-20T19:00:00.000Z',
    });
    expect(await accountOf('ada')).toMatchObject({ state: 'invited', error: null });
  });

  test('follows a status in at most three requests, and ends all sessions of the inactive', async () => {
    await begin(world);
    const expected = ['AdminGetUser', 'AdminDisableUser', 'AdminUserGlobalSignOut'];
    expect(await calls(() => setStatus('ada', 'inactive'))).toEqual(expected);
    expect(inPool('ada')?.Enabled).toBe(false);
    expect(await calls(() => setStatus('ada', 'active'))).toEqual(['AdminGetUser', 'AdminEnableUser']);
    expect(inPool('ada')?.Enabled).toBe(true);
  });

  test('takes no request for whoever has none, nor two for a change that is delivered twice', async () => {
    await create('ada');
    expect(await calls(() => setStatus('ada', 'inactive'))).toEqual([]);
    await begin(world, 'mei');
    expect(await calls(() => setEmail('mei', 'mei@example.org'))).toEqual([
      'AdminGetUser',
      'AdminUpdateUserAttributes',
    ]);
    world.calls.length = 0;
    await sweep();
    expect(world.calls).toEqual([]);
  });

  test('loses its sessions also if the user was inactive only for a moment', async () => {
    await begin(world);
    await calls(async () => {
      await setStatus('ada', 'inactive');
      await setStatus('ada', 'active');
    });
    expect(world.signedOut).toEqual(['ada']);
    expect(inPool('ada')?.Enabled).toBe(true);
  });

  test('is signed out once for each order to do so', async () => {
    await begin(world);
    expect(await calls(() => signOut('ada'))).toEqual(['AdminGetUser', 'AdminUserGlobalSignOut']);
    expect(await calls(() => setEmail('ada', 'ada@example.org'))).not.toContain('AdminUserGlobalSignOut');
  });

  test('is deleted with the user, or without, and not looked at again', async () => {
    await begin(world, 'ada');
    await begin(world, 'mei');
    const expected = ['AdminGetUser', 'AdminDeleteUser'];
    expect(await calls(() => deleteAccountOf('ada'))).toEqual(expected);
    expect(await calls(() => eraseUser('mei'))).toEqual(expected);
    expect(world.pool.users.size).toBe(0);
    expect(await calls(() => setStatus('ada', 'inactive'))).toEqual([]);
    expect([...world.memory.table.items()].filter(({ pk }) => /^LOGIN/.test(`${pk}`))).toEqual([]);
  });
});

describe('another account under the same name', () => {
  test('is made for a user whose id was that of an erased one, before anybody was told of the erasure', async () => {
    await begin(world);
    const { sub } = inPool('ada') ?? {};
    await eraseUser('ada');
    jest.advanceTimersByTime(1000);
    await create('ada');
    expect(await calls(() => invite('ada'))).toEqual(['AdminGetUser', 'AdminDeleteUser', 'AdminCreateUser']);
    expect(inPool('ada')?.sub).not.toBe(sub);
    expect(inPool('ada')?.UserStatus).toBe('FORCE_CHANGE_PASSWORD');
  });

  test('is made if the account was deleted and the user invited again at once, and kept when that is delivered again', async () => {
    await begin(world);
    const { sub } = inPool('ada') ?? {};
    await deleteAccountOf('ada');
    jest.advanceTimersByTime(10);
    await invite('ada');
    await follow(world);
    const made = inPool('ada')?.sub;
    expect(made).not.toBe(sub);
    await followAgain(world);
    expect(inPool('ada')?.sub).toBe(made);
  });

  test('is also made if the function had ended before it recorded the first one', async () => {
    await create('ada');
    await invite('ada');
    world.fault = (action) => (action === 'AdminCreateUser' ? 'after' : undefined);
    await follow(world).catch(() => undefined);
    world.fault = undefined;
    const { sub } = inPool('ada') ?? {};
    jest.advanceTimersByTime(1000);
    await deleteAccountOf('ada');
    await invite('ada');
    await follow(world);
    expect(sub).toBeDefined();
    expect(inPool('ada')?.sub).not.toBe(sub);
  });

  test('of a user whose id differs only in case is left alone, and named', async () => {
    await begin(world, 'ada');
    world.ignoresCase = true;
    await begin(world, 'ADA', 'other@example.com');
    const error = 'UsernameExistsException: Another user has an account of this name, in other letters.';
    expect(await accountOf('ADA')).toMatchObject({ state: 'pending', error });
    expect(attributesOf('ada')).toMatchObject({ 'custom:user_id': 'ada', email: 'ada@example.com' });
    await eraseUser('ADA');
    await follow(world);
    expect(inPool('ada')).toBeDefined();
  });
});
