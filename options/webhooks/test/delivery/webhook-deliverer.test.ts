import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, UserId, WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { setUserStatus } from '#shared/domain/user/users.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { turnOffNoted } from '../../delivery/turn-off-webhooks.ts';
import { deliverWebhook } from '../../delivery/webhook-deliverer.ts';
import { handler as wakeWebhooks } from '../../functions/wake-webhooks.ts';
import { getWebhook } from '../../server/read-webhooks.ts';
import { listWebhookAttempts, resendWebhook, testWebhook } from '../../server/webhook-requests.ts';
import { deleteWebhook, rotateWebhookSecret, updateWebhook } from '../../server/webhooks.ts';
import { deleteLaneEntry, putLaneEntry, readLanes } from '../../table/lane-item.ts';
import { webhookStateKey } from '../../table/webhook-item-keys.ts';
import { readWebhookStates } from '../../table/webhook-state-item.ts';
import { newWebhook, type WebhookOptions } from '../new-webhook.ts';
import { startReceiver, verifyDelivery, type WebhookReceiver } from '../webhook-receiver.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const memory = tableForEachTest(start);

let receiver: WebhookReceiver;
let other: WebhookReceiver;
beforeAll(async () => {
  [receiver, other] = await Promise.all([startReceiver(), startReceiver()]);
});
afterAll(() => Promise.all([receiver.close(), other.close()]));

const appId = 'billing' as AppId;
beforeEach(async () => {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  // Only the date: deliveries use real connections.
  jest.useRealTimers();
  jest.useFakeTimers({ now: start, doNotFake: [...realTimers] });
  for (const one of [receiver, other]) {
    one.received.length = 0;
    one.answer = () => 204;
  }
  await newApplication(['editor'], appId);
  for (const userId of ['ada', 'ben']) await newUser(userId);
  await number();
});
const realTimers = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

const hook = (options: WebhookOptions = {}) => newWebhook(appId, { url: receiver.url, ...options });

/** Moves the clock; a second if nothing else is said. */
function pass(seconds = 1): void {
  jest.setSystemTime(now().getTime() + seconds * 1000);
}

async function number(): Promise<void> {
  await numberFeed(appId);
  await numberFeed(usersFeed);
}

/** One invocation, which has time for a single round and waits for no retry. */
const deliver = (name: WebhookName) => deliverWebhook(name, { endsAt: now().getTime() });
/** One invocation that has time to look for more. */
const deliverAll = (name: WebhookName) => deliverWebhook(name, { endsAt: now().getTime() + 600_000 });
/** The function that turns webhooks off, which also wakes the others where there is one that delivers. */
const wake = () => wakeWebhooks({}, { awsRequestId: 'test' });

async function block(userId: string, status: 'enabled' | 'disabled' = 'disabled') {
  pass();
  return String((await setStatus(userId, appId, status)).changeId);
}

const idsAt = ({ received }: WebhookReceiver) => received.map(({ headers }) => String(headers['webhook-id']));
const attempts = async (name: WebhookName) => (await listWebhookAttempts({ ...name, limit: 100 })).items;

