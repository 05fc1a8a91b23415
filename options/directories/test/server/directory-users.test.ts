import { describe, expect, test } from '@jest/globals';
import type { UserId } from '#shared/contract/fields.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, getUser, setUserStatus } from '#shared/domain/user/users.ts';
import { latestChainKey } from '#shared/keys/chain-keys.ts';
import { transact } from '#shared/table/client.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { operator } from '#test/support/start-service.ts';
import { changeAccountEntries, userIdFrom } from '../../server/account-rules.ts';
import { changeDirectoryUser, readDirectoryUser, removeDirectoryUser } from '../../server/change-directory-user.ts';
import { findDirectoryUsers } from '../../server/find-directory-users.ts';
import { openDirectory, requireSubject, subjectKeys } from '../../server/open-directory.ts';
import { provisionUser } from '../../server/provision-user.ts';
import { aDirectoryUser, newDirectory } from '../support/new-directory.ts';
import { ada, codeOf, directoryUsersForEachTest } from '../support/users-of-directories.ts';

const { memory, statusOf, history, userHistory, change, expectProven } = directoryUsersForEachTest();

describe('a directory creates a user', () => {
  test('with the name and the address, in a Change that names the connection', async () => {
    const context = await newDirectory();
    const { user, created } = await provisionUser(aDirectoryUser('ada'), context);
    expect(created).toBe(true);
    expect(user).toMatchObject({ id: 'ada', userName: 'ada', externalId: 'external-ada', active: true, groups: [] });
    expect(await getUser({ userId: ada })).toMatchObject({
      status: 'active',
      displayName: 'Name of ada',
      email: 'ada@example.com',
    });
    expect((await history()).at(-1)).toMatchObject({ action: 'user.created', caller: context.caller, userId: 'ada' });
    await expectProven();
  });

  test('inactive from the start, with a Change of its own', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada', { active: false }), context);
    expect(await statusOf(ada)).toBe('inactive');
    expect(await userHistory()).toEqual(['user.created connection', 'user.status.changed connection']);
    await expectProven();
  });

  test('by the attribute that its connection says, which must be a valid id', async () => {
    const byExternalId = await newDirectory({ userIdAttribute: 'externalId' });
    expect((await provisionUser(aDirectoryUser('ada'), byExternalId)).user.id).toBe('external-ada');
    expect(await codeOf(provisionUser(aDirectoryUser('bob', { externalId: null }), byExternalId))).toBe(
      'invalid_request',
    );
    const byEmail = await newDirectory({ userIdAttribute: 'email' });
    const emails = [{ value: 'second@example.com' }, { value: 'first@example.com', primary: true }];
    const given = { externalId: null, attributes: { emails } };
    expect((await provisionUser(aDirectoryUser('eve', given), byEmail)).user.id).toBe('first@example.com');
    const byName = await newDirectory();
    const guest = provisionUser(aDirectoryUser('guest#EXT#@example.com'), byName);
    await expect(guest).rejects.toMatchObject({ code: 'invalid_request', options: { field: { name: 'userName' } } });
  });

  test.each(['userName', 'externalId', 'email'] as const)(
    'with two requests to the table, also one who returns or is taken over, by the attribute %s',
    async (userIdAttribute) => {
      const context = await newDirectory({ userIdAttribute, takeover: 'matching' });
      await provisionUser(aDirectoryUser('bob'), context);
      await provisionUser(aDirectoryUser('eve', { active: false }), context);
      const ids = { userName: 'dan', externalId: 'external-dan', email: 'dan@example.com' };
      await createUser({ userId: ids[userIdAttribute] as UserId }, operator);
      for (const name of ['ada', 'eve', 'dan']) {
        memory.sdk.requests.length = 0;
        await provisionUser(aDirectoryUser(name), context);
        expect(memory.sdk.requests.map(({ command }) => command)).toEqual([
          'BatchGetItemCommand',
          'TransactWriteItemsCommand',
        ]);
      }
    },
  );

  test('with a name that is too long for operators, without losing it', async () => {
    const context = await newDirectory();
    const attributes = { displayName: 'x'.repeat(300) };
    const { user } = await provisionUser(aDirectoryUser('ada', { attributes }), context);
    expect(user.attributes).toEqual(attributes);
    expect(await getUser({ userId: ada })).toMatchObject({ displayName: 'x'.repeat(100), email: null });
  });

  test('inactive with an address that is none, which operators do not see', async () => {
    const context = await newDirectory();
    const attributes = { emails: [{ value: 'nobody' }] };
    const { user } = await provisionUser(aDirectoryUser('ada', { attributes, active: false }), context);
    expect(user.attributes).toEqual(attributes);
    expect(await getUser({ userId: ada })).toMatchObject({ status: 'inactive', email: null });
  });
});

