import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { eventually } from '#test/support/eventually.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { newApplication } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import type { Answer } from '#test/support/send-request.ts';
import { startBundles, type TestService } from '#test/support/start-service.ts';
import { startReceiver, verifyDelivery, type WebhookReceiver } from './webhook-receiver.ts';

let service: TestService;
let receiver: WebhookReceiver;
const manage = manageClient(() => service);
beforeAll(async () => {
  [service, receiver] = await Promise.all([startBundles(), startReceiver()]);
});
afterAll(() => Promise.all([service.stop(), receiver.close()]));
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => 202;
});

async function ask(method: string, path: string, body?: object): Promise<Answer['body']> {
  const answer = await manage('iam', method, path, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function create(format: 'standard' | 'set', events: readonly string[]) {
  const [appId, userId] = [await newApplication(), await newUser()];
  const webhook = { webhookId: 'backend', url: receiver.url, format, events };
  const { secret } = await ask('POST', `/applications/${appId}/webhooks`, webhook);
  return { appId, userId, secret, path: `/applications/${appId}/webhooks/backend` };
}

const arrived = (count: number) =>
  eventually(
    async () => receiver.received.length,
    (received) => received >= count,
  );

test('a block reaches the webhook of its application within seconds, by the functions and policies of the stack', async () => {
  const { appId, userId, secret, path } = await create('standard', ['access.changed']);
  await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled', reason: 'left' });
  await arrived(1);
  const [delivery] = receiver.received;
  if (delivery === undefined) throw new Error('Nothing arrived');
  expect(verifyDelivery(secret, delivery)).toMatchObject({ type: 'access.changed', data: { appId, userId } });
  const { items } = await eventually(
    () => ask('GET', `${path}/attempts`),
    (page) => page.items.length > 0,
  );
  expect(items).toMatchObject([{ outcome: 'delivered', status: 202, eventId: delivery.headers['webhook-id'] }]);
  expect(service.logLines.join('\n')).not.toContain(secret);
});

test('a test event arrives', async () => {
  const { secret, path } = await create('standard', ['access.changed']);
  expect(await ask('POST', `${path}/test`)).toEqual({ queued: true });
  await arrived(1);
  const [first] = receiver.received;
  expect(first && verifyDelivery(secret, first)).toMatchObject({ type: 'webhook.test' });
});

test('a leaver is announced as security events, which jose verifies by the published keys', async () => {
  const { userId } = await create('set', ['user.status.changed']);
  await ask('PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'left' });
  await arrived(2);
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.url));
  const verified = await Promise.all(
    receiver.received.map(({ raw }) => jwtVerify(raw, keys, { audience: receiver.url, typ: 'secevent+jwt' })),
  );
  const payload = Object(verified[0]?.payload);
  expect(verified.map((one) => Object.keys(Object(one.payload.events)))).toEqual([
    ['https://schemas.openid.net/secevent/caep/event-type/session-revoked'],
    ['https://schemas.openid.net/secevent/risc/event-type/account-disabled'],
  ]);
  expect(payload).toMatchObject({ sub_id: { format: 'iss_sub', iss: payload.iss, sub: userId } });
  expect(payload).not.toHaveProperty('sub');
  expect(payload).not.toHaveProperty('exp');
  expect(receiver.received[0]?.headers).toMatchObject({ 'content-type': 'application/secevent+jwt' });
});

test('a webhook that is gone turns itself off, which its history says', async () => {
  const { appId, userId, path } = await create('standard', ['access.changed']);
  receiver.answer = () => 410;
  await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled', reason: 'left' });
  const { offReason } = await eventually(
    () => ask('GET', path),
    ({ state }) => state === 'failed',
  );
  expect(offReason).toBe('gone');
  const { items } = await ask('GET', `/applications/${appId}/changes?limit=1`);
  expect(items).toMatchObject([{ action: 'webhook.updated', caller: { kind: 'service' }, webhookId: 'backend' }]);
});