describe('what is delivered', () => {
  test('a change of access arrives as the feed shows it, signed so that the reference library verifies it', async () => {
    const { secret, ...name } = await hook({ events: ['access.changed'] });
    const id = await block('ada');
    await number();
    await deliver(name);
    const [delivery] = receiver.received;
    if (delivery === undefined) throw new Error('Nothing arrived');
    jest.setSystemTime(Number(delivery.headers['webhook-timestamp']) * 1000);
    expect(verifyDelivery(secret, delivery)).toEqual(delivery.body);
    expect(() => verifyDelivery('whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', delivery)).toThrow();
    expect(delivery.headers['webhook-id']).toBe(id);
    expect(delivery.body).toMatchObject({
      type: 'access.changed',
      data: { id, userId: 'ada', appId, caller: { kind: 'operator' }, signature: expect.any(String) },
    });
    expect(delivery.raw).not.toContain('sourceIp');
  });

  test('a change of another webhook, without where it posts', async () => {
    const { webhookId, ...name } = await hook({ events: ['webhook.created', 'webhook.updated', 'webhook.deleted'] });
    const neighbour = await hook({ url: `${other.url}?token=first` });
    await updateWebhook({ ...neighbour, url: `${other.url}?token=second` }, operator);
    await deleteWebhook(neighbour, operator);
    await number();
    await deliver({ webhookId, ...name });
    const changes = receiver.received.map(({ raw }) => JSON.parse(raw).data);
    expect(changes.filter((change) => change.webhookId === neighbour.webhookId)).toMatchObject([
      { action: 'webhook.created', after: { enabled: true }, signature: expect.any(String) },
      { action: 'webhook.updated', signature: expect.any(String) },
      { action: 'webhook.deleted', before: { enabled: true }, signature: expect.any(String) },
    ]);
    expect(receiver.received.map(({ raw }) => raw).join('\n')).not.toMatch(/token=|"url"/);
  });

  test('only the kinds of changes that it names', async () => {
    const name = await hook({ events: ['user.status.changed'] });
    await block('ada');
    await setUserStatus({ userId: 'ada' as UserId, status: 'inactive', reason: null }, operator);
    await number();
    await deliver(name);
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['user.status.changed']);
  });

  test('nothing of a user who was erased before, but the erasure', async () => {
    const name = await hook({ events: ['access.changed', 'user.deleted'] });
    await block('ada');
    pass();
    await deleteUser({ userId: 'ada' as UserId }, operator);
    await number();
    await deliver(name);
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['user.deleted']);
  });

  test('a change that was altered in the table is not passed on', async () => {
    const name = await hook({ events: ['access.changed'] });
    const id = await block('ada');
    await number();
    const item = memory.table.items().find((one) => one.id === id && one.integrity !== undefined);
    memory.put({ ...item, reason: 'forged' });
    await deliver(name);
    expect(receiver.received).toEqual([]);
    expect(await attempts(name)).toMatchObject([
      { eventId: id, outcome: 'refused', error: expect.stringContaining('verified') },
    ]);
  });

  test('with both secrets during the overlap of a rotation, and then with the new one alone', async () => {
    const { secret: old, ...name } = await hook({ events: ['access.changed'] });
    pass();
    const { secret } = await rotateWebhookSecret({ ...name, overlapSeconds: 3600 }, operator);
    await block('ada');
    await number();
    await deliver(name);
    pass(3600);
    await block('ben');
    await number();
    await deliver(name);
    const [during, after] = receiver.received;
    if (during === undefined || after === undefined) throw new Error('Two should have arrived');
    jest.setSystemTime(Number(during.headers['webhook-timestamp']) * 1000);
    for (const one of [old, secret]) expect(verifyDelivery(one, during)).toBeDefined();
    jest.setSystemTime(Number(after.headers['webhook-timestamp']) * 1000);
    expect(verifyDelivery(secret, after)).toBeDefined();
    expect(() => verifyDelivery(old, after)).toThrow();
  });
});

