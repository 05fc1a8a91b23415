import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { changesOf } from '../support/read-changes.ts';
import { startBundles, type TestService } from '../support/start-service.ts';

let service: TestService;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

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
