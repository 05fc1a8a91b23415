import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import { describeService } from '#test/support/describe-service.ts';
import { expectInvalid } from '#test/support/expect-problem.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { changesOf } from '#test/support/read-changes.ts';

const service = describeService();
const manage = manageClient(() => service);

const ask = (users: readonly object[], options: object = {}) =>
  manage('iam', 'POST', '/user-imports', { body: { users, ...options } });

test('a hundred users with a block and a role each are imported in one request, with a record of each change', async () => {
  const [appId, bulkId] = [await newApplication(['editor']), createUlid(new Date())];
  const users = Array.from({ length: 100 }, (_, number) => ({
    userId: `imported-${number}`,
    accesses: [{ appId, status: 'disabled' }],
    roles: [{ appId, role: 'editor' }],
  }));
  const preview = await ask(users, { dryRun: true });
  expect(await changesOf(service, preview)).toEqual([]);
  const answer = await ask(users, { bulkId });
  expect([answer.status, answer.body]).toEqual([200, preview.body]);
  const records = await changesOf(service, answer);
  expect(records.map((record) => record.bulkId)).toEqual(Array(300).fill(bulkId));
});

test.each([
  ['names a user twice', [{ userId: 'ada' }, { userId: 'ada' }], '#/users'],
  ['has an invalid id', [{ userId: 'no id' }], '#/users/0/userId'],
  ['has an unknown member', [{ userId: 'ada', phone: '1' }], '#/users/0/phone'],
  [
    'names an application twice',
    [{ userId: 'ada', accesses: ['enabled', 'disabled'].map((status) => ({ appId: 'billing', status })) }],
    '#/users/0/accesses',
  ],
  [
    'names a role twice',
    [{ userId: 'ada', roles: ['a', 'a'].map((role) => ({ appId: 'billing', role })) }],
    '#/users/0/roles',
  ],
])('a request that %s is refused as a whole', async (_, users, pointer) => {
  expectInvalid(await ask(users), pointer);
});

test('a retry may list fewer users, and each of them gets the first outcome', async () => {
  const [one, other] = [await newUser(), await newUser()].map((userId) => ({ userId, displayName: 'Name' }));
  const headers = { 'idempotency-key': `"${randomUUID()}"` };
  const importAll = (users: readonly unknown[]) =>
    manage('iam', 'POST', '/user-imports', { headers, body: { users, create: false } });
  await importAll([one, other]);
  const [again] = (await importAll([other])).body.items;
  expect(again).toMatchObject({ userId: other?.userId, outcome: 'changed', changes: [{ effect: 'updated' }] });
  const [refused] = (await importAll([{ ...other, displayName: 'Another' }])).body.items;
  expect(refused).toMatchObject({ outcome: 'failed', problems: [{ code: 'idempotency_key_reused' }] });
});

test('a change in an application that requires reasons needs one, as the dry run says', async () => {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  await manage('iam', 'PATCH', `/applications/${appId}`, { body: { requireReason: 'operators' } });
  const users = [{ userId, roles: [{ appId, role: 'editor' }] }];
  for (const dryRun of [true, false]) {
    const { body } = await ask(users, { dryRun });
    expect(body.items).toMatchObject([{ outcome: 'failed', problems: [{ code: 'reason_required' }] }]);
  }
  const why = { reason: 'left the team', ticket: 'INC-1234' };
  expect(await changesOf(service, await ask(users, why))).toMatchObject([{ action: 'role.assigned', ...why }]);
});