describe('what is refused with 409', () => {
  test('the name of another user of the directory, in any case', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    await provisionUser(aDirectoryUser('ada'), context);
    expect(await codeOf(provisionUser(aDirectoryUser('ADA', { externalId: 'other' }), context))).toBe('already_exists');
    await provisionUser(aDirectoryUser('bob'), context);
    expect(await codeOf(change(context, 'external-bob' as UserId, { userName: 'Ada' }))).toBe('already_exists');
  });

  test('the external id of another user of the directory', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    await provisionUser(aDirectoryUser('bob'), context);
    const again = provisionUser(aDirectoryUser('eve', { externalId: 'external-ada' }), context);
    expect(await codeOf(again)).toBe('already_exists');
    expect(await codeOf(change(context, 'bob' as UserId, { externalId: 'external-ada' }))).toBe('already_exists');
  });

  test('an active user that is sent again', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    expect(await codeOf(provisionUser(aDirectoryUser('ada'), context))).toBe('already_exists');
  });

  test('of two who want one name at the same time, the second', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    memory.beforeFirst('TransactWriteItems', () =>
      provisionUser(aDirectoryUser('ada', { externalId: 'first' }), context),
    );
    const second = provisionUser(aDirectoryUser('Ada', { externalId: 'second' }), context);
    expect(await codeOf(second)).toBe('already_exists');
    expect(await codeOf(getUser({ userId: 'second' as UserId }))).toBe('user_not_found');
    expect(await codeOf(getUser({ userId: 'first' as UserId }))).toBe('accepted');
  });

  test('but not the same new name, or external id, from two requests at once', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada', { externalId: 'one' }), context);
    for (const [place, next] of [
      ['NAME#', { userName: 'lovelace' }],
      ['EXTERNAL#', { externalId: 'two' }],
    ] as const) {
      memory.beforeFirst(place, () => change(context, ada, next));
      expect(await change(context, ada, next)).toMatchObject(next);
    }
  });
});

test('what is decided by an older state of the user than of the account is not written', async () => {
  const context = await newDirectory();
  await provisionUser(aDirectoryUser('ada'), context);
  await change(context, ada, { active: false });
  const { user: earlier } = requireSubject(await openDirectory(context, 'users:write', subjectKeys(ada)), ada);
  await change(context, ada, { active: true });
  const { account } = requireSubject(await openDirectory(context, 'users:write', subjectKeys(ada)), ada);
  // A read of several items is not one of a moment: another request can write all of them in between.
  const torn = { account, user: earlier };
  const { entries = [] } = changeAccountEntries(
    torn,
    { ...account, active: false, removed: true },
    { context, key: await latestChainKey() },
  );
  expect((await transact(entries)).kind).not.toBe('committed');
  expect(await statusOf(ada)).toBe('active');
});

