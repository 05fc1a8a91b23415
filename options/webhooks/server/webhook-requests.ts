import type { Page } from '#shared/contract/answers.ts';
import type { WebhookName } from '#shared/contract/fields.ts';
import { invalidField, ServiceError } from '#shared/core/errors.ts';
import { listPage } from '#shared/domain/request/list-page.ts';
import { type Item, queryItems } from '#shared/table/client.ts';
import { readExistingApplication } from '#shared/table/items/application-item.ts';
import { readableChangeOf } from '#shared/table/items/change-item.ts';
import { listedChangeRange } from '#shared/table/keys/change-item-keys.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { encodeFeedCursor, positionBefore } from '#shared/table/queries/feed-cursor.ts';
import type { PageRequest } from '#shared/table/queries/read-page.ts';
import type { WebhookAttemptView } from '../contract/webhook.ts';
import { attemptOf, type NewWebhookRequest, putWebhookRequest } from '../table/webhook-attempt-item.ts';
import { requireWebhook } from '../table/webhook-item.ts';
import { webhookAttemptsRange } from '../table/webhook-item-keys.ts';
import { noteWebhookWake } from '../table/webhook-state-item.ts';
import { webhookConfig } from './webhook-config.ts';

interface Queued {
  readonly queued: boolean;
}

/** The attempts of a webhook, newest first. */
export async function listWebhookAttempts(request: WebhookName & PageRequest): Promise<Page<WebhookAttemptView>> {
  requireWebhook(await readExistingApplication(request.appId), request.webhookId);
  return listPage(webhookAttemptsRange(request), request, attemptOf);
}

/** Sends one event that only tests the receiver. */
export async function testWebhook(name: WebhookName): Promise<Queued> {
  return ask(name, { kind: 'test' });
}

export interface Resending extends WebhookName {
  readonly changeId?: string | undefined;
  readonly since?: string | undefined;
}

/** Sends one change again, or all from a time on. */
export async function resendWebhook({ changeId, since, ...name }: Resending): Promise<Queued> {
  if (changeId !== undefined && since !== undefined) throw invalidField('since', 'cannot be combined with changeId');
  if (changeId !== undefined) return ask(name, { kind: 'resend', change: await readListedChange(name, changeId) });
  if (since === undefined) throw invalidField('changeId', 'or since is required');
  const { appId } = name;
  const at = new Date(since);
  const feeds = await Promise.all([positionBefore(appId, at), positionBefore(usersFeed, at)]);
  return ask(name, { kind: 'since', cursor: encodeFeedCursor(appId, { feeds, pendingAfter: undefined }) });
}

/** The reader of the table's stream finds the request, and wakes the function that delivers. */
async function ask({ appId, webhookId }: WebhookName, request: NewWebhookRequest): Promise<Queued> {
  const name = { appId, webhookId };
  const { format } = requireWebhook(await readExistingApplication(appId), webhookId);
  if (!webhookConfig().formats.includes(format)) return { queued: false };
  await putWebhookRequest(name, request);
  await noteWebhookWake(name);
  return { queued: true };
}

/** A change of the application's feed, or 404 `change_not_found`. */
async function readListedChange({ appId }: WebhookName, changeId: string) {
  const find = async (range: ReturnType<typeof listedChangeRange>): Promise<Item | undefined> =>
    (await queryItems(range, { limit: 1 })).items[0];
  const [own, ofUser] = await Promise.all([
    find(listedChangeRange(appId, changeId)),
    find(listedChangeRange(undefined, changeId)),
  ]);
  const item = own ?? ofUser;
  const found = item && readableChangeOf(item);
  if (found === undefined) {
    throw new ServiceError('change_not_found', { detail: 'The feed of the application has no change with this id.' });
  }
  const { id, action, userId, ...change } = found;
  return {
    id,
    action,
    ...(userId !== undefined && { userId }),
    ...(change.appId !== undefined && { appId: change.appId }),
  };
}
