import { beforeEach, expect, jest, test } from '@jest/globals';
import type { SetAccessBody } from '#shared/contract/access.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { pagesOf } from '#test/support/pages-of.ts';
import { anOperator, operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { accessItem, roleItem, userItem } from '#test/support/table-items.ts';
import { listForReview } from '../../server/list-for-review.ts';
import { reviewApplication } from '../../server/review-application.ts';

const appId = 'billing' as AppId;
const start = new Date('2026-11-20T19:00:00.000Z');
const memory = tableForEachTest(start);
const grace = { ...context, caller: { ...anOperator, id: 'grace' }, reason: 'on call', ticket: 'OPS-1' };
const create = (userId: string) => createUser({ userId: userId as UserId, displayName: null, email: null }, context);
const block = (userId: string, by = context) => {
  const setting = { status: 'disabled', reason: 'left', until: '2026-12-01T00:00:00.000Z' } as SetAccessBody;
  return setAccess({ userId: userId as UserId, appId, setting }, by);
};
const assign = (userId: string, expiresAt: string | null = null, by = context) =>
  assignRole({ userId: userId as UserId, appId, grant: { role: 'editor' as RoleName, expiresAt } }, by);
const wait = (milliseconds: number) => jest.setSystemTime(Date.now() + milliseconds);
const list = () => listForReview({ appId, limit: 100 });

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  memory.put(roleItem());
});

test('each status and role has who gave it, when and until when, and each access its last change', async () => {
  await create('ada');
  const status = await block('ada');
  wait(1000);
  const grant = await assign('ada', '2027-01-01T00:00:00.000Z', grace);
  const inactive = await setUserStatus({ userId: 'ada' as UserId, status: 'inactive', reason: 'gone' }, context);
  const { items, asOf, cursor } = await list();
  const by = (changeId: string | null, members: object) =>
    expect.objectContaining({ changeId, caller: context.caller, ticket: null, ...members });
  const byGrace = by(grant.changeId, { caller: grace.caller, at: '2026-11-20T19:00:01.000Z', ticket: 'OPS-1' });
  expect(items).toEqual([
    expect.objectContaining({
      userId: 'ada',
      effectiveStatus: 'disabled',
      decidedBy: 'user',
      until: '2026-12-01T00:00:00.000Z',
      roles: [
        {
          name: 'editor',
          expiresAt: '2027-01-01T00:00:00.000Z',
          grantedAt: '2026-11-20T19:00:01.000Z',
          grantedBy: byGrace,
        },
      ],
      statusSetBy: by(status.changeId, { at: '2026-11-20T19:00:00.001Z', reason: 'left' }),
      userStatusSetBy: by(inactive.changeId, { reason: 'gone' }),
      lastChange: byGrace,
    }),
  ]);
  expect([asOf, cursor]).toEqual([new Date().toISOString(), null]);
});

test('who assigned a role before that was recorded is unknown, and since when is not', async () => {
  const roles = { editor: { grantedAt: '2026-01-01T00:00:00.000Z', expiresAt: null } };
  const entry = { pk: 'APP#billing#USERS', sk: 'USER#ada', userId: 'ada' };
  memory.put(userItem({ userId: 'ada' }), accessItem({ userId: 'ada', roles }), entry);
  const [ada] = (await list()).items;
  expect(ada?.roles).toEqual([
    { name: 'editor', expiresAt: null, grantedAt: '2026-01-01T00:00:00.000Z', grantedBy: null },
  ]);
});

test('users who hold nothing, no longer, or not yet again are left out', async () => {
  for (const userId of ['ada', 'bob', 'carol', 'dan', 'eve']) await create(userId);
  await assign('ada');
  await assign('bob', '2026-11-20T20:00:00.000Z');
  await assign('carol');
  await revokeRole({ userId: 'carol' as UserId, appId, role: 'editor' as RoleName }, context);
  await assign('eve');
  // Another user with the same id, who was created since.
  const eve = memory.table.get({ pk: 'USER#eve', sk: 'USER' });
  memory.put({ ...eve, createdAt: '2026-11-20T19:30:00.000Z' });
  wait(3_600_000);
  expect((await list()).items.map(({ userId }) => userId)).toEqual(['ada']);
});

test('the list does not depend on an index, which may be behind', async () => {
  await create('ada');
  await assign('ada');
  memory.sdk.requests.length = 0;
  await list();
  const queries = memory.sdk.requests.filter(({ command }) => command === 'QueryCommand');
  expect(queries.map(({ input }) => [input.IndexName, input.ConsistentRead])).toEqual([[undefined, true]]);
});

test('pages of any size have all users once, and a page ends before the user with the 1,001st setting', async () => {
  const roles = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`r${n}`, { grantedAt: start.toISOString(), expiresAt: null }]),
    );
  // Besides its roles, each user has a status in the application, a global one and a last change.
  for (const [userId, count] of Object.entries({ a: 500, b: 494, c: 1, d: 500, e: 491, f: 1100 })) {
    const entry = { pk: 'APP#billing#USERS', sk: `USER#${userId}`, userId };
    memory.put(userItem({ userId }), accessItem({ userId, roles: roles(count) }), entry);
  }
  const whole = await pagesOf((cursor) => listForReview({ appId, limit: 100, cursor }));
  expect(whole.map(({ items }) => items.map(({ userId }) => userId))).toEqual([['a', 'b'], ['c', 'd'], ['e'], ['f']]);
  const small = await pagesOf((cursor) => listForReview({ appId, limit: 1, cursor }));
  expect(small.flatMap(({ items }) => items.map(({ userId }) => userId))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

test('the list names the last review, with who made it', async () => {
  await create('ada');
  expect((await list()).lastReview).toBeNull();
  const { asOf } = await list();
  wait(60_000);
  await assign('ada');
  await reviewApplication({ appId, asOf }, grace);
  expect((await list()).lastReview).toMatchObject({
    asOf,
    laterChanges: 1,
    caller: grace.caller,
    reason: 'on call',
    ticket: 'OPS-1',
    at: '2026-11-20T19:01:00.000Z',
  });
});
