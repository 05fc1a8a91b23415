import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, WebhookId } from '#shared/contract/fields.ts';
import { unfollowedFeed, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { type FakeAws, startFakeAws } from '#test/support/fake-aws.ts';
import { newApplication } from '#test/support/new-application.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { wakeEach, wakeFollowers, wakeRequested, wakeWebhook, wakeWebhooksOf } from '../../delivery/wake-deliveries.ts';
import { handler } from '../../functions/wake-webhooks.ts';
import { newWebhook } from '../new-webhook.ts';

const memory = tableForEachTest();
const deliverer = 'arn:aws:lambda:local:000000000000:function:deliver-webhook';
const waker = 'arn:aws:lambda:local:000000000000:function:wake-webhooks';
const woken: string[] = [];
let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws(async (arn, payload) => {
    const { appId, webhookId, ...more } = Object(payload);
    expect(more).toEqual({});
    woken.push(arn === waker ? 'all' : `${appId} ${webhookId}`);
    expect([deliverer, waker]).toContain(arn);
    return {};
  });
});
afterAll(() => aws.stop());

beforeEach(async () => {
  jest.useRealTimers();
  Object.assign(process.env, { DELIVER_WEBHOOK_FUNCTION: deliverer, WAKE_WEBHOOKS_FUNCTION: waker });
  woken.length = 0;
  for (const appId of ['billing', 'wiki']) {
    await newApplication([], appId);
    await newWebhook(appId, {}, 'one');
    await newWebhook(appId, {}, 'two');
    await newWebhook(appId, { enabled: false }, 'off');
  }
});

const wokenBy = async (act: () => Promise<unknown>) => {
  await act();
  return woken.toSorted();
};
const [billing, wiki] = [
  ['billing one', 'billing two'],
  ['wiki one', 'wiki two'],
];

describe('webhooks are woken', () => {
  test('one, without what else the caller knows of it', async () => {
    const name = { appId: 'billing' as AppId, webhookId: 'off' as WebhookId, secret: 'x' };
    expect(await wokenBy(() => wakeWebhook(name))).toEqual(['billing off']);
  });

  test('of an application, or all, if they are on', async () => {
    expect(await wokenBy(() => wakeWebhooksOf('wiki' as AppId))).toEqual(wiki);
    woken.length = 0;
    expect(await wokenBy(() => handler({}, { awsRequestId: 'r1' }))).toEqual([...billing, ...wiki]);
  });

  test('to which a feed is delivered: its application’s, by another function all for the users, and none for what nobody follows', async () => {
    expect(await wokenBy(() => wakeFollowers('billing' as AppId))).toEqual(billing);
    woken.length = 0;
    memory.sdk.requests.length = 0;
    expect(await wokenBy(() => wakeFollowers(usersFeed))).toEqual(['all']);
    expect(memory.sdk.requests).toEqual([]);
    woken.length = 0;
    expect(await wokenBy(() => wakeFollowers(unfollowedFeed))).toEqual([]);
  });

  test('that are asked to send something, by the records of the stream', async () => {
    const record = (pk: string, sk: string) => ({ dynamodb: { Keys: marshall({ pk, sk }) } });
    const records = [
      record('WEBHOOK#billing#off', 'REQUEST#1'),
      record('WEBHOOK#billing#one', 'ATTEMPT#1'),
      record('USER#ada', 'REQUEST#1'),
    ];
    expect(await wokenBy(() => wakeRequested([...records, {}]))).toEqual(['billing off']);
  });

  test('by nobody in a deployment without them', async () => {
    delete process.env.DELIVER_WEBHOOK_FUNCTION;
    delete process.env.WAKE_WEBHOOKS_FUNCTION;
    memory.sdk.requests.length = 0;
    const name = { appId: 'billing' as AppId, webhookId: 'one' as WebhookId };
    expect(await wokenBy(() => Promise.all([wakeWebhook(name), wakeEach([name]), wakeFollowers(usersFeed)]))).toEqual(
      [],
    );
    expect(memory.sdk.requests).toEqual([]);
  });

  test('later, if that fails', async () => {
    await aws.stop();
    const name = { appId: 'billing' as AppId, webhookId: 'one' as WebhookId };
    await wakeWebhook(name);
    memory.before = () => {
      throw Object.assign(new Error('gone'), { name: 'AccessDenied', $metadata: { httpStatusCode: 400 } });
    };
    await wakeFollowers('billing' as AppId);
    await expect(handler({}, { awsRequestId: 'r1' })).rejects.toThrow();
  });
});
