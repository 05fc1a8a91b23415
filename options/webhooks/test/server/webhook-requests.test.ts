import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, UserId, WebhookId } from '#shared/contract/fields.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { setUserStatus } from '#shared/domain/user/users.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { listWebhookAttempts, resendWebhook, testWebhook } from '../../server/webhook-requests.ts';
import { updateWebhook } from '../../server/webhooks.ts';
import { readWebhookRequests } from '../../table/webhook-attempt-item.ts';
import { webhookStateKey } from '../../table/webhook-item-keys.ts';
import { newWebhook } from '../new-webhook.ts';

const memory = tableForEachTest();
const name = { appId: 'billing' as AppId, webhookId: 'backend' as WebhookId };
const none = { ...name, webhookId: 'none' as WebhookId };

let userId: UserId;
beforeEach(async () => {
  jest.useRealTimers();
  process.env.WEBHOOK_FORMATS = 'standard,set';
  for (const appId of ['billing', 'wiki']) await newApplication([], appId);
  userId = (await newUser()) as UserId;
  await newWebhook('billing', { format: 'set' }, 'backend');
});

const refusalOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    ({ code, options: { detail } }) => `${code}: ${detail}`,
  );
const asked = async () => (await readWebhookRequests(name)).map(({ id: _, ...request }) => request);

describe('what operators ask a webhook to send', () => {
  test('waits for the function that delivers, which looks again', async () => {
    expect(await testWebhook(name)).toEqual({ queued: true });
    expect(await asked()).toEqual([{ kind: 'test' }]);
    expect(memory.table.get(webhookStateKey(name))).toMatchObject({ wakes: 1 });
    expect(await resendWebhook({ ...name, since: '2026-01-01T00:00:00.000Z' })).toEqual({ queued: true });
    expect((await asked()).at(-1)).toEqual({ kind: 'since', cursor: expect.any(String) });
  });

  test('can be a change of the application, or of a user', async () => {
    const { changeId } = await setStatus(userId, 'billing', 'disabled');
    await setUserStatus({ userId, status: 'inactive', reason: null }, operator);
    for (const feed of [name.appId, usersFeed] as const) await numberFeed(feed);
    const ofUser = memory.table.items().find(({ action }) => action === 'user.status.changed');
    for (const id of [changeId, ofUser?.id]) await resendWebhook({ ...name, changeId: String(id) });
    expect(await asked()).toEqual([
      { kind: 'resend', change: { id: changeId, action: 'access.changed', userId, appId: 'billing' } },
      { kind: 'resend', change: { id: ofUser?.id, action: 'user.status.changed', userId } },
    ]);
  });

  test('is not a change of another application, or an unknown one', async () => {
    const { changeId } = await setStatus(userId, 'wiki', 'disabled');
    await numberFeed('wiki' as AppId);
    for (const id of [String(changeId), '01KAH4N7Z3QF4V6E5T8S9R2W1X']) {
      expect(await refusalOf(resendWebhook({ ...name, changeId: id }))).toBe(
        'change_not_found: The feed of the application has no change with this id.',
      );
    }
    expect(await asked()).toEqual([]);
  });

  test('is one change, or all from a time on', async () => {
    const since = '2026-01-01T00:00:00.000Z';
    expect(await refusalOf(resendWebhook({ ...name, changeId: 'x', since }))).toBe(
      'invalid_request: since cannot be combined with changeId',
    );
    expect(await refusalOf(resendWebhook(name))).toBe('invalid_request: changeId or since is required');
  });

  test('is not queued in a deployment without its format', async () => {
    await updateWebhook({ ...name, enabled: false }, operator);
    process.env.WEBHOOK_FORMATS = 'standard';
    expect(await testWebhook(name)).toEqual({ queued: false });
    expect(await asked()).toEqual([]);
  });

  test('needs a webhook that exists, as its attempts do', async () => {
    for (const act of [() => testWebhook(none), () => listWebhookAttempts({ ...none, limit: 1 })]) {
      expect(await refusalOf(act())).toBe('webhook_not_found: The application has no webhook with this id.');
    }
    expect(await listWebhookAttempts({ ...name, limit: 1 })).toEqual({ items: [], cursor: null });
  });
});