describe('the order', () => {
  /** A change of a user in the application's feed, then one in that of the users: both without a number. */
  const changeInBothFeeds = async () => {
    const name = await hook();
    await number();
    await deliver(name);
    receiver.received.length = 0;
    const first = await block('ada');
    pass();
    await setUserStatus({ userId: 'ada' as UserId, status: 'inactive', reason: null }, operator);
    return { name, first };
  };

  test('a failing event holds up later ones of its user, and of nobody else', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = ({ body }) => (body.data.userId === 'ada' ? 500 : 204);
    const ids = [await block('ada'), await block('ben'), await block('ada', 'enabled'), await block('ben', 'enabled')];
    await number();
    await deliver(name);
    expect(idsAt(receiver).toSorted()).toEqual([ids[0], ids[1], ids[3]].toSorted());
    receiver.answer = () => 204;
    pass(6);
    await deliver(name);
    expect(idsAt(receiver).slice(3)).toEqual([ids[0], ids[2]]);
  });

  test('what follows a delivered change of its user also waits for one that has no number yet', async () => {
    const { name, first } = await changeInBothFeeds();
    const last = await block('ada', 'enabled');
    await numberFeed(appId);
    await deliverAll(name);
    expect(idsAt(receiver)).toEqual([first]);
    await numberFeed(usersFeed);
    await deliver(name);
    expect(idsAt(receiver)).toEqual([first, expect.any(String), last]);
  });

  test('a later change of another feed waits for one that has no number yet', async () => {
    const { name, first } = await changeInBothFeeds();
    const last = await block('ben');
    await numberFeed(usersFeed);
    await deliver(name);
    expect(idsAt(receiver)).toEqual([]);
    await numberFeed(appId);
    await deliver(name);
    const ofAda = receiver.received.filter(({ body }) => body.data.userId === 'ada');
    expect(ofAda.map(({ body }) => body.type)).toEqual(['access.changed', 'user.status.changed']);
    expect(idsAt(receiver)).toEqual(expect.arrayContaining([first, last]));
  });

  test('hundreds of changes arrive once each, in the order of each user', async () => {
    const name = await hook({ events: ['access.changed'] });
    const ids: string[] = [];
    for (let n = 0; n < 130; n++)
      ids.push(await block(n % 3 === 0 ? 'ada' : 'ben', n % 2 === 0 ? 'disabled' : 'enabled'));
    await number();
    expect(await deliverAll(name)).toBe(false);
    const changed = ids.filter((id) => id !== 'null');
    expect(idsAt(receiver).toSorted()).toEqual(changed.toSorted());
    for (const userId of ['ada', 'ben']) {
      const own = receiver.received.flatMap(({ body }) => (body.data.userId === userId ? body.data.id : []));
      expect(own).toEqual(own.toSorted());
    }
  });
});

