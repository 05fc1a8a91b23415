import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { seedExample } from '../../local/seed-example.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { withoutSettling } from '../support/environments.ts';
import { makeFolder } from './write-assembly.ts';

const assembly = process.env.TEST_ASSEMBLY ?? '';
const root = Buffer.alloc(32, 7).toString('base64');
let dynamodb: DynamodbProcess;
let stack: RunningStack;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
});
afterEach(() => stack.close());
afterAll(() => dynamodb.stop());

/** Starts a separate stack for each test, because each test seeds it. */
async function start(tableName: string) {
  const environment = withoutSettling;
  stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName, root, environment });
  const file = join(await makeFolder(), 'example.json');
  const seed = () => seedExample({ ...stack, baseUrl: stack.url, file });
  return { file, seed, ask: createManageClient(stack.manageUrl, stack.accessKey) };
}

test('seeds applications, roles, users and a key, and writes a file with what calls to both APIs need', async () => {
  const { file, seed, ask } = await start('first');
  const example = await seed();
  expect(example).toEqual({
    baseUrl: stack.url,
    appId: 'billing',
    keyId: expect.stringMatching(/^svk_k1_billing_/),
    secret: expect.stringMatching(/^svs_/),
    userIds: ['ada', 'grace', 'alan', 'auth0|123', 'jonas', 'mei', 'omar', 'priya'],
    roles: ['viewer', 'editor', 'admin'],
    manageUrl: stack.manageUrl,
    region: 'local',
    ...stack.accessKey,
    issuer: stack.issuer,
    audience: 'dashboard',
    clientId: 'dashboard',
  });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(example);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await ask('GET', '/users/auth0%7C123')).toMatchObject({
    body: { userId: 'auth0|123', displayName: 'Katarina Novak', email: 'katarina.novak@example.com' },
  });
  expect(await ask('GET', '/applications/warehouse/roles')).toMatchObject({
    body: { items: [{ role: 'picker', description: 'Works through picking lists' }, { role: 'stock-keeper' }] },
  });
});

test('seeds roles, blocks and inactive users, each with its reason in the history', async () => {
  const { seed, ask } = await start('company');
  await seed();
  expect(await ask('GET', '/users/alan/access')).toMatchObject({
    body: {
      items: [
        { appId: 'billing', status: 'disabled', reason: 'Moved to the warehouse team', roles: [{ name: 'viewer' }] },
        { appId: 'crm', explicit: false, roles: [] },
        { appId: 'warehouse', status: 'enabled', roles: [{ name: 'picker' }] },
        { appId: 'wiki', explicit: false, roles: [] },
      ],
    },
  });
  expect(await ask('GET', '/users/jonas/changes?limit=1')).toMatchObject({
    body: { items: [{ action: 'user.status.changed', reason: 'Left the company' }] },
  });
});

test("seeds no access to the key's application for the users in the documents' first examples", async () => {
  const { seed, ask } = await start('documents');
  const { appId, userIds } = await seed();
  expect(userIds[0]).toBe('ada');
  for (const userId of ['ada', 'auth0%7C123']) {
    const { body } = await ask('GET', `/users/${userId}/access`);
    expect(body).toMatchObject({ items: [{ appId, version: 0, explicit: false, roles: [] }, {}, {}, {}] });
  }
});

test('keeps existing data, and the key while it is valid', async () => {
  const { file, seed, ask } = await start('again');
  const { keyId, secret } = await seed();
  await ask('PATCH', '/users/ada', { displayName: 'Ada King' });
  await ask('PUT', '/applications/billing/roles/viewer', { description: 'Looks' });
  await ask('PUT', '/users/alan/access/billing', { status: 'enabled' });
  expect(await seed()).toMatchObject({ keyId, secret });
  expect(await ask('GET', '/users/ada')).toMatchObject({ body: { displayName: 'Ada King' } });
  expect(await ask('GET', '/applications/billing/roles/viewer')).toMatchObject({ body: { description: 'Looks' } });
  expect(await ask('GET', '/users/alan/access')).toMatchObject({
    body: { items: [{ status: 'enabled' }, {}, {}, {}] },
  });

  await ask('DELETE', `/applications/billing/keys/${keyId}`);
  const next = await seed();
  expect(next.keyId).not.toBe(keyId);
  writeFileSync(file, '{"keyId":');
  expect((await seed()).keyId).not.toBe(next.keyId);
});

test('uses another id if the application was deleted', async () => {
  const { seed, ask } = await start('deleted');
  await seed();
  await ask('DELETE', '/applications/billing?force=true');
  const { appId, keyId } = await seed();
  expect(appId).toBe('billing-2');
  expect(keyId).toMatch(/^svk_k1_billing-2_/);
  expect(await seed()).toMatchObject({ appId, keyId });
});

test('reports the response of the Management API if seeding fails', async () => {
  await start('refused');
  const accessKey = { ...stack.accessKey, secretAccessKey: 'another' };
  const seeding = seedExample({ ...stack, accessKey, baseUrl: stack.url, file: '' });
  await expect(seeding).rejects.toThrow(/^The response was 403: .*signature/);
});
