import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changeKeys, verifyChange } from '#client/verify-change.ts';
import { alterItem } from '#test/support/alter-item.ts';
import { eventually } from '#test/support/eventually.ts';
import { expectInvalid, expectProblem } from '#test/support/expect-problem.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { changesOf } from '#test/support/read-changes.ts';
import { freshNonce, type Key, type RequestOptions } from '#test/support/send-request.ts';
import { startBundles, type TestService } from '#test/support/start-service.ts';
import { webhookEvents } from '../contract/webhook-events.ts';
import { startReceiver, verifyDelivery, type WebhookReceiver } from './webhook-receiver.ts';

let service: TestService;
let receiver: WebhookReceiver;
/** Without the scope. */
let otherKey: Key;
const manage = manageClient(() => service);
beforeAll(async () => {
  [service, receiver] = await Promise.all([startBundles(), startReceiver()]);
  otherKey = await service.issueKey('billing', ['access:read', 'access:write', 'roles:write']);
});
afterAll(() => Promise.all([service.stop(), receiver.close()]));

const url = 'https://billing.example.com/hooks/access';
const path = '/api/service/webhooks';
const aSecret = expect.stringMatching(/^whsec_[\w+/]{43}=$/);

/** A new application with a key of this scope only. */
async function anApplication(): Promise<{ appId: string; key: Key }> {
  const appId = await newApplication();
  return { appId, key: await service.issueKey(appId, ['webhooks:write', 'access:read']) };
}

const set = (key: Key, body: object, options: RequestOptions = {}, id = 'backend') =>
  service.request(['PUT', `${path}/${id}`], { key, body, ...options });
const list = async (key: Key) => (await service.request(['GET', path], { key })).body.items;
const rotate = (key: Key, options: RequestOptions = {}) =>
  service.request(['POST', `${path}/backend/rotate`], { key, body: { overlap: 'PT1H' }, ...options });
const remove = (key: Key, id = 'backend') => service.request(['DELETE', `${path}/${id}`], { key });

