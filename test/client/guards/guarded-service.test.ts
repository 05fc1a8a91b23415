import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuthServiceClient } from '../../../client/index.ts';
import { describeService } from '../../support/describe-service.ts';
import { manageClient } from '../../support/manage-client.ts';
import { newUser } from '../../support/new-user.ts';
import type { Key } from '../../support/send-request.ts';
import { startBundles } from '../../support/start-service.ts';
import { frameworks, type GuardedServer, type Options, secret } from './guarded-server.ts';

const service = describeService(startBundles);
let client: AuthServiceClient;
const users: Record<string, string> = { unknown: 'nobody' };
beforeAll(async () => {
  client = clientOf(service.billingKey);
  for (const name of ['editor', 'blocked', 'inactive', 'erased']) users[name] = await newUser(`guarded-${name}`);
  await client.assignRole('guarded-editor', 'editor');
  await client.setAccess('guarded-blocked', { status: 'disabled', reason: 'unpaid since May' });
  const deactivation = { body: { status: 'inactive', reason: null } };
  expect((await manage('iam', 'PUT', '/users/guarded-inactive/status', deactivation)).status).toBe(200);
  expect((await manage('iam', 'DELETE', '/users/guarded-erased')).status).toBeLessThan(300);
});

const manage = manageClient(() => service);

const clientOf = (key: Key) => new AuthServiceClient({ baseUrl: service.url, ...key, maxAttempts: 1 });

describe.each(Object.entries(frameworks))('the guard of %s', (_, serve) => {
  const servers: GuardedServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.close())));

  async function guarded(options: Partial<Options> = {}): Promise<GuardedServer> {
    const server = await serve({ source: client, ...options });
    servers.push(server);
    return server;
  }

  test('admits a user with access, and provides the access', async () => {
    const { status, text } = await (await guarded()).send('/admin', { user: 'guarded-editor' });
    expect([status, JSON.parse(text)]).toEqual([200, { secret, access: await client.getAccess('guarded-editor') }]);
  });

  test.each(['unknown', 'blocked', 'inactive', 'erased'])('refuses a user who is %s with 403', async (name) => {
    const { status, headers, text } = await (await guarded()).send('/admin', { user: users[name] ?? '' });
    expect(status).toBe(403);
    expect(headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
    expect(JSON.parse(text)).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'This user has no access to this application.',
      code: 'access_denied',
    });
  });

  test('shows the reason of a block only with showReason', async () => {
    const { text } = await (await guarded({ showReason: true })).send('/admin', { user: 'guarded-blocked' });
    expect(JSON.parse(text)).toMatchObject({ code: 'access_denied', reason: 'unpaid since May' });
  });

  test('requires the role, or one of several roles', async () => {
    const cases = ['editor', ['viewer', 'editor'], 'viewer', ['viewer', 'Editor']].map(async (role) => {
      const { status, text } = await (await guarded({ role })).send('/admin', { user: 'guarded-editor' });
      return [status, JSON.parse(text).code];
    });
    const missing = [403, 'role_missing'];
    expect(await Promise.all(cases)).toEqual([[200, undefined], [200, undefined], missing, missing]);
  });

  test('refuses a blocked user who has the role', async () => {
    const user = await newUser();
    await client.assignRole(user, 'editor');
    await client.setAccess(user, { status: 'disabled' });
    const { status, text } = await (await guarded({ role: 'editor' })).send('/admin', { user });
    expect([status, JSON.parse(text).code]).toEqual([403, 'access_denied']);
  });

  test('a block applies from the next request', async () => {
    const user = await newUser();
    const server = await guarded();
    expect((await server.send('/admin', { user })).status).toBe(200);
    await client.setAccess(user, { status: 'disabled' });
    expect((await server.send('/admin', { user })).status).toBe(403);
  });

  test('answers 503 while the key is rejected', async () => {
    const key = await service.issueKey('billing', ['access:read']);
    const server = await guarded({ source: clientOf(key) });
    expect((await server.send('/admin', { user: 'guarded-editor' })).status).toBe(200);
    expect((await manage('iam', 'DELETE', `/applications/billing/keys/${key.keyId}`)).status).toBeLessThan(300);
    const { status, headers, text } = await server.send('/admin', { user: 'guarded-editor' });
    expect([status, headers['retry-after'], JSON.parse(text).code]).toEqual([503, '5', 'access_unavailable']);
    expect(text).not.toMatch(/key|svk_/);
  });

  test('answers 503 when the key lacks the scope', async () => {
    const server = await guarded({ source: clientOf(await service.issueKey('billing', ['access:write'])) });
    expect((await server.send('/admin', { user: 'guarded-editor' })).status).toBe(503);
  });

  test('never mixes up the accesses of concurrent requests', async () => {
    const server = await guarded();
    const ids = await Promise.all(Array.from({ length: 8 }, () => newUser()));
    const answers = await Promise.all(ids.map((user) => server.send('/admin', { user })));
    expect(answers.map(({ text }) => JSON.parse(text).access.userId)).toEqual(ids);
  });
});
