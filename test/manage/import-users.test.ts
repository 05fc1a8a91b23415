import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ImportedUser } from '#shared/contract/user-import.ts';
import { createUlid } from '#shared/core/ids.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { readPages } from '../support/read-pages.ts';
import { startBundles, type TestService } from '../support/start-service.ts';
import { fromNow } from '../support/timestamps.ts';

let service: TestService;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startBundles();
});
afterAll(() => service.stop());

type Given = { readonly userId: string } & Record<string, unknown>;
let count = 0;
const fresh = () => `imported-${++count}`;

function ask(users: readonly Given[], options: object = {}) {
  return manage('iam', 'POST', '/user-imports', { body: { users, ...options } });
}

async function importOne(user: Given, options: object = {}) {
  const answer = await ask([user], options);
  expect(answer.status).toBe(200);
  return { ...answer.body.items[0], changesMade: await changesOf(service, answer) };
}

const get = async (path: string) => (await manage('iam', 'GET', path)).body;
const accessOf = async (userId: string, appId: string) =>
  (await get(`/users/${userId}/access`)).items.find((item: { appId: string }) => item.appId === appId);

test('creates a user with everything that is given, in one change each, with the id of the bulk and the reason', async () => {
  const appId = await newApplication(['editor', 'viewer']);
  const [userId, until, bulkId] = [fresh(), fromNow(3600), createUlid(new Date())];
  const user = {
    ...{ userId, displayName: 'Ada Lovelace', email: 'ada@example.com' },
    accesses: [{ appId, status: 'disabled', until }],
    roles: [
      { appId, role: 'editor', expiresAt: until },
      { appId, role: 'viewer' },
    ],
  };
  const { changesMade, ...outcome } = await importOne(user, { bulkId, reason: 'migration' });
  expect(outcome).toEqual({
    ...{ userId, outcome: 'changed', problems: [] },
    changes: [
      { effect: 'created' },
      { effect: 'blocked', appId },
      { effect: 'assigned', appId, role: 'editor' },
      { effect: 'assigned', appId, role: 'viewer' },
    ],
  });
  expect(await get(`/users/${userId}`)).toMatchObject({ displayName: 'Ada Lovelace', status: 'active' });
  expect(await accessOf(userId, appId)).toMatchObject({
    ...{ status: 'disabled', until, reason: 'migration' },
    roles: [
      { name: 'editor', expiresAt: until },
      { name: 'viewer', expiresAt: null },
    ],
  });
  expect(changesMade.map(({ bulkId: of }: { bulkId: string }) => of)).toEqual(Array(4).fill(bulkId));
  expect((await importOne(user, { bulkId: createUlid(new Date()) })).outcome).toBe('unchanged');
});

test('a new user who is inactive stays inactive when the bulk is undone', async () => {
  const [userId, bulkId] = [fresh(), createUlid(new Date())];
  const { changes } = await importOne({ userId, status: 'inactive' }, { bulkId });
  expect(changes).toEqual([{ effect: 'created' }, { effect: 'deactivated' }]);
  await manage('iam', 'POST', `/bulks/${bulkId}/undo`);
  expect((await get(`/users/${userId}`)).status).toBe('inactive');
});

describe('what is left out stays as it is', () => {
  test.each<[string, Omit<ImportedUser, 'userId' | 'accesses' | 'roles'>, object]>([
    ['the name', { email: 'new@example.com' }, { displayName: 'Ada', email: 'new@example.com', status: 'inactive' }],
    ['the status', { displayName: 'Ada King' }, { displayName: 'Ada King', email: null, status: 'inactive' }],
  ])('%s', async (_, given, expected) => {
    const userId = await newUser();
    await manage('iam', 'PATCH', `/users/${userId}`, { body: { displayName: 'Ada' } });
    await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive' } });
    expect((await importOne({ userId, ...given })).changes).toEqual([{ effect: 'updated' }]);
    expect(await get(`/users/${userId}`)).toMatchObject(expected);
  });

  test('the end and the reason of a block, and the expiry of a role', async () => {
    const [appId, userId, end] = [await newApplication(['editor']), await newUser(), fromNow(3600)];
    await setStatus(userId, appId, 'disabled', 'unpaid');
    await importOne({ userId, accesses: [{ appId, status: 'disabled', until: end }] }, { reason: 'unpaid' });
    await manage('iam', 'PUT', `/users/${userId}/roles/${appId}/editor`, { body: { expiresAt: end } });
    const before = await accessOf(userId, appId);
    const given = { accesses: [{ appId, status: 'disabled' }], roles: [{ appId, role: 'editor' }] };
    expect((await importOne({ userId, ...given }, { reason: 'migration' })).outcome).toBe('unchanged');
    expect(await accessOf(userId, appId)).toEqual(before);
  });
});

test('null clears a name, the end of a block and the expiry of a role', async () => {
  const [appId, userId, end] = [await newApplication(['editor']), await newUser(), fromNow(3600)];
  const given = (value: string | null, displayName: string | null) => ({
    ...{ userId, displayName },
    accesses: [{ appId, status: 'disabled', until: value }],
    roles: [{ appId, role: 'editor', expiresAt: value }],
  });
  await importOne(given(end, 'Ada'));
  await importOne(given(null, null));
  expect((await get(`/users/${userId}`)).displayName).toBeNull();
  expect(await accessOf(userId, appId)).toMatchObject({ until: null, roles: [{ name: 'editor', expiresAt: null }] });
});

