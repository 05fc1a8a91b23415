import { describe, expect, test } from '@jest/globals';
import { deleteConnection } from '#options/connections/server/delete-connection.ts';
import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, getUser, setUserStatus, updateUser } from '#shared/domain/user/users.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { operator } from '#test/support/start-service.ts';
import type { DirectoryUserState } from '../../scim/directory.ts';
import { changeDirectoryUser, readDirectoryUser, removeDirectoryUser } from '../../server/change-directory-user.ts';
import { findDirectoryUsers } from '../../server/find-directory-users.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { accountKey } from '../../table/directory-item-keys.ts';
import { aDirectoryUser, newDirectory } from '../support/new-directory.ts';
import { ada, codeOf, directoryUsersForEachTest } from '../support/users-of-directories.ts';

const { memory, entries, keysOfDirectory, statusOf, userHistory, change, expectProven } = directoryUsersForEachTest();

describe('a change', () => {
  test('of the status, of the fields or of both is one transaction with a Change for each', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    memory.sdk.requests.length = 0;
    await change(context, ada, { active: false, attributes: { displayName: 'Ada King' } });
    expect(memory.sdk.requests.map(({ command }) => command)).toEqual([
      'BatchGetItemCommand',
      'TransactWriteItemsCommand',
    ]);
    expect(await getUser({ userId: ada })).toMatchObject({ status: 'inactive', displayName: 'Ada King', email: null });
    expect((await userHistory()).slice(1)).toEqual(['user.updated connection', 'user.status.changed connection']);
    await expectProven();
  });

  test('of what only the directory knows changes nothing of the user, and has another version', async () => {
    const context = await newDirectory();
    const { user } = await provisionUser(aDirectoryUser('ada'), context);
    const changed = await change(context, ada, { attributes: { ...user.attributes, title: 'Countess' } });
    expect([changed.version, changed.attributes.title]).toEqual([2, 'Countess']);
    expect(await userHistory()).toEqual(['user.created connection']);
    const same = await change(context, ada, {});
    expect(same.version).toBe(2);
  });

  test('of the name moves the user to it, with three requests', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    const { user } = await provisionUser(aDirectoryUser('ada'), context);
    memory.sdk.requests.length = 0;
    await change(context, user.id, { userName: 'countess' });
    expect(memory.sdk.requests).toHaveLength(3);
    const page = { startIndex: 1, count: 10 };
    expect(await findDirectoryUsers({ userName: 'COUNTESS', ...page }, context)).toMatchObject({ total: 1 });
    expect(await findDirectoryUsers({ userName: 'ada', ...page }, context)).toMatchObject({ total: 0 });
    expect((await provisionUser(aDirectoryUser('ada', { externalId: 'new' }), context)).created).toBe(true);
  });

  test('is refused for another version, and repeated after a conflict', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    const stale = changeDirectoryUser({ id: ada, ifMatch: [7] }, (current) => current, context);
    expect(await codeOf(stale)).toBe('version_mismatch');
    memory.beforeFirst('TransactWriteItems', () => updateUser({ userId: ada, email: 'other@example.com' }, operator));
    await change(context, ada, { active: false });
    expect(await getUser({ userId: ada })).toMatchObject({ status: 'inactive', email: 'other@example.com' });
    await expectProven();
  });

  test('of what only the directory knows is not lost to another one at the same time', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada', { attributes: {} }), context);
    const set = (name: string) =>
      changeDirectoryUser(
        { id: ada },
        (current) => ({ ...current, attributes: { ...current.attributes, [name]: 'x' } }),
        context,
      );
    memory.beforeFirst('TransactWriteItems', () => set('title'));
    await set('nickName');
    expect((await readDirectoryUser({ id: ada }, context)).attributes).toEqual({ title: 'x', nickName: 'x' });
  });

  test('that deactivates keeps the login name of an object that the directory renamed for its deletion', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    const { user } = await provisionUser(aDirectoryUser('ada@example.com'), context);
    const userName = `${'0123456789abcdef'.repeat(2)}ada@example.com`;
    expect(await change(context, user.id, { active: false, userName })).toMatchObject({
      active: false,
      userName: 'ada@example.com',
    });
    expect((await change(context, user.id, { active: true, userName })).userName).toBe(userName);
  });

  test('of the external id to none does not ask who has the external id null', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('bob', { externalId: 'null' }), context);
    await provisionUser(aDirectoryUser('ada'), context);
    expect((await change(context, ada, { externalId: null })).externalId).toBeNull();
  });

  test('of one whom an operator has changed since keeps what the directory did not change', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    await updateUser({ userId: ada, displayName: 'Chosen' }, operator);
    await setUserStatus({ userId: ada, status: 'inactive' }, operator);
    await change(context, ada, { attributes: { displayName: 'Name of ada', title: 'Countess' } });
    expect(await getUser({ userId: ada })).toMatchObject({ displayName: 'Chosen', status: 'inactive' });
    await change(context, ada, { active: false });
    await change(context, ada, { active: true });
    expect(await statusOf(ada)).toBe('active');
    await expectProven();
  });

  const emails = (count: number) => ({ emails: Array.from({ length: count }, (_, n) => ({ value: `${n}@x.io` })) });
  /** As JSON. */
  const bytes = (count: number) => ({ title: 'x'.repeat(count - '{"title":""}'.length) });

  test.each<[string, Partial<DirectoryUserState>, string]>([
    ['a userName that is empty', { userName: ' ' }, 'userName is required'],
    ['a userName of 257 characters', { userName: 'x'.repeat(257) }, 'userName must have at most 256 characters'],
    ['an empty external id', { externalId: '' }, 'externalId must have 1 to 256 characters'],
    ['one of 257 characters', { externalId: 'x'.repeat(257) }, 'externalId must have 1 to 256 characters'],
    [
      'more than 8 KB of attributes',
      { attributes: bytes(8193) },
      'The attributes of the user have more than 8 KB as JSON.',
    ],
    ['21 e-mail addresses', { attributes: emails(21) }, 'emails must have at most 20'],
  ])('refuses %s, as a creation does, and changes nothing', async (_, next, detail) => {
    const context = await newDirectory();
    const { user } = await provisionUser(aDirectoryUser('ada'), context);
    const refused = { code: 'invalid_request', options: { detail } };
    await expect(change(context, ada, { active: false, ...next })).rejects.toMatchObject(refused);
    expect(await readDirectoryUser({ id: ada }, context)).toEqual(user);
    await expect(provisionUser(aDirectoryUser('bob', next), context)).rejects.toMatchObject(refused);
    expect(await codeOf(getUser({ userId: 'bob' as UserId }))).toBe('user_not_found');
  });

  test('accepts the most that is allowed', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    const most = { userName: 'x'.repeat(256), externalId: 'y'.repeat(256), attributes: emails(20) };
    expect(await change(context, ada, most)).toMatchObject(most);
    expect((await change(context, ada, { attributes: bytes(8192) })).attributes).toEqual(bytes(8192));
  });
});

