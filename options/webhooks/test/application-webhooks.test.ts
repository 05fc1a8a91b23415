import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AuthServiceClient } from '#client/index.ts';
import { errorOf, stubFetch, testKey } from '#test/client/client-fixture.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { newApplication } from '#test/support/new-application.ts';
import { startSources, type TestService } from '#test/support/start-service.ts';
import {
  applicationWebhooks,
  type SetWebhook,
  type WebhookEvent,
  type WebhookSetting,
} from '../client/application-webhooks.ts';

let service: TestService;
let client: AuthServiceClient;
let appId: string;
beforeAll(async () => {
  service = await startSources();
  appId = await newApplication();
  client = new AuthServiceClient({ baseUrl: service.url, ...(await service.issueKey(appId, ['webhooks:write'])) });
});
afterAll(() => service.stop());

const manage = manageClient(() => service);
const url = 'https://billing.example.com/hooks/access';

test('sets, lists, rotates and deletes the webhooks of the application', async () => {
  const webhooks = applicationWebhooks(client);
  const events: readonly WebhookEvent[] = ['access.changed'];
  const setting: WebhookSetting = { url, events };
  const created: SetWebhook = await webhooks.set('backend', setting);
  expect(created).toMatchObject({ webhookId: 'backend', url, events: ['access.changed'], changed: true });
  expect(created.secret).toMatch(/^whsec_/);
  expect(await webhooks.set('backend', { url, events: ['access.changed'] })).toMatchObject({
    changed: false,
    secret: null,
  });
  await webhooks.set('audit', { url, enabled: false }, { signal: AbortSignal.timeout(5000) });
  const listed = await webhooks.list();
  expect(listed.map(({ webhookId, state }) => [webhookId, state])).toEqual([
    ['audit', 'off'],
    ['backend', 'on'],
  ]);
  expect((await manage('iam', 'GET', `/applications/${appId}/webhooks`)).body.items).toEqual(listed);
  const rotated = await webhooks.rotateSecret('backend', 'PT1H');
  expect([rotated.secrets.length, rotated.secret === created.secret]).toEqual([2, false]);
  expect(await webhooks.delete('audit')).toBeUndefined();
  expect((await webhooks.list()).map(({ webhookId }) => webhookId)).toEqual(['backend']);
});

test('refusals are errors with the code of the service', async () => {
  const webhooks = applicationWebhooks(client);
  const { version } = await webhooks.set('refused', { url });
  const reader = { baseUrl: service.url, ...(await service.issueKey(appId, ['access:read'])) };
  const errors = await Promise.all(
    [
      webhooks.set('refused', { url }, { ifVersion: version + 1 }),
      webhooks.set('refused', { url: 'http://billing.example.com' }),
      webhooks.delete('nobody'),
      webhooks.rotateSecret('refused', 'soon'),
      applicationWebhooks(new AuthServiceClient(reader)).list(),
    ].map(errorOf),
  );
  expect(errors.map(({ code }) => code)).toEqual([
    'version_mismatch',
    'invalid_request',
    'webhook_not_found',
    'invalid_request',
    'scope_missing',
  ]);
});

test('an id that is none, and anything but a client, is refused without a request', async () => {
  const { fetch, requests } = stubFetch(() => Response.json({}));
  const webhooks = applicationWebhooks(
    new AuthServiceClient({ baseUrl: 'https://auth.example.com', ...testKey, fetch }),
  );
  for (const id of ['..', 'a/b', 'A', '', 'x?y', undefined as never])
    expect(await errorOf(webhooks.delete(id))).toMatchObject({ code: 'invalid_request' });
  expect(requests).toEqual([]);
  for (const other of [undefined, {}, 'client'])
    expect(() => applicationWebhooks(other as never)).toThrow('must be an AuthServiceClient');
});

test('an answer about something else is unexpected', async () => {
  const { fetch } = stubFetch(() => Response.json({ webhookId: 'other', changed: true, complete: false, items: null }));
  const options = { baseUrl: 'https://auth.example.com', ...testKey, fetch, maxAttempts: 1 };
  const webhooks = applicationWebhooks(new AuthServiceClient(options));
  const calls = [
    webhooks.list(),
    webhooks.set('backend', { url }),
    webhooks.delete('backend'),
    webhooks.rotateSecret('backend', 'PT0S'),
  ];
  // All at once: one that is rejected while nothing waits for it would fail the test.
  const names = (await Promise.all(calls.map(errorOf))).map(({ name }) => name);
  expect(names).toEqual(calls.map(() => 'UnexpectedAnswerError'));
});