test('revokes a role, and succeeds if the user does not hold it', async () => {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  await grantRole(userId, appId, 'editor');
  const user = { userId, roles: [{ appId, role: 'editor', status: 'revoked' }] };
  expect((await importOne(user)).changes).toEqual([{ effect: 'revoked', appId, role: 'editor' }]);
  expect((await importOne(user)).outcome).toBe('unchanged');
});

describe('what gives access back', () => {
  const inactive = async () => {
    const userId = await newUser();
    await manage('iam', 'PUT', `/users/${userId}/status`, { body: { status: 'inactive' } });
    return { user: { userId, status: 'active' }, effect: { effect: 'reactivated' }, flag: 'reactivate' };
  };
  const blocked = async () => {
    const [appId, userId] = [await newApplication([]), await newUser()];
    await setStatus(userId, appId, 'disabled', 'unpaid');
    const user = { userId, accesses: [{ appId, status: 'enabled' }] };
    return { user, effect: { effect: 'unblocked', appId }, flag: 'unblock' };
  };

  test.each([
    ['to an inactive user', inactive],
    ['to a blocked user', blocked],
  ])('%s needs a confirmation, in a dry run and without', async (_, prepare) => {
    const { user, effect, flag } = await prepare();
    for (const dryRun of [true, false]) {
      const refused = await importOne(user, { dryRun });
      expect(refused).toMatchObject({ outcome: 'failed', problems: [{ code: 'invalid_request' }], changesMade: [] });
      expect(refused.problems[0].detail).toContain(`"${flag}"`);
    }
    expect((await importOne(user, { [flag]: true, dryRun: true })).changes).toEqual([effect]);
    expect((await importOne(user, { [flag]: true })).changes).toEqual([effect]);
  });

  test('a block that has ended needs none', async () => {
    const [appId, userId, until] = [await newApplication([]), await newUser(), fromNow(1)];
    await importOne({ userId, accesses: [{ appId, status: 'disabled', until }] });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const allowed = await importOne({ userId, accesses: [{ appId, status: 'enabled' }] });
    expect(allowed.changes).toEqual([{ effect: 'allowed', appId }]);
  });
});

test('a block that has ended is set again by the same file', async () => {
  const [appId, userId, until] = [await newApplication([]), await newUser(), fromNow(1)];
  await importOne({ userId, accesses: [{ appId, status: 'disabled', until }] });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const again = await importOne({ userId, accesses: [{ appId, status: 'disabled' }] });
  expect(again.changes).toEqual([{ effect: 'blocked', appId }]);
  expect(await accessOf(userId, appId)).toMatchObject({ effectiveStatus: 'disabled', until: null });
});

test('without `create`, a user who does not exist fails, and is not created', async () => {
  const [appId, userId] = [await newApplication([]), fresh()];
  const user = { userId, displayName: 'Ada', accesses: [{ appId, status: 'disabled' }] };
  for (const dryRun of [true, false]) {
    const { problems, changesMade } = await importOne(user, { create: false, dryRun });
    expect([problems, changesMade]).toEqual([
      [{ code: 'user_not_found', detail: expect.stringContaining('creates no users') }],
      [],
    ]);
  }
  expect((await manage('iam', 'GET', `/users/${userId}`)).status).toBe(404);
});

describe('a dry run', () => {
  test('writes nothing, and has the outcomes of the run, for new users too', async () => {
    const [appId, known] = [await newApplication(['editor']), await newUser()];
    const contents = { accesses: [{ appId, status: 'disabled' }], roles: [{ appId, role: 'editor' }] };
    const users = [
      { userId: fresh(), displayName: 'New', ...contents },
      { userId: known, status: 'inactive', ...contents },
    ];
    const preview = await ask(users, { dryRun: true });
    expect(await changesOf(service, preview)).toEqual([]);
    expect((await ask(users)).body).toEqual(preview.body);
  });

  test('reports all problems of a user; the run stops at the first, and other users are not affected', async () => {
    const [appId, other] = [await newApplication(['editor']), fresh()];
    const userId = fresh();
    const user = {
      userId,
      accesses: [{ appId: 'no-such-app', status: 'disabled' }],
      roles: [
        { appId, role: 'nothing' },
        { appId, role: 'editor', expiresAt: '2020-01-01T00:00:00Z' },
      ],
    };
    const [preview] = (await ask([user], { dryRun: true })).body.items;
    expect(preview.problems.map(({ detail: _, ...about }: { detail: string }) => about)).toEqual([
      { code: 'application_not_found', appId: 'no-such-app' },
      { code: 'role_not_found', appId, role: 'nothing' },
      { code: 'invalid_request', appId, role: 'editor' },
    ]);
    const { body } = await ask([user, { userId: other }]);
    expect(body.items).toMatchObject([
      { userId, outcome: 'failed', problems: [{ code: 'application_not_found' }] },
      { userId: other, outcome: 'changed' },
    ]);
  });
});

test('a repeated request has the outcomes of the first, and changes nothing again', async () => {
  const [appId, userId] = [await newApplication(['editor']), fresh()];
  const users = [
    {
      ...{ userId, displayName: 'Ada' },
      accesses: [{ appId, status: 'disabled' }],
      roles: [{ appId, role: 'editor' }],
    },
  ];
  const headers = { 'idempotency-key': `import-${userId}` };
  const send = () => manage('iam', 'POST', '/user-imports', { body: { users }, headers });
  const [first, second] = [await send(), await send()];
  expect(second.body.items[0].outcome).toBe(first.body.items[0].outcome);
  expect(
    (await readPages((method, path) => manage('iam', method, path), `/users/${userId}/changes`)).flat(),
  ).toHaveLength(3);
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
