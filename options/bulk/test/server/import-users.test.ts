import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import type { AppId, BulkId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { getUser, setUserStatus, updateUser } from '#shared/domain/user/users.ts';
import { operatorContext as context, operatorAttempt, storedUser } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { applicationItem, roleItem, userItem } from '#test/support/table-items.ts';
import { importUsersOperation } from '../../contract/user-import.ts';
import { importUsers } from '../../server/import-users.ts';
import { undoBulk } from '../../server/undo-bulk.ts';

const [appId, userId] = ['billing' as AppId, 'ada' as UserId];
const end = '2026-11-20T20:00:00.000Z';
const memory = tableForEachTest(new Date('2026-11-20T19:00:00.000Z'));
beforeEach(() => {
  memory.put(userItem({ userId, displayName: 'Ada' }), applicationItem(), roleItem());
  memory.put(roleItem({ role: 'viewer' }));
});

type Given = { readonly userId: string } & Record<string, unknown>;

const importAll = (users: readonly Given[], options: object = {}, by = context) => {
  const body = v.parse(importUsersOperation.body, { users, ...options });
  const { reason, ticket } = body;
  return importUsers(body, { ...by, reason, ticket });
};
async function importOne(user: Given, options: object = {}) {
  const [outcome] = await importAll([user], options);
  return outcome;
}
const access = (of = 'ada') => memory.table.get({ pk: `USER#${of}`, sk: 'ACCESS#billing' });
const changes = () => memory.table.items().filter(({ sk }) => String(sk).startsWith('CHANGE#'));
const newBulk = () => createUlid(new Date()) as BulkId;
const undoAll = (bulkId: BulkId, of?: AppId) =>
  undoBulk(
    { bulkId, heldRoles: [{ role: 'admin', appId: null }], limit: 10, ...(of !== undefined && { appId: of }) },
    context,
  );
const block = (until: string | null = null) =>
  setAccess({ userId, appId, setting: { status: 'disabled', reason: 'unpaid', until } }, context);
const deactivate = () => setUserStatus({ userId, status: 'inactive', reason: 'left' }, context);

test('creates a user with everything that is given, one change for each, with the bulk and the reason', async () => {
  const bulkId = newBulk();
  const user = {
    userId: 'bob',
    displayName: 'Bob',
    email: 'bob@example.com',
    accesses: [{ appId, status: 'disabled', until: end }],
    roles: [
      { appId, role: 'editor', expiresAt: end },
      { appId, role: 'viewer' },
    ],
  };
  expect(await importOne(user, { bulkId, reason: 'migration' })).toEqual({
    userId: 'bob',
    outcome: 'changed',
    problems: [],
    changes: [
      { effect: 'created' },
      { effect: 'blocked', appId },
      { effect: 'assigned', appId, role: 'editor' },
      { effect: 'assigned', appId, role: 'viewer' },
    ],
  });
  expect(await getUser({ userId: 'bob' as UserId })).toMatchObject({ displayName: 'Bob', status: 'active' });
  expect(access('bob')).toMatchObject({
    status: 'disabled',
    until: end,
    reason: 'migration',
    roles: { editor: { expiresAt: end }, viewer: { expiresAt: null } },
  });
  expect(changes().map((change) => change.bulkId)).toEqual(Array(4).fill(bulkId));
  expect(await importOne(user)).toEqual({ userId: 'bob', outcome: 'unchanged', changes: [], problems: [] });
});

test('a new user who is inactive stays inactive when the bulk is undone', async () => {
  const bulkId = newBulk();
  const outcome = await importOne({ userId: 'bob', status: 'inactive' }, { bulkId, reason: 'left' });
  expect(outcome?.changes).toEqual([{ effect: 'created' }, { effect: 'deactivated' }]);
  expect(changes().at(-1)).toMatchObject({ action: 'user.status.changed', reason: 'left' });
  expect((await undoAll(bulkId)).items).toEqual([]);
  expect((await getUser({ userId: 'bob' as UserId })).status).toBe('inactive');
});

test('a user who is deactivated and renamed is activated again when the bulk is undone', async () => {
  const bulkId = newBulk();
  const outcome = await importOne({ userId, status: 'inactive', displayName: 'Ada King' }, { bulkId, reason: 'left' });
  expect(outcome?.changes).toEqual([{ effect: 'deactivated' }, { effect: 'updated' }]);
  expect(changes().map(({ reason }) => reason)).toContain('left');
  expect((await undoAll(bulkId)).items.map(({ outcome: of }) => of)).toContain('changed');
  expect(await getUser({ userId })).toMatchObject({ status: 'active', displayName: 'Ada King' });
});

describe('what is left out stays as it is', () => {
  test.each([
    [{ email: 'new@example.com' }, { displayName: 'Ada', email: 'new@example.com' }],
    [{ displayName: 'Ada King' }, { displayName: 'Ada King', email: 'old@example.com' }],
    [{ displayName: null }, { displayName: null, email: 'old@example.com' }],
  ])('%j', async (given, expected) => {
    await updateUser({ userId, email: 'old@example.com' }, context);
    await deactivate();
    expect((await importOne({ userId, ...given }))?.changes).toEqual([{ effect: 'updated' }]);
    expect(await getUser({ userId })).toMatchObject({ ...expected, status: 'inactive' });
  });

  test('the end and the reason of a block, and the expiry of a role', async () => {
    await block(end);
    await assignRole({ userId, appId, grant: { role: 'editor' as RoleName, expiresAt: end } }, context);
    const before = access();
    const given = { accesses: [{ appId, status: 'disabled' }], roles: [{ appId, role: 'editor' }] };
    expect((await importOne({ userId, ...given }, { reason: 'migration' }))?.outcome).toBe('unchanged');
    expect(access()).toEqual(before);
  });
});

test('another end is set, and null clears it', async () => {
  const given = (value: string | null) => ({
    userId,
    accesses: [{ appId, status: 'disabled', until: value }],
    roles: [{ appId, role: 'editor', expiresAt: value }],
  });
  await importOne(given(end));
  expect(access()).toMatchObject({ until: end, roles: { editor: { expiresAt: end } } });
  expect((await importOne(given(null)))?.outcome).toBe('changed');
  expect(access()).toMatchObject({ until: null, roles: { editor: { expiresAt: null } } });
});

test('revokes a role, and succeeds if the user does not hold it', async () => {
  await assignRole({ userId, appId, grant: { role: 'editor' as RoleName, expiresAt: null } }, context);
  const user = { userId, roles: [{ appId, role: 'editor', status: 'revoked' }] };
  expect((await importOne(user))?.changes).toEqual([{ effect: 'revoked', appId, role: 'editor' }]);
  expect((await importOne(user))?.outcome).toBe('unchanged');
});

describe('what gives access back', () => {
  test.each([
    ['to an inactive user', deactivate, { status: 'active' }, { effect: 'reactivated' }, 'reactivate'],
    [
      'to a blocked user',
      block,
      { accesses: [{ appId, status: 'enabled' }] },
      { effect: 'unblocked', appId },
      'unblock',
    ],
  ])('%s needs a confirmation, in a dry run and without', async (_, prepare, given, effect, flag) => {
    await prepare();
    const before = memory.table.items();
    for (const dryRun of [true, false]) {
      const refused = await importOne({ userId, ...given }, { dryRun });
      expect(refused).toMatchObject({ outcome: 'failed', changes: [], problems: [{ code: 'invalid_request' }] });
      expect(refused?.problems[0]?.detail).toContain(`"${flag}"`);
      expect(memory.table.items()).toEqual(before);
    }
    expect((await importOne({ userId, ...given }, { [flag]: true, dryRun: true }))?.changes).toEqual([effect]);
    expect((await importOne({ userId, ...given }, { [flag]: true }))?.changes).toEqual([effect]);
  });

  test('a user whom somebody deactivates meanwhile is not activated', async () => {
    let requests = 0;
    memory.before = async () => {
      requests += 1;
      // After the read of all users of the request.
      if (requests !== 2) return;
      memory.before = undefined;
      await deactivate();
    };
    const outcome = await importOne({ userId, status: 'active', displayName: 'Ada King' });
    expect(outcome?.problems).toMatchObject([{ code: 'version_mismatch' }]);
    expect(await getUser({ userId })).toMatchObject({ status: 'inactive', displayName: 'Ada' });
  });

  test('is not asked of a retry, whose first attempt stands', async () => {
    const attempt = (requestId: string) =>
      importAll([{ userId, status: 'active', displayName: 'Ada King' }], {}, operatorAttempt(requestId, 'call'));
    const first = await attempt('first');
    await deactivate();
    expect(await attempt('second')).toEqual(first);
    expect(await getUser({ userId })).toMatchObject({ status: 'inactive', displayName: 'Ada King' });
  });

  test('a block that has ended needs none', async () => {
    await block(end);
    jest.setSystemTime(new Date(end));
    const allowed = await importOne({ userId, accesses: [{ appId, status: 'enabled' }] });
    expect(allowed?.changes).toEqual([{ effect: 'allowed', appId }]);
  });
});

test('a block that has ended is set again by the same row', async () => {
  await block(end);
  jest.setSystemTime(new Date(end));
  const again = await importOne({ userId, accesses: [{ appId, status: 'disabled' }] });
  expect(again?.changes).toEqual([{ effect: 'blocked', appId }]);
  expect(access()).toMatchObject({ status: 'disabled', until: null });
});

test('without `create`, a user who does not exist fails, and is not created', async () => {
  const user = { userId: 'bob', displayName: 'Bob', accesses: [{ appId, status: 'disabled' }] };
  for (const dryRun of [true, false]) {
    const outcome = await importOne(user, { create: false, dryRun });
    expect(outcome?.problems).toEqual([
      { code: 'user_not_found', detail: expect.stringContaining('creates no users') },
    ]);
  }
  expect(changes()).toEqual([]);
});

describe('a dry run', () => {
  test('writes nothing, and has the outcomes of the run, for new users too', async () => {
    const contents = { accesses: [{ appId, status: 'disabled' }], roles: [{ appId, role: 'editor' }] };
    const users = [
      { userId: 'bob', displayName: 'Bob', ...contents },
      { userId: 'eve', status: 'inactive', ...contents },
      { userId, status: 'inactive', ...contents },
    ];
    const before = memory.table.items();
    const preview = await importAll(users, { dryRun: true });
    expect(memory.table.items()).toEqual(before);
    expect(await importAll(users)).toEqual(preview);
  });

  test('reports all problems of a user; the run stops at the first, and other users are not affected', async () => {
    const user = {
      userId: 'bob',
      accesses: [{ appId: 'nothing', status: 'disabled' }],
      roles: [
        { appId, role: 'nothing' },
        { appId, role: 'editor', expiresAt: '2020-01-01T00:00:00Z' },
      ],
    };
    const preview = await importOne(user, { dryRun: true });
    expect(preview?.problems.map(({ detail: _, ...about }) => about)).toEqual([
      { code: 'application_not_found', appId: 'nothing' },
      { code: 'role_not_found', appId, role: 'nothing' },
      { code: 'invalid_request', appId, role: 'editor' },
    ]);
    expect(await importAll([user, { userId: 'eve' }])).toMatchObject([
      {
        userId: 'bob',
        outcome: 'failed',
        changes: [{ effect: 'created' }],
        problems: [{ code: 'application_not_found' }],
      },
      { userId: 'eve', outcome: 'changed' },
    ]);
  });
});

test('a user is assumed to exist only in a dry run', async () => {
  const setting = { status: 'disabled' } as const;
  const command = { userId: 'bob' as UserId, appId, setting, assumedUser: storedUser({ userId: 'bob' as UserId }) };
  expect((await setAccess(command, { ...context, dryRun: true })).changed).toBe(true);
  await expect(setAccess(command, context)).rejects.toMatchObject({ code: 'user_not_found' });
});

test('a bulk id must be recent', async () => {
  await expect(importAll([{ userId }], { bulkId: '01KB3ZC4N7Z3QF4V6E5T8S9R2W' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

test('a repeated request has the outcomes of the first, and changes nothing again', async () => {
  const user = { userId: 'bob', displayName: 'Bob', accesses: [{ appId, status: 'disabled' }] };
  const first = await importAll([user], {}, operatorAttempt('first', 'call'));
  const second = await importAll([user], {}, operatorAttempt('second', 'call'));
  expect([first, second].map(([outcome]) => outcome?.outcome)).toEqual(['changed', 'changed']);
  expect(second[0]?.changes.at(-1)).toEqual({ effect: 'blocked', appId });
  expect(changes()).toHaveLength(2);
});

test('a retry gets the outcomes of the attempt that took effect, although its bulk is a day old since', async () => {
  const bulkId = newBulk();
  const deactivateAll = (by: string) =>
    importAll([{ userId, status: 'inactive' }], { bulkId }, operatorAttempt(by, 'call'));
  const first = await deactivateAll('first');
  expect(first.map(({ outcome }) => outcome)).toEqual(['changed']);
  jest.setSystemTime(Date.now() + 25 * 3_600_000);
  const stored = memory.table.items();
  expect(await deactivateAll('second')).toEqual(first);
  expect(memory.table.items()).toEqual(stored);
});
