import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { listUserChanges } from '#shared/domain/history/list-history.ts';
import { createUser, getUser } from '#shared/domain/user/users.ts';
import { eraseUser, setInactive } from '#test/support/manage-outcomes/prepare.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { deleteAccount, getAccount, inviteUser, signOutUser } from '../../server/accounts.ts';

const memory = tableForEachTest();
const userId = 'ada' as UserId;
const missing = 'This deployment has no login: see its setting login.';
const none = {
  userId,
  state: 'none',
  invitedAt: null,
  signedOutAt: null,
  mfa: [],
  provider: null,
  issuer: null,
  error: null,
};
const time = '2026-11-20T19:00:00.000Z';
const later = '2026-11-20T19:01:00.000Z';

beforeEach(async () => void (await createUser({ userId, displayName: 'Ada', email: 'ada@example.com' }, operator)));

const lastChange = async () => (await listUserChanges({ userId, limit: 1 })).items[0];

describe('the account of a user', () => {
  test('is there from the invitation on, with its Change, in the version of the user', async () => {
    expect(await getAccount({ userId })).toEqual(none);
    const invited = { ...none, state: 'pending', invitedAt: time, error: missing };
    expect(await inviteUser({ userId }, operator)).toEqual({ ...invited, changed: true });
    expect(await getAccount({ userId })).toEqual(invited);
    expect(await lastChange()).toMatchObject({
      action: 'user.invited',
      before: { invitedAt: null, signedOutAt: null, version: 1 },
      after: { invitedAt: time, signedOutAt: null, version: 2 },
    });
    expect(await getUser({ userId })).toMatchObject({ version: 2, displayName: 'Ada' });
  });

  test('is invited again, and signed out, with a Change for each', async () => {
    await inviteUser({ userId }, operator);
    jest.setSystemTime(Date.parse(later));
    expect(await inviteUser({ userId }, operator)).toMatchObject({ invitedAt: later, changed: true });
    expect(await signOutUser({ userId }, operator)).toMatchObject({
      invitedAt: later,
      signedOutAt: later,
      changed: true,
    });
    expect(await lastChange()).toMatchObject({ action: 'user.signed.out', after: { signedOutAt: later, version: 4 } });
  });

  test('is invited once at one time', async () => {
    await inviteUser({ userId }, operator);
    expect(await inviteUser({ userId }, operator)).toMatchObject({ invitedAt: time, changed: false });
    expect(await getUser({ userId })).toMatchObject({ version: 2 });
  });

  test('that does not exist is neither signed out nor deleted', async () => {
    expect(await signOutUser({ userId }, operator)).toEqual({ ...none, changed: false });
    expect(await deleteAccount({ userId }, operator)).toEqual({ changed: false, complete: true });
    expect(await lastChange()).toMatchObject({ action: 'user.created' });
  });

  test('is deleted without the user', async () => {
    await inviteUser({ userId }, operator);
    expect(await deleteAccount({ userId }, operator)).toEqual({ changed: true, complete: true });
    expect(await getAccount({ userId })).toEqual(none);
    expect(await lastChange()).toMatchObject({
      action: 'user.account.deleted',
      before: { invitedAt: time, version: 2 },
      after: { invitedAt: null, version: 3 },
    });
  });

  test('is disabled while the user is inactive, and erased with the user', async () => {
    await inviteUser({ userId }, operator);
    await setInactive(userId);
    expect(await getAccount({ userId })).toMatchObject({ state: 'disabled' });
    await eraseUser(userId);
    expect([...memory.table.items()].filter(({ account }) => account !== undefined)).toEqual([]);
  });

  test('of a user without an e-mail address says what is missing', async () => {
    process.env.LOGIN_POOL_ID = 'pool';
    try {
      await createUser({ userId: 'mei' as UserId, displayName: 'Mei', email: null }, operator);
      const detail = 'The user has no e-mail address to which an invitation can be sent.';
      expect(await inviteUser({ userId: 'mei' as UserId }, operator)).toMatchObject({
        state: 'pending',
        error: detail,
      });
    } finally {
      delete process.env.LOGIN_POOL_ID;
    }
  });
});