describe('retries', () => {
  /** What waits for a webhook, as it is stored. */
  const lanesOf = async (name: WebhookName) => {
    const [state] = await readWebhookStates([name]);
    return state === undefined ? [] : readLanes(state);
  };

  test('of an event that fails alone follow the schedule of Standard Webhooks, until it is given up', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = ({ body }) => (body.data.userId === 'ada' ? 503 : 204);
    const id = await block('ada');
    await number();
    const pauses: number[] = [];
    for (let n = 0; n < 9; n++) {
      await deliver(name);
      const [lane] = await lanesOf(name);
      pauses.push((Date.parse(String(lane?.nextAttemptAt)) - now().getTime()) / 1000);
      // The receiver accepts something else, so that the event is tried again, three times in all.
      await block('ben', n % 2 === 0 ? 'disabled' : 'enabled');
      await number();
      for (let round = 0; round < 2; round++) await deliver(name);
      expect((await lanesOf(name)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([lane?.nextAttemptAt]);
      jest.setSystemTime(Date.parse(String(lane?.nextAttemptAt)));
    }
    for (const [n, pause] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
      expect(pauses[n]).toBeGreaterThanOrEqual(pause);
      expect(pauses[n]).toBeLessThanOrEqual(pause * 1.1);
    }
    const later = await block('ada', 'enabled');
    await number();
    await deliver(name);
    const ofAda = idsAt(receiver).filter((one) => [id, later].includes(one));
    expect(ofAda).toEqual([...Array(9 + 3 + 1).fill(id), later]);
    expect((await attempts(name)).filter(({ eventId }) => eventId === id)[0]).toMatchObject({ outcome: 'given_up' });
    expect(await getWebhook(name)).toMatchObject({ state: 'retrying', enabled: true });
    receiver.answer = () => 204;
    await resendWebhook({ ...name, changeId: id });
    for (let round = 0; round < 2; round++) await deliver(name);
    expect(idsAt(receiver).slice(-2).toSorted()).toEqual([id, later]);
    expect(await getWebhook(name)).toMatchObject({ state: 'on', lastError: null, failingSince: null });
  });

  test('of a receiver that accepts nothing come each minute, and after three days the webhook turns itself off', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = () => 503;
    const ids = [await block('ada'), await block('ben')];
    await number();
    await deliver(name);
    const first = now().getTime();
    const times: number[][] = [];
    for (let minute = 1; minute <= 60; minute++) {
      receiver.received.length = 0;
      jest.setSystemTime(first + minute * 60_000);
      await deliver(name);
      times.push([minute, receiver.received.length]);
    }
    // Both when they are due after five seconds, and one or the other in each minute.
    expect(times[0]).toEqual([1, 2]);
    expect(times.slice(1).every(([, count]) => count === 1 || count === 2)).toBe(true);
    expect(new Set(idsAt(receiver)).size).toBe(1);
    expect(await getWebhook(name)).toMatchObject({
      state: 'retrying',
      nextAttemptAt: new Date(now().getTime() + 60_000).toISOString(),
    });
    jest.setSystemTime(first + 3 * 86_400_000);
    await deliver(name);
    await wake();
    expect(await getWebhook(name)).toMatchObject({
      state: 'failed',
      enabled: false,
      offReason: 'failing',
      lastError: 'the receiver answered 503',
      oldestUndelivered: expect.any(String),
    });
    const { items } = await listAllChanges({ limit: 1, actions: ['webhook.updated'] });
    expect(items).toMatchObject([{ caller: { kind: 'service' }, after: { enabled: false, offReason: 'failing' } }]);
    receiver.answer = () => 204;
    receiver.received.length = 0;
    await updateWebhook({ ...name, enabled: true }, operator);
    await deliver(name);
    expect(idsAt(receiver).toSorted()).toEqual(ids);
  });

  describe('after an hour of failures, with sixty users waiting', () => {
    const userIds = Array.from({ length: 60 }, (_, n) => `waiting-${n}`);
    const waiting = async () => {
      const name = await hook({ events: ['access.changed'] });
      receiver.answer = () => 503;
      for (const userId of userIds) await newUser(userId);
      for (const userId of userIds) await block(userId);
      await number();
      for (let minute = 0; minute < 60; minute += 5) {
        await deliver(name);
        pass(300);
      }
      expect(await lanesOf(name)).toHaveLength(60);
      receiver.answer = () => 204;
      receiver.received.length = 0;
      return name;
    };
    const expectAll = async (name: WebhookName) => {
      await deliverAll(name);
      expect(new Set(receiver.received.flatMap(({ body }) => body.data.userId ?? []))).toEqual(
        new Set([...userIds, ...receiver.received.flatMap(({ body }) => (body.data.userId === 'ada' ? 'ada' : []))]),
      );
      expect(await lanesOf(name)).toEqual([]);
      expect(await getWebhook(name)).toMatchObject({ state: 'on', failingSince: null, oldestUndelivered: null });
    };

    test('everything is delivered with the next minute’s attempt', async () => {
      const name = await waiting();
      pass(60);
      await expectAll(name);
    });

    test('everything is delivered with a new block, which comes first', async () => {
      const name = await waiting();
      const id = await block('ada');
      await number();
      await expectAll(name);
      expect(idsAt(receiver)[0]).toBe(id);
    });

    test('everything is delivered after a test that succeeds, and after any change of the webhook', async () => {
      const name = await waiting();
      receiver.answer = ({ body }) => (body.type === 'webhook.test' ? 204 : 500);
      await testWebhook(name);
      await deliver(name);
      expect(await lanesOf(name)).toHaveLength(60);
      receiver.answer = () => 204;
      await updateWebhook({ ...name, url: `${receiver.url}/corrected` }, operator);
      await expectAll(name);
    });
  });

  test('of an event that failed while others were accepted come at once after a test that succeeds', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = ({ body }) => (body.data.userId === 'ada' ? 503 : 204);
    await block('ada');
    await number();
    for (let n = 0; n < 6; n++) {
      await block('ben', n % 2 === 0 ? 'disabled' : 'enabled');
      await number();
      await deliver(name);
    }
    const isOfAda = ({ body }: { body: { data: { userId?: string } } }) => body.data.userId === 'ada';
    const before = receiver.received.filter(isOfAda).length;
    await deliver(name);
    expect(receiver.received.filter(isOfAda)).toHaveLength(before);
    receiver.answer = () => 204;
    await testWebhook(name);
    await deliverAll(name);
    expect(receiver.received.filter(isOfAda)).toHaveLength(before + 1);
    expect(await lanesOf(name)).toEqual([]);
  });

  test('of lanes that an older version kept in the state are made', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = () => 503;
    const id = await block('ada');
    await number();
    await deliver(name);
    const [lane] = await lanesOf(name);
    const [state] = await readWebhookStates([name]);
    if (lane === undefined || state === undefined) throw new Error('Nothing waits');
    memory.table.writeAll(
      [deleteLaneEntry(state, lane.subject)].map(({ Delete }) => ({ kind: 'Delete', input: Delete })) as never,
    );
    const { subject, events, failures, since, nextAttemptAt } = lane;
    const older = [{ subject, events, failures, since, nextAttemptAt }];
    memory.put({ ...memory.table.get(webhookStateKey(name)), lanes: older, waiting: 0 });
    receiver.answer = () => 204;
    receiver.received.length = 0;
    pass(10);
    await deliver(name);
    expect(idsAt(receiver)).toEqual([id]);
    expect(memory.table.get(webhookStateKey(name))).toHaveProperty('lanes', []);
  });

  test('of lanes that were saved in part, when the function was killed, are found and deleted', async () => {
    const name = await hook({ events: ['access.changed'] });
    const userIds = Array.from({ length: 120 }, (_, n) => `many-${n}`);
    const [lanes, since]: [object[], string] = [[], now().toISOString()];
    for (const userId of userIds) {
      await newUser(userId);
      const event = { id: await block(userId), action: 'access.changed', userId, feed: appId };
      lanes.push({ subject: userId, events: [event], failures: 1, since, nextAttemptAt: since });
    }
    await number();
    // As an older version kept them, so that all are saved at once.
    memory.put({ ...memory.table.get(webhookStateKey(name)), lanes, waiting: 0 });
    receiver.answer = () => 500;
    memory.beforeFirst('lastDeliveredAt', () => {
      throw new Error('killed');
    });
    await expect(deliver(name)).rejects.toThrow();
    const stored = () => memory.table.items().filter(({ sk }) => String(sk).startsWith('LANE#'));
    expect(stored()).toHaveLength(99);
    receiver.answer = () => 204;
    pass(61);
    await deliverAll(name);
    expect(stored()).toEqual([]);
  });

  test('a webhook that is off delivers nothing, and turned on again continues where it stopped', async () => {
    const name = await hook({ events: ['access.changed'] });
    await updateWebhook({ ...name, enabled: false }, operator);
    const id = await block('ada');
    await number();
    await deliver(name);
    expect(receiver.received).toEqual([]);
    await updateWebhook({ ...name, enabled: true }, operator);
    await deliver(name);
    expect(idsAt(receiver)).toEqual([id]);
  });

  test('turned on again, what waited is tried at once, and has three days again', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = () => 410;
    await block('ada');
    await number();
    await deliver(name);
    await wake();
    expect(await getWebhook(name)).toMatchObject({ state: 'failed', offReason: 'gone' });
    receiver.answer = () => 500;
    pass(4 * 86_400);
    await updateWebhook({ ...name, enabled: true }, operator);
    await deliver(name);
    expect(receiver.received).toHaveLength(2);
    expect(await getWebhook(name)).toMatchObject({ state: 'retrying', enabled: true, offReason: null });
  });

  test('a delivery whose receiver is gone writes nothing of the application, and nothing is sent until the webhook is turned off', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = () => 410;
    await block('ada');
    await number();
    memory.sdk.requests.length = 0;
    await deliver(name);
    const written = memory.sdk.requests.filter(({ command }) => !/^(BatchGet|Query)/.test(command));
    expect(written.length).toBeGreaterThan(0);
    expect(JSON.stringify(written)).not.toMatch(/APP#|FEED#|USER#/);
    receiver.answer = () => 204;
    await block('ben');
    await number();
    await deliver(name);
    expect(receiver.received).toHaveLength(1);
    expect(await getWebhook(name)).toMatchObject({ enabled: true, offReason: null });
    await wake();
    expect(await getWebhook(name)).toMatchObject({ enabled: false, offReason: 'gone' });
  });

  test('a webhook that was changed after its receiver was gone stays on, and sends again', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = () => 410;
    const id = await block('ada');
    await number();
    await deliver(name);
    receiver.answer = () => 204;
    pass();
    await updateWebhook({ ...name, url: other.url }, operator);
    await wake();
    expect(await readWebhookStates([name])).toMatchObject([{ enabled: true }]);
    expect((await readWebhookStates([name]))[0]).not.toHaveProperty('turnOff');
    await deliver(name);
    expect(idsAt(other)).toEqual([id]);
  });

  test('a webhook that cannot be turned off now keeps no other from being woken, and is turned off later', async () => {
    const [gone, kept] = [
      await hook({ events: ['access.changed'] }),
      await newWebhook(appId, { url: other.url }, 'kept'),
    ];
    receiver.answer = () => 410;
    await block('ada');
    await number();
    await deliver(gone);
    const noted = await readWebhookStates([gone, kept]);
    memory.before = () => {
      throw Object.assign(new Error('gone'), { name: 'AccessDenied', $metadata: { httpStatusCode: 400 } });
    };
    const states = noted.flatMap((state) => state ?? []);
    expect((await turnOffNoted(states, 'test')).map(({ webhookId }) => webhookId)).toEqual(['kept']);
    memory.before = undefined;
    await wake();
    expect(await getWebhook(gone)).toMatchObject({ offReason: 'gone' });
  });

  test('a webhook that was off for days has three days again, whatever failed before', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = () => 500;
    await block('ada');
    await number();
    await deliver(name);
    await updateWebhook({ ...name, enabled: false }, operator);
    pass(4 * 86_400);
    await updateWebhook({ ...name, enabled: true }, operator);
    await deliver(name);
    expect(await getWebhook(name)).toMatchObject({ state: 'retrying', failingSince: now().toISOString() });
  });

  test('Retry-After postpones the next attempt, by a day at most', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = (_, response) => {
      response.writeHead(429, { 'retry-after': '600' }).end();
      return undefined;
    };
    await block('ada');
    await number();
    await deliver(name);
    const { nextAttemptAt } = await getWebhook(name);
    expect(Date.parse(String(nextAttemptAt)) - now().getTime()).toBeGreaterThanOrEqual(600_000);
  });

  test('a redirect is a failure, and is not followed', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = (_, response) => {
      response.writeHead(302, { location: other.url }).end();
      return undefined;
    };
    await block('ada');
    await number();
    await deliver(name);
    expect(other.received).toEqual([]);
    expect(await attempts(name)).toMatchObject([{ outcome: 'failed', status: 302, nextAttemptAt: expect.any(String) }]);
  });

  test('two hundred users whose changes are refused hold up nobody else', async () => {
    const name = await hook({ events: ['access.changed'] });
    const refused = Array.from({ length: 200 }, (_, n) => `refused-${n}`);
    receiver.answer = ({ body }) => (body.data.userId?.startsWith('refused-') ? 500 : 204);
    for (const userId of [...refused, 'ada-later']) await newUser(userId);
    for (const userId of refused) await block(userId);
    await number();
    for (let page = 0; page < 5; page++) await deliver(name);
    expect(await lanesOf(name)).toHaveLength(200);
    const id = await block('ada-later');
    await number();
    await deliver(name);
    expect(idsAt(receiver)).toContain(id);
  });

  test('a thousand users whose events fail cost a change of another one no more than a query', async () => {
    const name = await hook({ events: ['access.changed'] });
    /** How many requests to the table come before the delivery. */
    const requestsBefore = async (userId: string) => {
      const id = await block(userId);
      await number();
      let before = Number.NaN;
      receiver.answer = () => {
        before = memory.sdk.requests.length;
        return 204;
      };
      receiver.received.length = 0;
      memory.sdk.requests.length = 0;
      await deliver(name);
      expect(idsAt(receiver)).toEqual([id]);
      return before;
    };
    const usual = await requestsBefore('ada');
    const [state] = await readWebhookStates([name]);
    if (state === undefined) throw new Error('The webhook has no state');
    const [since, later] = [now().toISOString(), new Date(now().getTime() + 3_600_000).toISOString()];
    const failed = { failures: 4, isolatedFailures: 3, since, attemptedAt: since, nextAttemptAt: later };
    for (let n = 0; n < 1000; n++) {
      const userId = `stuck-${n}` as UserId;
      const events = [{ id: createUlid(now()), action: 'access.changed' as const, userId, feed: appId }];
      const lane = { subject: userId, events, accepted: state.accepted, version: 1, ...failed };
      memory.put({ ...putLaneEntry(state, lane).Put?.Item });
    }
    memory.put({
      ...memory.table.get(webhookStateKey(name)),
      waiting: 1000,
      failingSince: since,
      nextAttemptAt: later,
    });
    expect(await requestsBefore('ben')).toBeLessThanOrEqual(usual + 1);
    expect(await lanesOf(name)).toHaveLength(1000);
  });

  test('a user whose receiver takes its time holds up nobody else', async () => {
    const name = await hook({ events: ['access.changed'] });
    const slow = Promise.withResolvers<number>();
    receiver.answer = ({ body }) => {
      if (body.data.userId === 'ada') return slow.promise;
      slow.resolve(204);
      return 204;
    };
    await block('ada');
    await number();
    const running = deliverAll(name);
    while (receiver.received.length === 0) await setTimeout(10);
    const id = await block('ben');
    await number();
    await running;
    expect(idsAt(receiver).slice(1)).toEqual([id]);
    expect(await getWebhook(name)).toMatchObject({ state: 'on' });
  });
});