describe('an application sets its webhooks with its own key', () => {
  test('the first request creates the webhook and returns its secret, and the same request changes nothing', async () => {
    const { appId, key } = await anApplication();
    const setting = { url, events: ['user.deleted'] };
    const created = await set(key, setting);
    expect([created.status, created.body]).toMatchObject([
      200,
      {
        webhookId: 'backend',
        url,
        format: 'standard',
        enabled: true,
        events: ['user.deleted'],
        state: 'on',
        changed: true,
      },
    ]);
    expect(created.body.secret).toEqual(aSecret);
    expect(created.headers.etag).toBe('"1"');
    expect(await changesOf(service, created)).toMatchObject([
      { action: 'webhook.created', appId, webhookId: 'backend', caller: { kind: 'api-key', appId, keyId: key.keyId } },
    ]);
    const again = await set(key, setting);
    const { secret, changed, ...view } = created.body;
    expect(again.body).toEqual({ ...view, changed: false, secret: null });
    expect(await changesOf(service, again)).toEqual([]);
    expect(await list(key)).toEqual([view]);
    expect((await manage('iam', 'GET', `/applications/${appId}/webhooks/backend`)).body).toEqual(view);
  });

  test('a block reaches the webhook that the application set up, signed with the secret that it got', async () => {
    const { appId, key } = await anApplication();
    const userId = await newUser();
    const { body } = await set(key, { url: receiver.url, events: ['access.changed'] });
    await manage('iam', 'PUT', `/users/${userId}/access/${appId}`, { body: { status: 'disabled', reason: 'left' } });
    const [delivery] = await eventually(
      async () => receiver.received,
      (received) => received.length > 0,
    );
    if (delivery === undefined) throw new Error('Nothing arrived');
    expect(verifyDelivery(body.secret, delivery)).toMatchObject({ type: 'access.changed', data: { appId, userId } });
  });

  test('members that are omitted get their defaults, and the secret stays', async () => {
    const { key } = await anApplication();
    const { body: first } = await set(key, { url, events: ['access.changed'], enabled: false });
    const { body } = await set(key, { url: `${url}/2` });
    expect(body).toMatchObject({ url: `${url}/2`, events: null, enabled: true, state: 'on', version: 2, secret: null });
    expect(body.secrets).toEqual(first.secrets);
  });

  test('a webhook that has turned itself off is on again', async () => {
    const { appId, key } = await anApplication();
    await set(key, { url });
    for (const [name, value] of Object.entries({ enabled: false, offReason: 'failing' }))
      await alterItem(service, [`APP#${appId}`, 'APP'], ['webhooks', 'backend', name], value);
    expect(await list(key)).toMatchObject([{ state: 'failed', offReason: 'failing' }]);
    expect((await set(key, { url })).body).toMatchObject({ state: 'on', offReason: null, changed: true });
  });

  test('an operator’s webhook is the application’s too', async () => {
    const { appId, key } = await anApplication();
    await manage('iam', 'POST', `/applications/${appId}/webhooks`, { body: { webhookId: 'backend', url } });
    expect((await set(key, { url, enabled: false })).body).toMatchObject({ version: 2, state: 'off', secret: null });
  });

  test('a repeated creation returns the same secret, and a repeated rotation the secret of the first', async () => {
    const { key } = await anApplication();
    const [creation, rotation] = [{ nonce: freshNonce() }, { nonce: freshNonce() }];
    const created = await set(key, { url }, { signing: creation });
    const rotated = await rotate(key, { signing: rotation });
    expect(rotated.body).toMatchObject({ version: 2, secrets: [{ expiresAt: null }, { expiresAt: aTime }] });
    expect(rotated.body.secret).toEqual(aSecret);
    expect(rotated.body.secret).not.toBe(created.body.secret);
    await rotate(key);
    const later = { created: Math.floor(Date.now() / 1000) + 1 };
    const retried = await Promise.all([
      set(key, { url }, { signing: { ...creation, ...later } }),
      rotate(key, { signing: { ...rotation, ...later } }),
    ]);
    expect(retried.map(({ status, body }) => [status, body.secret])).toEqual([
      [200, created.body.secret],
      [200, rotated.body.secret],
    ]);
    expect(await list(key)).toMatchObject([{ version: 3 }]);
  });

  test('a deleted webhook is gone, and can be created again with another secret', async () => {
    const { appId, key } = await anApplication();
    const { body: first } = await set(key, { url });
    const delivers = async () => (await service.items()).has(`WEBHOOKS ${appId}#backend`);
    expect(await delivers()).toBe(true);
    expect((await remove(key)).body).toEqual({ changed: true, complete: true });
    expect([await list(key), await delivers()]).toEqual([[], false]);
    expectProblem(await remove(key), 'webhook_not_found');
    expectProblem(await rotate(key), 'webhook_not_found');
    expect((await set(key, { url })).body.secret).not.toBe(first.secret);
  });
});

const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

test('an @ in a path or a query is no credential', async () => {
  const { key } = await anApplication();
  const withAt = 'https://billing.example.com/@backend?for=me@example.com';
  expect((await set(key, { url: withAt })).body.url).toBe(withAt);
});

