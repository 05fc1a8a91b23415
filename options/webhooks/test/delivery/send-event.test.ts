import { createPublicKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jwtVerify } from 'jose';
import type { ApplicationChange } from '#shared/contract/change.ts';
import type { AppId, WebhookId } from '#shared/contract/fields.ts';
import { publicEventKey } from '#shared/keys/event-key.ts';
import { type LocalKeyService, serveKeyService } from '../../../../local/key-service.ts';
import { sendEvent, testMessage, type WebhookMessage } from '../../delivery/send-event.ts';
import { formatSecretId, formatWebhookSecret } from '../../server/webhook-secret.ts';
import type { Webhook } from '../../table/webhook-item.ts';
import { startReceiver, verifyDelivery, type WebhookReceiver } from '../webhook-receiver.ts';

const name = { appId: 'billing' as AppId, webhookId: 'backend' as WebhookId };
const secretId = formatSecretId('secret-1');
const at = new Date('2026-11-20T19:14:20.000Z');
let receiver: WebhookReceiver;
let keys: LocalKeyService;
beforeAll(async () => {
  receiver = await startReceiver();
  keys = await serveKeyService({ root: randomBytes(32).toString('base64') });
});
afterAll(() => Promise.all([receiver.close(), keys.close()]));
beforeEach(() => {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  process.env.AWS_ENDPOINT_URL_KMS = keys.url;
  process.env.EVENT_KEY_ARN = 'arn:aws:kms:local:000000000000:key/events-1';
  process.env.API_URL = 'https://auth.example.com/';
  receiver.received.length = 0;
  receiver.answer = () => 202;
});

const webhook = (more: Partial<Webhook> = {}): Webhook => ({
  url: receiver.url,
  format: 'standard',
  enabled: true,
  events: null,
  offReason: null,
  secretId,
  previousSecretId: null,
  previousSecretUntil: null,
  version: 1,
  createdAt: at.toISOString(),
  updatedAt: at.toISOString(),
  ...more,
});
const message = (action: ApplicationChange['action'], after: object): WebhookMessage => {
  const change = { id: '01KAH4N7Z3QF4V6E5T8S9R2W1X', at: at.toISOString(), action, userId: 'ada', after };
  return { id: change.id, type: action, timestamp: change.at, change: change as unknown as ApplicationChange };
};
const left = () => message('user.status.changed', { status: 'inactive' });
const claimsOf = async (raw = '') => {
  const key = createPublicKey({ key: { ...(await publicEventKey()) }, format: 'jwk' });
  return (await jwtVerify(raw, key, { typ: 'secevent+jwt' })).payload;
};

describe('a delivery in the format of Standard Webhooks', () => {
  test('has the change, is signed with the secret, and is recorded', async () => {
    const { judgement, record } = await sendEvent(name, webhook(), left());
    const [delivery] = receiver.received;
    expect(delivery?.body).toEqual({
      type: 'user.status.changed',
      timestamp: at.toISOString(),
      data: left().change,
    });
    const secret = await formatWebhookSecret(name, secretId);
    expect(delivery && verifyDelivery(secret, delivery)).toEqual(delivery?.body);
    expect(judgement).toEqual({ kind: 'delivered' });
    expect(record).toEqual({
      eventId: left().id,
      type: 'user.status.changed',
      status: 202,
      error: null,
      at: expect.stringMatching(/Z$/),
      durationMilliseconds: expect.any(Number),
    });
    expect(record?.durationMilliseconds).toBeGreaterThanOrEqual(0);
  });

  test('that only tests the receiver names the webhook', async () => {
    const tested = testMessage(at);
    await sendEvent(name, webhook(), tested);
    expect(receiver.received[0]?.body).toEqual({
      type: 'webhook.test',
      timestamp: at.toISOString(),
      data: { webhookId: 'backend' },
    });
    expect(receiver.received[0]?.headers['webhook-id']).toBe(tested.id);
  });

  test('is recorded as failed with the answer, or without one', async () => {
    receiver.answer = () => 500;
    const answered = await sendEvent(name, webhook(), left());
    expect(answered).toMatchObject({
      judgement: { kind: 'failed', error: 'the receiver answered 500', retryAfterSeconds: 0 },
      record: { status: 500, error: 'the receiver answered 500' },
    });
    receiver.answer = (_, response) => {
      response.destroy();
      return undefined;
    };
    expect(await sendEvent(name, webhook(), left())).toMatchObject({
      judgement: { kind: 'failed', retryAfterSeconds: 0 },
      record: { status: null, error: 'connection failed: ECONNRESET' },
    });
  });

  test('goes nowhere that its URL may not lead to, whenever that was set', async () => {
    process.env.WEBHOOK_LOOPBACK = '';
    expect(await sendEvent(name, webhook(), left())).toMatchObject({
      judgement: { kind: 'failed', error: 'the URL must be an https URL', retryAfterSeconds: 0 },
      record: { status: null, error: 'the URL must be an https URL' },
    });
    expect(await sendEvent(name, webhook({ url: 'https://localhost/' }), left())).toMatchObject({
      judgement: { kind: 'failed', error: 'the host name leads to a private address' },
    });
    expect(receiver.received).toEqual([]);
  });
});

describe('a delivery in the format of Security Event Tokens', () => {
  const events = 'https://schemas.openid.net/secevent';

  test('is one post for each event, in order, from the issuer to the URL', async () => {
    await sendEvent(name, webhook({ format: 'set' }), left());
    const [first, second, ...more] = await Promise.all(receiver.received.map(({ raw }) => claimsOf(raw)));
    expect(first).toMatchObject({ iss: 'https://auth.example.com', aud: receiver.url, txn: left().id });
    expect([first, second].map((claims) => Object.keys(Object(claims?.events)))).toEqual([
      [`${events}/caep/event-type/session-revoked`],
      [`${events}/risc/event-type/account-disabled`],
    ]);
    expect(more).toEqual([]);
  });

  test('ends with the first that is not accepted', async () => {
    receiver.answer = () => 400;
    expect(await sendEvent(name, webhook({ format: 'set' }), left())).toMatchObject({
      judgement: { kind: 'refused' },
      record: { status: 400, error: 'the receiver refused the event' },
    });
    expect(receiver.received).toHaveLength(1);
  });

  test('is none for a change that ends or allows nothing, and leaves no record', async () => {
    const nothing = message('role.assigned', { granted: true });
    expect(await sendEvent(name, webhook({ format: 'set' }), nothing)).toEqual({
      judgement: { kind: 'delivered' },
      record: undefined,
    });
    expect(receiver.received).toEqual([]);
  });

  test('that only tests the receiver is about the stream', async () => {
    const tested = testMessage(at);
    await sendEvent(name, webhook({ format: 'set' }), tested);
    expect(await claimsOf(receiver.received[0]?.raw)).toMatchObject({
      txn: tested.id,
      toe: at.getTime() / 1000,
      sub_id: { format: 'opaque', id: receiver.url },
      events: { [`${events}/ssf/event-type/verification`]: {} },
    });
  });
});