describe('who delivers', () => {
  test('one function at a time: another one only makes it look again', async () => {
    const name = await hook({ events: ['access.changed'] });
    let later = '';
    receiver.answer = async () => {
      if (later === '') {
        later = await block('ben');
        await number();
        await deliver(name);
      }
      return 204;
    };
    const first = await block('ada');
    await number();
    await deliverAll(name);
    expect(idsAt(receiver)).toEqual([first, later]);
  });

  test('a change that comes while the lease is given up is delivered at once', async () => {
    const name = await hook({ events: ['access.changed'] });
    let later = '';
    memory.beforeFirst('REMOVE #leaseToken', async () => {
      later = await block('ben');
      await number();
      await deliver(name);
    });
    const first = await block('ada');
    await number();
    await deliverAll(name);
    expect(idsAt(receiver)).toEqual([first, later]);
  });

  test('a function that is killed repeats what it had not saved, with the same ids', async () => {
    const name = await hook({ events: ['access.changed'] });
    const id = await block('ada');
    await number();
    memory.beforeFirst('lastDeliveredAt', () => {
      throw new Error('killed');
    });
    await expect(deliver(name)).rejects.toThrow();
    await deliver(name);
    expect(idsAt(receiver)).toEqual([id]);
    pass(61);
    await deliver(name);
    expect(idsAt(receiver)).toEqual([id, id]);
  });

  test('what is still due when the time of a function is up, is left to another invocation', async () => {
    const name = await hook({ events: ['access.changed'] });
    for (const status of ['disabled', 'enabled'] as const) await block('ada', status);
    await number();
    receiver.answer = () => 500;
    await deliver(name);
    pass(60);
    receiver.answer = () => {
      pass(60);
      return 204;
    };
    const endsAt = now().getTime() + 30_000;
    expect(await deliverWebhook(name, { endsAt })).toBe(true);
    expect(receiver.received).toHaveLength(2);
    expect(await deliver(name)).toBe(false);
    expect(receiver.received).toHaveLength(3);
  });

  test('a function that has lost its lease delivers nothing more', async () => {
    const name = await hook({ events: ['access.changed'] });
    const first = await block('ada');
    await number();
    let later = '';
    receiver.answer = async () => {
      receiver.answer = () => 204;
      pass(61);
      await deliver(name);
      later = await block('ben');
      await number();
      return 204;
    };
    expect(await deliverAll(name)).toBe(false);
    expect(idsAt(receiver)).toEqual([first, first]);
    await deliver(name);
    expect(idsAt(receiver)).toEqual([first, first, later]);
  });

  test('a slow receiver holds up no other webhook', async () => {
    const events = ['access.changed'] as const;
    const [slow, fast] = [await hook({ events }), await hook({ events, url: other.url })];
    const waiting: ((status: number) => void)[] = [];
    receiver.answer = () => new Promise<number>((resolve) => waiting.push(resolve));
    await block('ada');
    await number();
    const slowRun = deliver(slow);
    await deliver(fast);
    expect(other.received.length).toBeGreaterThan(0);
    receiver.answer = () => 204;
    for (const release of waiting) release(204);
    await slowRun;
  });

  test('a webhook that was deleted delivers nothing', async () => {
    const name = await hook();
    await block('ada');
    await number();
    await deleteWebhook(name, operator);
    await deliver(name);
    expect(receiver.received).toEqual([]);
  });
});