describe('refusals, after which there is no webhook', () => {
  afterAll(async () => expect(await list(service.billingKey)).toEqual([]));

  test.each([
    ['GET', path, undefined],
    ['PUT', `${path}/backend`, { url }],
    ['DELETE', `${path}/backend`, undefined],
    ['POST', `${path}/backend/rotate`, { overlap: 'PT1H' }],
  ] as const)('a key without the scope is refused: %s %s', async (method, target, body) => {
    expectProblem(await service.request([method, target], { key: otherKey, body }), 'scope_missing');
  });

  test.each([
    ['http', 'http://billing.example.com/'],
    ['a private address', 'https://10.0.0.1/'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data'],
    ['another port below 1024', 'https://billing.example.com:22/'],
    ['credentials', 'https://me:secret@billing.example.com/'],
    ['no URL', 'billing.example.com'],
  ])('a URL with %s is refused', async (_, wrong) => {
    expectInvalid(await service.request(['PUT', `${path}/backend`], { body: { url: wrong } }), '#/url');
  });

  test('an unknown kind of change, an unknown member and a wrong id are refused, each by its name', async () => {
    const ask = (id: string, body: object) => service.request(['PUT', `${path}/${id}`], { body });
    expectInvalid(
      await ask('backend', { url, events: [...webhookEvents, 'nothing'] }),
      `#/events/${webhookEvents.length}`,
    );
    expectInvalid(await ask('backend', { url, secret: 'mine' }), '#/secret');
    expectInvalid(await ask('Backend', { url }), 'path:webhookId');
    expectInvalid(await ask('backend', {}), '#/url');
  });

  test('without a signature nothing is told', async () => {
    const response = await fetch(new URL(path, service.url));
    expect([response.status, Object(await response.json()).code]).toEqual([401, 'signature_missing']);
  });
});

test('an application neither sees nor touches the webhooks of another', async () => {
  const [one, other] = [await anApplication(), await anApplication()];
  const { body } = await set(one.key, { url });
  expect(await list(other.key)).toEqual([]);
  expectProblem(await remove(other.key), 'webhook_not_found');
  expectProblem(await rotate(other.key), 'webhook_not_found');
  expect((await set(other.key, { url })).body.secret).not.toBe(body.secret);
  expect(await list(one.key)).toMatchObject([{ version: 1, secrets: body.secrets }]);
});

test('one more than five webhooks are refused', async () => {
  const { key } = await anApplication();
  const ids = ['one', 'two', 'three', 'four', 'five'];
  for (const id of ids) expect((await set(key, { url }, {}, id)).status).toBe(200);
  expectProblem(await set(key, { url }, {}, 'six'), 'too_many_webhooks');
  expect((await list(key)).map(({ webhookId }: { webhookId: string }) => webhookId)).toEqual([...ids].sort());
});

test('the feed shows where webhooks post only to a key that may set them, signed in either form', async () => {
  const { appId, key } = await anApplication();
  const reader = await service.issueKey(appId, ['access:read']);
  await set(key, { url: `${url}?token=first` });
  await set(key, { url: `${url}?token=second`, format: 'set' });
  await remove(key);
  const keys = changeKeys({ baseUrl: service.url });
  const readAs = async (one: Key) => {
    const { items } = (await service.request(['GET', '/api/service/changes?limit=100'], { key: one })).body;
    return Promise.all(items.map((item: { action: string }) => verifyChange(item, { keys })));
  };
  const [shown, hidden] = [await readAs(key), await readAs(reader)];
  expect(hidden.map(({ action }) => action)).toEqual(shown.map(({ action }) => action));
  expect(hidden.filter(({ webhookId }) => webhookId === 'backend')).toMatchObject([
    { action: 'webhook.created', after: { format: 'standard' } },
    { action: 'webhook.updated', before: { format: 'standard' }, after: { format: 'set' } },
    { action: 'webhook.deleted', before: { format: 'set' } },
  ]);
  expect(JSON.stringify(hidden)).not.toContain('url');
  expect(JSON.stringify(hidden)).not.toContain('token=');
  expect(shown.flatMap(({ before, after }) => [before?.url, after?.url])).toEqual(
    expect.arrayContaining([`${url}?token=first`, `${url}?token=second`]),
  );
});

test('another version than the expected one is refused', async () => {
  const { key } = await anApplication();
  await set(key, { url });
  const headers = { 'if-match': '"7"' };
  expectProblem(await set(key, { url: `${url}/2` }, { headers }), 'version_mismatch', { version: 1 });
  expect((await set(key, { url: `${url}/2` }, { headers: { 'if-match': '"1"' } })).body).toMatchObject({ version: 2 });
});

test('a revoked key sets nothing', async () => {
  const { appId, key } = await anApplication();
  await manage('iam', 'DELETE', `/applications/${appId}/keys/${key.keyId}`);
  expectProblem(await set(key, { url }), 'key_revoked');
  expect((await manage('iam', 'GET', `/applications/${appId}/webhooks`)).body.items).toEqual([]);
});