describe('a leaver', () => {
  test('is deactivated, gone for the directory, and comes back with the same id when sent again', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    const { user } = await provisionUser(aDirectoryUser('ada'), context);
    await removeDirectoryUser({ id: user.id }, context);
    expect(await statusOf(user.id)).toBe('inactive');
    expect(await codeOf(readDirectoryUser({ id: user.id }, context))).toBe('user_not_found');
    expect(await codeOf(change(context, user.id, { active: true }))).toBe('user_not_found');
    expect(await codeOf(removeDirectoryUser({ id: user.id }, context))).toBe('user_not_found');
    for (const conditions of [{}, { id: user.id }, { externalId: 'external-ada' }, { userName: 'ada' }]) {
      const found = findDirectoryUsers({ ...conditions, startIndex: 1, count: 10 }, context);
      expect(await found).toEqual({ total: 0, users: [] });
    }
    const back = await provisionUser(aDirectoryUser('ada.king', { externalId: 'external-ada' }), context);
    expect(back).toMatchObject({ created: false, user: { id: user.id, userName: 'ada.king', active: true } });
    expect(await statusOf(user.id)).toBe('active');
    await expectProven();
  });

  test('who is inactive returns by external id, whatever the name is now', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    await change(context, ada, { active: false });
    const back = await provisionUser(aDirectoryUser('ada.king', { externalId: 'external-ada' }), context);
    expect(back).toMatchObject({ created: false, user: { id: 'ada', userName: 'ada.king' } });
  });

  test('is not somebody with the same name and another external id', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    await provisionUser(aDirectoryUser('ada', { active: false }), context);
    const other = provisionUser(aDirectoryUser('ada', { externalId: 'other' }), context);
    expect(await codeOf(other)).toBe('already_exists');
    expect(await statusOf('external-ada' as UserId)).toBe('inactive');
  });

  test('who is known by the id returns with another external id', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada', { active: false }), context);
    const back = await provisionUser(aDirectoryUser('ada', { externalId: 'new' }), context);
    expect(back).toMatchObject({ created: false, user: { id: 'ada', externalId: 'new', active: true } });
  });

  test.each([
    ['before', null, 'new'],
    ['now', 'old', null],
  ])('who has no external id %s returns by the name', async (_, before, externalId) => {
    const context = await newDirectory({ userIdAttribute: 'email' });
    await provisionUser(aDirectoryUser('ada', { active: false, externalId: before }), context);
    const attributes = { emails: [{ value: 'ada.king@example.com' }] };
    const back = await provisionUser(aDirectoryUser('ADA', { externalId, attributes }), context);
    expect(back).toMatchObject({ created: false, user: { id: 'ada@example.com', externalId, active: true } });
  });

  test('who was removed leaves the name to others', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    const { user } = await provisionUser(aDirectoryUser('ada'), context);
    await removeDirectoryUser({ id: user.id }, context);
    expect((await provisionUser(aDirectoryUser('ada', { externalId: 'other' }), context)).user.id).toBe('other');
    expect(await codeOf(provisionUser(aDirectoryUser('ada'), context))).toBe('already_exists');
    expect(await statusOf(user.id)).toBe('inactive');
  });
});

