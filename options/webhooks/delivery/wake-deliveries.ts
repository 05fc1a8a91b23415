import type { AppId, WebhookName } from '#shared/contract/fields.ts';
import { sendToFunction } from '#shared/core/call-aws.ts';
import { log } from '#shared/core/telemetry.ts';
import type { FeedFollower } from '#shared/domain/history/feed-follower.ts';
import { mapConcurrently } from '#shared/domain/request/map-concurrently.ts';
import { keyOfRecord, type StreamRecord } from '#shared/table/items/change-item.ts';
import { type FeedName, unfollowedFeed, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { webhookConfig } from '../server/webhook-config.ts';
import { requestedWebhook } from '../table/webhook-item-keys.ts';
import { readEnabledWebhooks } from '../table/webhook-state-item.ts';

/**
 * Invokes the function that delivers to one webhook, without waiting for it. A failure delays the delivery by a minute: then all
 * webhooks are woken.
 */
export async function wakeWebhook({ appId, webhookId }: WebhookName): Promise<void> {
  const { deliverer } = webhookConfig();
  if (deliverer === undefined) return;
  const name = { appId, webhookId };
  try {
    await sendToFunction(deliverer, name);
  } catch (error) {
    log.warn('A webhook could not be woken', { ...name, error });
  }
}

/** As many invocations of the deliverer are begun at once; each is answered in some 30 ms. */
const wakesAtOnce = 50;

/** Wakes the webhooks of an application. */
export async function wakeWebhooksOf(appId: AppId): Promise<void> {
  if (webhookConfig().deliverer === undefined) return;
  await wakeEach(await readEnabledWebhooks(appId));
}

/** Wakes each of these webhooks. */
export async function wakeEach(webhooks: readonly WebhookName[]): Promise<void> {
  await mapConcurrently(webhooks, wakeWebhook, wakesAtOnce);
}

/**
 * Wakes the webhooks to which a feed is delivered: the few of an application, or all, which another function does, because numbers
 * wait for nobody. Never throws: a failure delays them by a minute.
 */
export async function wakeFollowers(feed: FeedName): Promise<void> {
  const { waker } = webhookConfig();
  if (feed === unfollowedFeed || waker === undefined) return;
  try {
    if (feed === usersFeed) await sendToFunction(waker, {});
    else await wakeWebhooksOf(feed);
  } catch (error) {
    log.warn('Webhooks could not be woken', { feed, error });
  }
}

/** Wakes the webhooks that records of the table's stream ask to send something. */
export async function wakeRequested(records: readonly StreamRecord[]): Promise<void> {
  await mapConcurrently(
    records.flatMap((record) => requestedWebhook(keyOfRecord(record)) ?? []),
    wakeWebhook,
  );
}

/** Wakes webhooks for what the table's stream shows. */
export const webhookFollower: FeedFollower = {
  take: async (records) => {
    await wakeRequested(records);
    return undefined;
  },
  wake: wakeFollowers,
};
