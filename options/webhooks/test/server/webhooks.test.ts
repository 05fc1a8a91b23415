import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, WebhookId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { createUlid } from '#shared/core/ids.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { newApplication } from '#test/support/new-application.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import type { WebhookEvent } from '../../contract/webhook.ts';
import { getWebhook, listWebhooks } from '../../server/read-webhooks.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  turnOffWebhook,
  updateWebhook,
} from '../../server/webhooks.ts';
import { webhookStateKey } from '../../table/webhook-item-keys.ts';

const memory = tableForEachTest();
const appId = 'billing' as AppId;
const name = { appId, webhookId: 'backend' as WebhookId };
const url = 'https://hooks.example.com/access';

beforeEach(async () => {
  jest.useRealTimers();
  jest.useFakeTimers({ now: Date.parse('2026-11-20T19:00:00.000Z'), doNotFake: ['nextTick', 'setTimeout'] });
  process.env.WEBHOOK_FORMATS = 'standard,set';
  await newApplication([], appId);
});

const create = (more: object = {}) => createWebhook({ ...name, url, events: null, ...more }, operator);
const pass = (seconds: number) => jest.setSystemTime(now().getTime() + seconds * 1000);
const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    ({ code, options: { detail, field } }) => [code, detail, field?.name].filter(Boolean),
  );
const lastChange = async () => (await listAllChanges({ limit: 1 })).items[0];
const fail = (failures: number, more: object = {}) => {
  const id = createUlid(new Date('2026-11-20T17:30:00.000Z'));
  const failingSince = failures === 0 ? null : '2026-11-20T18:00:00.000Z';
  memory.put({ ...memory.table.get(webhookStateKey(name)), waiting: 1, oldestWaiting: id, failingSince, ...more });
};

describe('a new webhook', () => {
  test('is on, for all events, with a secret that only this answer shows', async () => {
    const { secret, ...view } = await create();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(view).toEqual({
      webhookId: 'backend',
      url,
      format: 'standard',
      enabled: true,
      events: null,
      state: 'on',
      offReason: null,
      secrets: [{ secretId: expect.stringMatching(/./), expiresAt: null }],
      failingSince: null,
      lastError: null,
      lastDeliveredAt: null,
      nextAttemptAt: null,
      oldestUndelivered: null,
      version: 1,
      createdAt: now().toISOString(),
      updatedAt: now().toISOString(),
    });
    expect(await getWebhook(name)).toEqual(view);
    expect(await lastChange()).toMatchObject({
      action: 'webhook.created',
      webhookId: 'backend',
      before: { url: null, format: null, enabled: null, secretId: null },
      after: { url, format: 'standard', enabled: true, secretId: view.secrets[0]?.secretId },
    });
    expect(await lastChange()).not.toHaveProperty('after.offReason');
  });

  test('keeps what it says, and its events as a text in the history', async () => {
    const events: WebhookEvent[] = ['access.changed', 'user.deleted'];
    expect(await create({ format: 'set', enabled: false, events })).toMatchObject({
      format: 'set',
      enabled: false,
      state: 'off',
      events,
    });
    expect((await lastChange())?.after).toMatchObject({ events: 'access.changed user.deleted' });
    expect(memory.table.get(webhookStateKey(name))).toMatchObject({ enabled: false });
  });

  test('has no secret in a dry run, and is not there afterwards', async () => {
    const { secret } = await createWebhook({ ...name, url, events: null }, { ...operator, dryRun: true });
    expect(secret).toBe('');
    expect(await refusalOf(getWebhook(name))).toEqual([
      'webhook_not_found',
      'The application has no webhook with this id.',
    ]);
  });

  test('has an id of its own, and is one of at most five', async () => {
    for (let n = 0; n < 5; n++) await create({ webhookId: `hook-${n}` });
    expect(await refusalOf(create({ webhookId: 'hook-0' }))).toEqual([
      'already_exists',
      'This id is taken. Choose another id.',
    ]);
    expect(await refusalOf(create())).toEqual([
      'too_many_webhooks',
      'An application can have at most 5 webhooks. Delete one first.',
    ]);
    await deleteWebhook({ appId, webhookId: 'hook-3' as WebhookId }, operator);
    expect(await refusalOf(create())).toBe('accepted');
  });

  test('needs a URL that may be reached, and while it is on a format that the deployment has', async () => {
    expect(await refusalOf(create({ url: 'https://127.0.0.1/' }))).toEqual([
      'invalid_request',
      'url must name a host, not an address',
      'url',
    ]);
    process.env.WEBHOOK_FORMATS = 'standard';
    expect(await refusalOf(create({ format: 'set' }))).toEqual([
      'invalid_request',
      'format is not offered by this deployment: see its setting webhooks',
      'format',
    ]);
    expect(await refusalOf(create({ format: 'set', enabled: false }))).toBe('accepted');
  });
});