describe('what an operator of the directory reads', () => {
  const refusalOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'accepted',
      ({ code, options: { detail, field } }) => [
        code,
        detail,
        ...(field === undefined ? [] : [field.name, field.detail]),
      ],
    );

  test.each([
    ['userName', { userName: 'guest#EXT#' }, 'userName'],
    ['externalId', { externalId: '..' }, 'externalId'],
    ['email', { attributes: { emails: [{ value: 'a b' }] } }, 'emails'],
  ] as const)('when the %s cannot be a userId', async (userIdAttribute, next, field) => {
    const context = await newDirectory({ userIdAttribute });
    const [code, detail, ...of] = await refusalOf(provisionUser(aDirectoryUser('ada', next), context));
    const rule = 'becomes the userId, so it must be 1 to 128 of ';
    expect([code, detail.startsWith(`${field} ${rule}`), of[0]]).toEqual(['invalid_request', true, field]);
    expect(detail).toMatch(/ and not \. or \.\.$/);
  });

  test('when the attribute that becomes the userId is missing', async () => {
    const byEmail = provisionUser(
      aDirectoryUser('ada', { attributes: {} }),
      await newDirectory({ userIdAttribute: 'email' }),
    );
    const isRequired = 'is required: it becomes the userId';
    expect(await refusalOf(byEmail)).toEqual(['invalid_request', `emails ${isRequired}`, 'emails', isRequired]);
    // A connection of this kind always names one.
    expect(() => userIdFrom(aDirectoryUser('ada'), { userIdAttribute: null })).toThrow('without an attribute');
  });

  test('when a name or an external id is taken', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    for (const name of ['ada', 'bob']) await provisionUser(aDirectoryUser(name), context);
    const id = 'external-bob' as UserId;
    const taken = (what: string, name: string) => [
      'already_exists',
      `Another user of the directory has this ${what}.`,
      name,
      'is taken',
    ];
    expect(await refusalOf(change(context, id, { userName: 'Ada' }))).toEqual(taken('userName', 'userName'));
    expect(await refusalOf(change(context, id, { externalId: 'external-ada' }))).toEqual(
      taken('externalId', 'externalId'),
    );
    expect(await refusalOf(provisionUser(aDirectoryUser('ada'), context))).toEqual(taken('userName', 'userName'));
    const both = provisionUser(aDirectoryUser('ada', { externalId: 'external-bob' }), context);
    expect(await refusalOf(both)).toEqual(taken('userName or this externalId', 'userName'));
  });

  test('when the external id is that of a user who was removed, it is not taken (RFC 7644 section 3.6)', async () => {
    const context = await newDirectory();
    for (const name of ['ada', 'bob']) await provisionUser(aDirectoryUser(name), context);
    await removeDirectoryUser({ id: ada }, context);
    const taken = change(context, 'bob' as UserId, { userName: 'carl', externalId: 'external-ada' });
    expect(await taken).toMatchObject({ id: 'bob', userName: 'carl', externalId: 'external-ada' });
    expect(await provisionUser(aDirectoryUser('ada', { externalId: null }), context)).toMatchObject({
      created: false,
      user: { id: 'ada', externalId: null },
    });
    await expectProven();
  });

  test('a removed user keeps the external id if the name is refused, or gets it back from a change in between', async () => {
    const context = await newDirectory();
    for (const name of ['ada', 'bob', 'carl']) await provisionUser(aDirectoryUser(name), context);
    await removeDirectoryUser({ id: ada }, context);
    const next = { userName: 'carl', externalId: 'external-ada' };
    expect(await codeOf(change(context, 'bob' as UserId, next))).toBe('already_exists');
    memory.beforeFirst('TransactWriteItems', () => provisionUser(aDirectoryUser('ada'), context));
    expect(await codeOf(change(context, 'bob' as UserId, { externalId: 'external-ada' }))).toBe('already_exists');
    expect(await readDirectoryUser({ id: ada }, context)).toMatchObject({ externalId: 'external-ada', active: true });
  });

  test('when the id is that of another user', async () => {
    const context = await newDirectory({ userIdAttribute: 'externalId' });
    await createUser({ userId: 'external-ada' as UserId }, operator);
    expect(await refusalOf(provisionUser(aDirectoryUser('ada'), context))).toEqual([
      'already_exists',
      'A user with this id exists, who does not belong to this directory.',
      'externalId',
      'is the id of another user',
    ]);
  });

  test('when the directory does not have the user, or has another version', async () => {
    const context = await newDirectory();
    await provisionUser(aDirectoryUser('ada'), context);
    expect(await refusalOf(readDirectoryUser({ id: 'bob' as UserId }, context))).toEqual([
      'user_not_found',
      'The directory has no user with this id.',
    ]);
    const stale = [
      changeDirectoryUser({ id: ada, ifMatch: [7] }, (current) => current, context),
      removeDirectoryUser({ id: ada, ifMatch: [7] }, context),
    ];
    for (const each of stale) {
      expect(await refusalOf(each)).toEqual([
        'version_mismatch',
        'The user is at version 1. Re-read it and try again.',
      ]);
    }
  });

  test('when the user is still being erased', async () => {
    const context = await newDirectory({ takeover: 'matching' });
    await createUser({ userId: 'bob' as UserId }, operator);
    memory.put({ ...memory.table.get(userKey('bob' as UserId)), deleting: true });
    await provisionUser(aDirectoryUser('ada', { active: false }), context);
    memory.put({ ...memory.table.get(userKey(ada)), createdAt: '2020-01-01T00:00:00.000Z' });
    for (const name of ['ada', 'bob']) {
      await expect(provisionUser(aDirectoryUser(name), context)).rejects.toMatchObject({
        code: 'unavailable',
        options: { detail: 'The user is being erased. Try again.', headers: { 'retry-after': '5' } },
      });
    }
  });
});