describe('with its application', () => {
  test('a webhook is deleted, and delivers nothing more', async () => {
    const name = await hook();
    await block('ada');
    await number();
    await deleteApplication({ appId, force: true }, operator);
    await deliver(name);
    expect(receiver.received).toEqual([]);
    expect(memory.table.items().filter(({ pk }) => pk === 'WEBHOOKS')).toEqual([]);
  });
});

describe('what operators ask for', () => {
  test('a test event arrives once, even while the webhook is off', async () => {
    const name = await hook({ enabled: false });
    receiver.answer = () => 500;
    await testWebhook(name);
    for (let n = 0; n < 2; n++) await deliver(name);
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['webhook.test']);
    expect(await attempts(name)).toMatchObject([{ type: 'webhook.test', outcome: 'refused', status: 500 }]);
  });

  test('tests to a slow receiver are sent side by side, and none after the time of the function', async () => {
    const name = await hook({ enabled: false });
    let [current, most] = [0, 0];
    receiver.answer = async () => {
      most = Math.max(most, ++current);
      await setTimeout(100);
      current -= 1;
      return 204;
    };
    for (let n = 0; n < 12; n++) {
      pass();
      await testWebhook(name);
    }
    await deliver(name);
    expect([receiver.received.length, most]).toEqual([12, 12]);
  });

  test('what waits for a retry is not doubled when everything is sent again', async () => {
    const name = await hook({ events: ['access.changed'] });
    receiver.answer = () => 500;
    const since = now().toISOString();
    const id = await block('ada');
    await number();
    await deliver(name);
    await resendWebhook({ ...name, since });
    receiver.answer = () => 204;
    pass(10);
    await deliverAll(name);
    expect(idsAt(receiver)).toEqual([id, id]);
  });

  test('one change is sent again, once', async () => {
    const name = await hook({ events: ['role.assigned'] });
    const { changeId } = await grantRole('ada', appId, 'editor');
    await number();
    await deliver(name);
    await resendWebhook({ ...name, changeId: String(changeId) });
    for (let n = 0; n < 2; n++) await deliver(name);
    expect(idsAt(receiver)).toEqual([changeId, changeId]);
  });

  test('all changes from a time on are sent again, in order', async () => {
    const name = await hook({ events: ['access.changed'] });
    const before = await block('ada');
    await number();
    pass(60);
    const since = now().toISOString();
    const after = [await block('ada', 'enabled'), await block('ada')];
    await number();
    await deliver(name);
    receiver.received.length = 0;
    await resendWebhook({ ...name, since });
    await deliver(name);
    expect(idsAt(receiver)).toEqual(after);
    expect(before).not.toBe(after[0]);
  });

  test('a block with changes of before and after the time is sent again as a whole', async () => {
    const name = await hook({ events: ['access.changed'] });
    const before = await block('ada');
    pass(60);
    const since = now().toISOString();
    const after = await block('ben');
    await number();
    await deliver(name);
    receiver.received.length = 0;
    await resendWebhook({ ...name, since });
    await deliver(name);
    expect(idsAt(receiver).sort()).toEqual([before, after]);
  });
});