describe('a connection', () => {
  test('sees and changes only its own users', async () => {
    await provisionUser(aDirectoryUser('ada'), await newDirectory());
    await createUser({ userId: 'typed' as UserId }, operator);
    const other = await newDirectory();
    for (const id of [ada, 'typed' as UserId, 'nobody' as UserId]) {
      expect(await codeOf(readDirectoryUser({ id }, other))).toBe('user_not_found');
      expect(await codeOf(change(other, id, { active: false }))).toBe('user_not_found');
      expect(await codeOf(removeDirectoryUser({ id }, other))).toBe('user_not_found');
      expect(await findDirectoryUsers({ id, startIndex: 1, count: 1 }, other)).toMatchObject({ total: 0 });
    }
    expect(await statusOf(ada)).toBe('active');
  });

  test('of another kind, without the scope, revoked or deleted does nothing', async () => {
    const groupsOnly = await newDirectory({}, { scopes: ['roles:write'] });
    expect(await codeOf(provisionUser(aDirectoryUser('ada'), groupsOnly))).toBe('scope_missing');
    expect(await codeOf(findDirectoryUsers({ startIndex: 1, count: 1 }, groupsOnly))).toBe('scope_missing');
    const gone = await newDirectory();
    await deleteConnection({ connectionId: gone.caller.connectionId as ConnectionId }, operator);
    expect(await codeOf(provisionUser(aDirectoryUser('ada'), gone))).toBe('key_revoked');
    expect(await codeOf(getUser({ userId: ada }))).toBe('user_not_found');
  });
});

describe('an erasure', () => {
  test('leaves nothing of the user in the directory', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    await deleteUser({ userId: ada }, operator);
    expect(keysOfDirectory()).toEqual([]);
    expect(JSON.stringify(entries())).not.toContain('ada@example.com');
    expect(await codeOf(readDirectoryUser({ id: ada }, context))).toBe('user_not_found');
    expect(await provisionUser(aDirectoryUser('ada'), context)).toMatchObject({ created: true });
    await expectProven();
  });

  test('that left an account behind does not give it to a later user with the same id', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    memory.put({ ...memory.table.get(userKey(ada)), createdAt: '2020-01-01T00:00:00.000Z' });
    expect(await codeOf(readDirectoryUser({ id: ada }, context))).toBe('user_not_found');
    expect(await codeOf(change(context, ada, { active: false }))).toBe('user_not_found');
  });

  test('that has only begun refuses a change of what only the directory knows', async () => {
    const context = await newDirectory();
    const { user } = await provisionUser(aDirectoryUser('ada', { attributes: {} }), context);
    memory.beforeFirst('TransactWriteItems', () => {
      memory.put({ ...memory.table.get(userKey(ada)), deleting: true });
    });
    expect(await codeOf(change(context, ada, { attributes: { title: 'Countess' } }))).toBe('user_not_found');
    expect(memory.table.get(accountKey(ada))?.version).toBe(user.version);
  });

  test.each([
    ['of the user', { active: false }],
    ['of what only the directory knows', { attributes: { displayName: 'Name of ada', title: 'Countess' } }],
  ])('in flight is not outlived by a change %s', async (_, next) => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada', { attributes: { displayName: 'Name of ada' } }), context);
    memory.beforeFirst('TransactWriteItems', () => deleteUser({ userId: ada }, operator));
    expect(await codeOf(change(context, ada, next))).toBe('user_not_found');
    expect(keysOfDirectory()).toEqual([]);
    expect(entries().filter(({ pk, sk }) => pk === 'USER#ada' && sk === 'ACCOUNT')).toEqual([]);
  });
});
