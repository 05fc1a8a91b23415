import { describe, expect, jest, test } from '@jest/globals';
import { log } from '#shared/core/telemetry.ts';
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
import { follow, poolForEachTest, sweep } from './pool-world.ts';

const world = poolForEachTest();
const inPool = (name: string) => world.pool.users.get(name);
const attributesOf = (name: string) => inPool(name)?.attributes ?? {};
const calls = (act: () => Promise<unknown>) => callsOf(world, act);
const taken = 'AliasExistsException: An account with the email already exists.';
const quarter = 16;

describe('an address that another account has', () => {
  test('is named, and follows within a quarter of an hour once it is free', async () => {
    await begin(world, 'ada', 'shared@example.com');
    await begin(world, 'mei', 'shared@example.com');
    expect(await accountOf('mei')).toMatchObject({ state: 'pending', error: taken });
    await sweep(1);
    expect(world.calls.filter((action) => action === 'AdminCreateUser')).toHaveLength(2);
    await setEmail('ada', 'ada@example.com');
    await follow(world);
    expect(inPool('mei')).toBeUndefined();
    await sweep(quarter);
    expect(await accountOf('mei')).toMatchObject({ state: 'invited', error: null });
  });

  test('follows when the account that had it is deleted', async () => {
    await begin(world, 'ada', 'shared@example.com');
    await begin(world, 'mei', 'shared@example.com');
    await eraseUser('ada');
    await follow(world);
    await sweep(quarter);
    expect(attributesOf('mei')).toMatchObject({ email: 'shared@example.com', email_verified: 'true' });
  });

  test('is exchanged by two users, who both give up their own first', async () => {
    await begin(world, 'ada');
    await begin(world, 'mei');
    await setEmail('ada', 'mei@example.com');
    await setEmail('mei', 'ada@example.com');
    await follow(world);
    await sweep(quarter);
    expect(attributesOf('ada')).toMatchObject({ email: 'mei@example.com', email_verified: 'true' });
    expect(attributesOf('mei')).toMatchObject({ email: 'ada@example.com', email_verified: 'true' });
    expect(await accountOf('ada')).toMatchObject({ error: null });
  });
});

describe('what Cognito refuses for good', () => {
  test('is named without the value, in the account alone, and not tried again', async () => {
    const message = "1 validation error detected: Value 'secret@' at 'email' failed to satisfy constraint";
    world.fault = (action) =>
      action === 'AdminCreateUser' ? { code: 'InvalidParameterException', message } : undefined;
    const lines: unknown[] = [];
    for (const level of ['info', 'warn', 'error'] as const) {
      jest.spyOn(log, level).mockImplementation((...line) => void lines.push(line));
    }
    await begin(world);
    await sweep(quarter);
    jest.restoreAllMocks();
    const error =
      "InvalidParameterException: 1 validation error detected: Value at 'email' failed to satisfy constraint";
    expect(await accountOf('ada')).toMatchObject({ state: 'pending', error });
    expect(world.calls.filter((action) => action === 'AdminCreateUser')).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain('InvalidParameterException');
    expect(JSON.stringify(lines)).not.toMatch(/ada@|secret@|Name of/);
  });

  test.each(['ada@example.com', 'auth0|123', "!$&'()*+,;=:|~", 'a'.repeat(128)])(
    'is not the id %s, of which the account has an own form',
    async (id) => {
      await begin(world, id, 'person@example.com');
      const name = id.replaceAll('@', '#');
      expect(attributesOf(name)['custom:user_id']).toBe(id);
      expect(await accountOf(id)).toMatchObject({ error: null });
      expect(await calls(() => deleteAccountOf(id))).toEqual(['AdminGetUser', 'AdminDeleteUser']);
    },
  );
});

describe('an invitation', () => {
  test('is not sent to whoever is inactive or has no address, but as soon as both are right', async () => {
    await create('ada', null);
    await setStatus('ada', 'inactive');
    expect(await calls(() => invite('ada'))).toEqual(['AdminGetUser']);
    expect(await calls(() => setEmail('ada', 'ada@example.com'))).toEqual(['AdminGetUser']);
    expect(await calls(() => setStatus('ada', 'active'))).toEqual(['AdminGetUser', 'AdminCreateUser']);
  });

  test('is sent again on demand, and to another address, so that the first one ends', async () => {
    await create('ada');
    await invite('ada');
    await follow(world);
    jest.advanceTimersByTime(1000);
    const resent = ['AdminGetUser', 'AdminCreateUser'];
    expect(await calls(() => invite('ada'))).toEqual(resent);
    const moved = ['AdminGetUser', 'AdminUpdateUserAttributes', 'AdminCreateUser'];
    expect(await calls(() => setEmail('ada', 'ada@example.org'))).toEqual(moved);
    expect(attributesOf('ada')).toMatchObject({ email: 'ada@example.org', email_verified: 'true' });
  });

  test('to another address is not lost when the function ends before it', async () => {
    await create('ada');
    await invite('ada');
    await follow(world);
    let updates = 0;
    world.fault = (action) => (action === 'AdminUpdateUserAttributes' && ++updates === 1 ? 'after' : undefined);
    await expect(calls(() => setEmail('ada', 'ada@example.org'))).rejects.toThrow('could not be brought up to date');
    world.calls.length = 0;
    await sweep();
    expect(world.calls).toEqual(['AdminGetUser', 'AdminCreateUser']);
  });

  test('is not sent again with another change, but if it could not be delivered', async () => {
    await create('ada');
    await invite('ada');
    await follow(world);
    expect(await calls(() => signOut('ada'))).toEqual(['AdminGetUser', 'AdminUserGlobalSignOut']);
    jest.advanceTimersByTime(1000);
    world.fault = (action) => (action === 'AdminCreateUser' ? { code: 'CodeDeliveryFailureException' } : undefined);
    await calls(() => invite('ada'));
    world.fault = undefined;
    expect(await accountOf('ada')).toMatchObject({ error: expect.stringContaining('CodeDeliveryFailure') });
    jest.advanceTimersByTime(1000);
    const expected = ['AdminGetUser', 'AdminUserGlobalSignOut', 'AdminCreateUser'];
    expect(await calls(() => signOut('ada'))).toEqual(expected);
    expect(await accountOf('ada')).toMatchObject({ error: null });
  });

  test('is made up for after the user was inactive', async () => {
    await create('ada');
    await invite('ada');
    await follow(world);
    await setStatus('ada', 'inactive');
    jest.advanceTimersByTime(1000);
    await invite('ada');
    await follow(world);
    const expected = ['AdminGetUser', 'AdminEnableUser', 'AdminCreateUser'];
    expect(await calls(() => setStatus('ada', 'active'))).toEqual(expected);
  });

  test('is not sent to whoever has followed one', async () => {
    await begin(world);
    expect(await calls(() => invite('ada'))).toEqual(['AdminGetUser']);
  });

  test('is kept without an address, by which nobody logs in any more', async () => {
    await begin(world);
    await calls(() => setEmail('ada', null));
    expect(attributesOf('ada').email_verified).toBe('false');
    expect(inPool('ada')).toMatchObject({ Enabled: true, UserStatus: 'CONFIRMED' });
  });
});
