import { beforeEach, expect, jest, test } from '@jest/globals';
import type { SetAccessBody } from '#shared/contract/access.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { checkAccess } from '#shared/domain/access/check-users.ts';
import { listApplicationUsers, listUserAccess } from '#shared/domain/access/list-access.ts';
import { readSnapshot } from '#shared/domain/access/read-snapshot.ts';
import { setAccess, setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { pagesOf } from '../../../support/pages-of.ts';
import { anOperator, operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { roleItem } from '../../../support/table-items.ts';

const appId = 'billing' as AppId;
const start = new Date('2026-11-20T19:00:00.000Z');
const create = (userId: string) => createUser({ userId: userId as UserId, displayName: null, email: null }, context);
const setStatus = (userId: string, status: 'active' | 'inactive', reason: string | null = null) =>
  setUserStatus({ userId: userId as UserId, status, reason }, context);
const set = (userId: string, setting: Partial<SetAccessBody> = {}, by = context) => {
  const whole = { status: 'disabled', reason: null, until: null, ...setting } as SetAccessBody;
  return setAccess({ userId: userId as UserId, appId, setting: whole }, by);
};
const snapshot = (limit: number, after?: string) => readSnapshot({ appId, limit, after }, context);

const memory = tableForEachTest(start);
const queries = () => memory.sdk.requests.filter(({ command }) => command === 'QueryCommand').length;

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  memory.put(roleItem());
});

test('a snapshot has erased users, inactive users and non-default accesses, in pages of any size', async () => {
  for (let n = 0; n < 8; n++) await create(`u${n}`);
  for (const n of [0, 2, 3, 5]) await setStatus(`u${n}`, 'inactive');
  for (const n of [1, 3, 4]) await set(`u${n}`);
  for (const n of [6, 7]) await deleteUser({ userId: `u${n}` as UserId }, context);
  const whole = await snapshot(100);
  expect(whole.items.map(({ kind, userId }) => `${kind} ${userId}`)).toEqual([
    'erased u6',
    'erased u7',
    'inactive u0',
    'inactive u2',
    'inactive u3',
    'inactive u5',
    'access u1',
    'access u3',
    'access u4',
  ]);
  expect(whole).toMatchObject({ cursor: null, total: 9, rolloutPercent: 100, applicationVersion: 1 });
  for (const limit of [1, 2, 3, 4]) {
    const pages = await pagesOf((after) => snapshot(limit, after));
    expect([pages.flatMap(({ items }) => items), pages.at(-1)?.total]).toEqual([whole.items, 9]);
    expect(Math.max(...pages.map(({ items }) => items.length))).toBeLessThanOrEqual(limit);
    expect(new Set(pages.map(({ changesCursor }) => changesCursor))).toEqual(new Set([whole.changesCursor]));
  }
});

/** Creates users with nothing but an expired role. */
async function createDefaults(count: number): Promise<void> {
  const grant = { role: 'editor' as RoleName, expiresAt: '2026-11-20T20:00:00.000Z' };
  for (let n = 10; n < 10 + count; n++) {
    await create(`u${n}`);
    await assignRole({ userId: `u${n}` as UserId, appId, grant }, context);
  }
  jest.setSystemTime(new Date('2026-11-20T20:00:00.000Z'));
  memory.sdk.requests.length = 0;
}

test('a page of a snapshot reads at most four full pages of a list, and the next continues there', async () => {
  await createDefaults(21);
  await create('u9');
  await set('u9');
  const pages = await pagesOf(async (after) => {
    memory.sdk.requests.length = 0;
    const { items, cursor } = await snapshot(2, after);
    return { found: [items.length, queries()], cursor };
  });
  // At first the end of each feed is read, and erased and inactive users take a query each.
  expect(pages.map(({ found }) => found)).toEqual([
    [0, 2 + 4],
    [0, 4],
    [0, 4],
    [1, 2],
  ]);
});

test.each([
  [500, 4],
  [501, 3],
])(
  'a page of a snapshot ends once it has taken more than 1.5 s: of %i ms each, after %i queries',
  async (milliseconds, most) => {
    await createDefaults(9);
    memory.before = ({ command }) => {
      if (command === 'QueryCommand') jest.setSystemTime(Date.now() + milliseconds);
    };
    const { items, cursor } = await snapshot(2);
    expect([items, queries()]).toEqual([[], most]);
    expect(cursor).not.toBeNull();
  },
);