describe('a user who exists already', () => {
  test('is not taken over', async () => {
    const context = await newDirectory();
    await createUser({ userId: ada }, operator);
    expect(await codeOf(provisionUser(aDirectoryUser('ada'), context))).toBe('already_exists');
  });

  test('is taken over by a connection that may, on record even if nothing else changes', async () => {
    const context = await newDirectory({ takeover: 'matching' });
    await createUser({ userId: ada, displayName: 'Name of ada', email: 'ada@example.com' }, operator);
    expect(await provisionUser(aDirectoryUser('ada'), context)).toMatchObject({ created: true });
    expect(await userHistory()).toEqual(['user.created operator', 'user.updated connection']);
    await expectProven();
  });

  test('whom an operator deactivated stays inactive when taken over', async () => {
    const context = await newDirectory({ takeover: 'matching' });
    await createUser({ userId: ada }, operator);
    await setUserStatus({ userId: ada, status: 'inactive' }, operator);
    await provisionUser(aDirectoryUser('ada'), context);
    expect(await statusOf(ada)).toBe('inactive');
  });

  test('and belongs to another connection is never taken over', async () => {
    await provisionUser(aDirectoryUser('ada'), await newDirectory());
    const other = await newDirectory({ takeover: 'matching' });
    expect(await codeOf(provisionUser(aDirectoryUser('ada'), other))).toBe('already_exists');
  });

  test('is taken over once by two connections at the same time', async () => {
    const [one, other] = [await newDirectory({ takeover: 'matching' }), await newDirectory({ takeover: 'matching' })];
    await createUser({ userId: ada }, operator);
    memory.beforeFirst('TransactWriteItems', () => provisionUser(aDirectoryUser('ada'), one));
    expect(await codeOf(provisionUser(aDirectoryUser('ada'), other))).toBe('already_exists');
    expect(await codeOf(readDirectoryUser({ id: ada }, one))).toBe('accepted');
  });

  test('is not taken over while being erased', async () => {
    const context = await newDirectory({ takeover: 'matching' });
    await createUser({ userId: ada }, operator);
    memory.beforeFirst('TransactWriteItems', () => deleteUser({ userId: ada }, operator));
    expect(await provisionUser(aDirectoryUser('ada'), context)).toMatchObject({ created: true });
    // The erased one is gone; this is another user with the same id.
    expect((await userHistory()).filter((text) => text === 'user.updated connection')).toEqual([]);
    await expectProven();
  });
});

describe('a directory finds', () => {
  test('its users page by page, in a stable order, also inactive ones', async () => {
    const context = await newDirectory();
    for (const name of ['eve', 'ada', 'bob', 'dan']) {
      await provisionUser(aDirectoryUser(name, { active: name !== 'bob' }), context);
    }
    await provisionUser(aDirectoryUser('zoe'), await newDirectory());
    const page = async (startIndex: number, count: number) => {
      const { total, users } = await findDirectoryUsers({ startIndex, count }, context);
      return [total, ...users.map(({ id }) => id)];
    };
    expect(await page(1, 2)).toEqual([4, 'ada', 'bob']);
    expect(await page(3, 2)).toEqual([4, 'dan', 'eve']);
    expect(await page(5, 2)).toEqual([4]);
    expect(await page(0, 1)).toEqual([4, 'ada']);
    expect(await page(1, 0)).toEqual([4]);
    expect(await page(1, -3)).toEqual([4]);
  });

  test('a user by each condition and by several, and nobody where one does not hold', async () => {
    const context = await newDirectory();
    const emails = [{ value: 'Ada@Example.com', type: 'work' }, { value: 'ada@home.example' }];
    await provisionUser(aDirectoryUser('ada', { attributes: { emails } }), context);
    await provisionUser(aDirectoryUser('bob', { attributes: { emails: [{ value: 'ada@example.com' }] } }), context);
    await provisionUser(aDirectoryUser('eve'), context);
    const found = async (conditions: object) => {
      const { users } = await findDirectoryUsers({ ...conditions, startIndex: 1, count: 10 }, context);
      return users.map(({ id }) => id);
    };
    expect(await found({ userName: 'ADA' })).toEqual(['ada']);
    expect(await found({ externalId: 'external-bob' })).toEqual(['bob']);
    expect(await found({ externalId: 'EXTERNAL-bob' })).toEqual([]);
    expect(await found({ email: 'ada@example.com' })).toEqual(['ada', 'bob']);
    expect(await found({ id: 'ada' })).toEqual(['ada']);
    expect(await found({ id: '#' })).toEqual([]);
    expect(await found({ email: 'ada@example.com', userName: 'bob' })).toEqual(['bob']);
    expect(await found({ id: 'ada', userName: 'bob' })).toEqual([]);
    expect(await found({ id: 'ada', externalId: 'external-bob' })).toEqual([]);
    expect(await found({ userName: 'ada', email: 'eve@example.com' })).toEqual([]);
    expect(await found({ userName: 'nobody' })).toEqual([]);
  });
});