describe('a list of webhooks', () => {
  const page = async (limit: number, cursor?: string) => {
    const { items, cursor: next } = await listWebhooks(
      { appId, limit, ...(cursor !== undefined && { cursor }) },
      operator,
    );
    return [items.map(({ webhookId }) => webhookId), next];
  };

  test('has them by id, page by page', async () => {
    for (const id of ['c', 'a', 'b']) await create({ webhookId: id });
    expect(await page(1)).toEqual([['a'], 'a']);
    expect(await page(2)).toEqual([['a', 'b'], 'b']);
    expect(await page(2, 'b')).toEqual([['c'], null]);
    expect(await page(3)).toEqual([['a', 'b', 'c'], null]);
    expect(await page(1, 'c')).toEqual([[], null]);
    expect(await refusalOf(page(2, 'd'))).toEqual([
      'invalid_request',
      'cursor is not a cursor of this list; start again without a cursor',
      'cursor',
    ]);
    expect((await listWebhooks({ appId, limit: 1 }, operator)).items[0]).toEqual(
      await getWebhook({ appId, webhookId: 'a' as WebhookId }),
    );
  });

  test('is empty without any, and 404 without the application', async () => {
    expect(await page(10)).toEqual([[], null]);
    expect((await refusalOf(listWebhooks({ appId: 'none' as AppId, limit: 1 }, operator)))[0]).toBe(
      'application_not_found',
    );
  });
});

describe('a change of a webhook', () => {
  test('keeps what it does not name, and records what it changes', async () => {
    const events: WebhookEvent[] = ['access.changed'];
    const { secret: _, ...before } = await create({ events });
    pass(1);
    const { changed, ...view } = await updateWebhook({ ...name, url: `${url}/2` }, operator);
    expect([changed, view]).toEqual([true, { ...before, url: `${url}/2`, version: 2, updatedAt: now().toISOString() }]);
    const change = await lastChange();
    expect([change?.action, change?.before, change?.after]).toEqual([
      // The versions are those of the application.
      'webhook.updated',
      { url, version: 2 },
      { url: `${url}/2`, version: 3 },
    ]);
    expect(await updateWebhook({ ...name, events: null }, operator)).toMatchObject({ events: null, version: 3 });
    expect(await updateWebhook({ ...name, url: `${url}/2` }, operator)).toMatchObject({ changed: false, version: 3 });
  });

  test('is refused for another version, for a bad URL, and without the webhook', async () => {
    expect(await refusalOf(updateWebhook({ ...name, enabled: false }, operator))).toEqual([
      'webhook_not_found',
      'The application has no webhook with this id.',
    ]);
    await create();
    expect(await refusalOf(updateWebhook({ ...name, ifMatch: [7], enabled: false }, operator))).toEqual([
      'version_mismatch',
      'The webhook is at version 1. Re-read it and try again.',
    ]);
    expect((await refusalOf(updateWebhook({ ...name, url: 'https://[::1]/' }, operator)))[0]).toBe('invalid_request');
    process.env.WEBHOOK_FORMATS = '';
    expect(await refusalOf(updateWebhook({ ...name, enabled: false }, operator))).toBe('accepted');
    expect((await refusalOf(updateWebhook({ ...name, enabled: true }, operator)))[0]).toBe('invalid_request');
  });

  test('turns its deliveries on and off', async () => {
    await create();
    const state = () => memory.table.get(webhookStateKey(name));
    await updateWebhook({ ...name, url: `${url}/2` }, operator);
    expect(state()).toMatchObject({ enabled: true, wakes: 0 });
    await updateWebhook({ ...name, enabled: false }, operator);
    expect(state()).toMatchObject({ enabled: false, wakes: 1 });
    await updateWebhook({ ...name, enabled: true }, operator);
    expect(state()).toMatchObject({ enabled: true, wakes: 2 });
  });
});