test('an operator sees who set the status of an access and of an inactive user', async () => {
  for (const userId of ['ada', 'bob', 'gone']) {
    await create(userId);
    await set(userId, { reason: 'left' });
  }
  const { changeId } = await setStatus('ada', 'inactive', 'leaves');
  await setStatus('bob', 'inactive');
  await setStatus('bob', 'active');
  memory.put({ ...memory.table.get({ pk: 'USER#gone', sk: 'USER' }), deleting: true });
  const { items } = await listApplicationUsers({ appId, limit: 10 });
  expect(items.map(({ userId, statusSetBy, userStatusSetBy }) => [userId, statusSetBy, userStatusSetBy])).toEqual([
    [
      'ada',
      expect.objectContaining({ caller: anOperator, reason: 'left' }),
      expect.objectContaining({ changeId, reason: 'leaves' }),
    ],
    ['bob', expect.objectContaining({ caller: anOperator, reason: 'left' }), null],
  ]);
});

test('who set a status stays known while roles change, and is unset once the status is removed', async () => {
  await create('ada');
  const userId = 'ada' as UserId;
  const { changeId } = await set('ada');
  await assignRole({ userId, appId, grant: { role: 'editor' as RoleName, expiresAt: null } }, context);
  const view = async () => (await listUserAccess({ userId, limit: 10 })).items[0];
  expect(await view()).toMatchObject({ statusSetBy: { changeId }, appName: 'Billing', rolloutPercent: 100 });
  const again = await set('ada', { status: 'enabled' });
  const first = await set('ada');
  expect((await view())?.statusSetBy).toMatchObject({ changeId: first.changeId });
  await create('bob');
  const block = await set('bob');
  const heldRoles = [{ role: 'admin', appId: null }] as const;
  await undoChange({ userId: 'bob' as UserId, changeId: block.changeId ?? '', heldRoles }, context);
  expect(memory.table.get({ pk: 'USER#bob', sk: 'ACCESS#billing' })).toMatchObject({ statusChangeId: null });
  expect(again.changeId).not.toBe(changeId);
});

test('a grant names the change that assigned it last, while the status and other roles change', async () => {
  await create('ada');
  memory.put(roleItem({ role: 'viewer' }));
  const assign = (role: string, expiresAt: string | null = null) =>
    assignRole({ userId: 'ada' as UserId, appId, grant: { role: role as RoleName, expiresAt } }, context);
  const stored = () => memory.table.get({ pk: 'USER#ada', sk: 'ACCESS#billing' });
  const { changeId: first } = await assign('editor');
  const { changeId: second } = await assign('viewer');
  await set('ada');
  expect(stored()).toMatchObject({ roles: { editor: { changeId: first }, viewer: { changeId: second } } });
  const { changeId: again } = await assign('editor', '2027-01-01T00:00:00.000Z');
  expect(stored()).toMatchObject({ roles: { editor: { changeId: again }, viewer: { changeId: second } } });
});

test('a cursor of the accesses of one user is invalid for another', async () => {
  await createApplication({ appId: 'wiki' as AppId, name: 'Wiki' }, context);
  for (const userId of ['ada', 'bob']) await create(userId);
  const { items, cursor } = await listUserAccess({ userId: 'ada' as UserId, limit: 1 });
  expect(items.map((one) => one.appId)).toEqual(['billing']);
  const list = (userId: string) => listUserAccess({ userId: userId as UserId, limit: 1, cursor: cursor ?? '' });
  expect((await list('ada')).items.map((one) => one.appId)).toEqual(['wiki']);
  await expect(list('bob')).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a check returns a result for each user in request order, and reads each valid id once', async () => {
  await create('ada');
  await set('ada');
  memory.sdk.requests.length = 0;
  const { items } = await checkAccess({ appId, userIds: ['nobody', 'ada', 'no id', 'ada'] }, context);
  const missing = (userId: string) => ({ userId, code: 'user_not_found' });
  const ada = expect.objectContaining({ userId: 'ada', effectiveStatus: 'disabled' });
  expect(items).toEqual([missing('nobody'), ada, missing('no id'), ada]);
  const read = memory.sdk.requests.flatMap(({ input }) =>
    Object.values<{ Keys: { pk: { S: string } }[] }>(input.RequestItems),
  );
  expect(new Set(read.flatMap(({ Keys }) => Keys.map(({ pk }) => pk.S)))).toEqual(
    new Set(['APP#billing', 'USER#nobody', 'USER#ada']),
  );
});

test('an invalid setting is refused for the whole bulk', async () => {
  const setting = { status: 'enabled', reason: null, until: '2026-11-21T00:00:00.000Z' } as SetAccessBody;
  memory.sdk.requests.length = 0;
  const refused = setAccessInBulk({ userIds: ['ada'], appId, setting }, context);
  await expect(refused).rejects.toMatchObject({ options: { field: { name: 'until' } } });
  expect(memory.sdk.requests).toEqual([]);
});

test('a retry of a call that set an access names the same change', async () => {
  await create('ada');
  const first = await set('ada', {}, operatorAttempt('first', 'call'));
  expect(first.changeId).toMatch(/^[0-9A-Z]{26}$/);
  expect(await set('ada', {}, operatorAttempt('second', 'call'))).toEqual(first);
});