describe('a webhook that turns itself off', () => {
  const turnOff = (seenSince: string) =>
    turnOffWebhook({ ...name, offReason: 'gone', seenSince }, { ...operator, caller: { kind: 'service' } });

  test('says why, until it is turned on again', async () => {
    const { updatedAt } = await create();
    await turnOff(updatedAt);
    expect(await getWebhook(name)).toMatchObject({ enabled: false, state: 'failed', offReason: 'gone' });
    expect(memory.table.get(webhookStateKey(name))).toMatchObject({ enabled: false });
    expect((await lastChange())?.after).toEqual({ enabled: false, offReason: 'gone', version: 3 });
    expect(await updateWebhook({ ...name, url: `${url}/2` }, operator)).toMatchObject({ offReason: 'gone' });
    expect(await updateWebhook({ ...name, enabled: true }, operator)).toMatchObject({ state: 'on', offReason: null });
  });

  test('stays on if somebody has changed it since', async () => {
    const { updatedAt } = await create();
    pass(1);
    await updateWebhook({ ...name, url: `${url}/2` }, operator);
    await turnOff(updatedAt);
    expect(await getWebhook(name)).toMatchObject({ enabled: true, version: 2 });
  });
});

describe('a deleted webhook', () => {
  test('is gone with its deliveries, on record', async () => {
    await create();
    await create({ webhookId: 'other' });
    expect(await deleteWebhook(name, operator)).toEqual({ changed: true, complete: true });
    expect((await refusalOf(getWebhook(name)))[0]).toBe('webhook_not_found');
    expect((await refusalOf(deleteWebhook(name, operator)))[0]).toBe('webhook_not_found');
    expect(memory.table.get(webhookStateKey(name))).toBeUndefined();
    expect(await lastChange()).toMatchObject({
      action: 'webhook.deleted',
      webhookId: 'backend',
      before: { url, enabled: true },
      after: { url: null, enabled: null },
    });
    expect((await listWebhooks({ appId, limit: 9 }, operator)).items.map(({ webhookId }) => webhookId)).toEqual([
      'other',
    ]);
  });
});

describe('a new secret', () => {
  test('signs beside the old one for the overlap', async () => {
    const { secret: old, ...before } = await create({ events: ['access.changed'] });
    const [first] = before.secrets;
    pass(1);
    const { secret, ...view } = await rotateWebhookSecret({ ...name, overlapSeconds: 60 }, operator);
    const expiresAt = new Date(now().getTime() + 60_000).toISOString();
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(old);
    expect(view).toEqual({
      ...before,
      version: 2,
      updatedAt: now().toISOString(),
      secrets: [
        { secretId: expect.not.stringMatching(String(first?.secretId)), expiresAt: null },
        { secretId: first?.secretId, expiresAt },
      ],
    });
    expect((await lastChange())?.action).toBe('webhook.rotated');
    pass(60);
    expect((await getWebhook(name)).secrets).toEqual([view.secrets[0]]);
    expect(
      (await refusalOf(rotateWebhookSecret({ ...name, webhookId: 'x' as WebhookId, overlapSeconds: 0 }, operator)))[0],
    ).toBe('webhook_not_found');
  });
});

describe('the state of the deliveries', () => {
  test('tells what waits, since when it fails, and the error', async () => {
    await create();
    fail(0);
    expect(await getWebhook(name)).toMatchObject({ state: 'on', oldestUndelivered: '2026-11-20T17:30:00.000Z' });
    const progress = {
      lastError: 'x',
      lastDeliveredAt: '2026-11-20T17:00:00.000Z',
      nextAttemptAt: '2026-11-20T19:05:00.000Z',
    };
    fail(2, progress);
    const failing = { state: 'retrying', failingSince: '2026-11-20T18:00:00.000Z', ...progress };
    expect(await getWebhook(name)).toMatchObject(failing);
    expect(await updateWebhook({ ...name, url: `${url}/2` }, operator)).toMatchObject(failing);
    expect(await updateWebhook({ ...name, enabled: false }, operator)).toMatchObject({ state: 'off' });
  });
});
