import type { WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { readFeedChanges } from '#shared/domain/history/read-feed.ts';
import { signForApplication } from '#shared/domain/history/sign-for-application.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import type { LaneEvent } from '../table/lane-item.ts';
import type { WebhookRequest } from '../table/webhook-attempt-item.ts';
import type { Webhook } from '../table/webhook-item.ts';
import { type Attempted, sendEvent, testMessage } from './send-event.ts';

type RequestToSend = Exclude<WebhookRequest, { kind: 'since' }>;

/** Sends a change once, as the feed shows it. One of a user who was erased is gone, and is not delivered. */
export async function sendChange(
  name: WebhookName,
  webhook: Webhook,
  { feed, ...event }: LaneEvent,
): Promise<Attempted> {
  const changes = await readFeedChanges([{ ...event, feed }]);
  // One receiver must not learn where another one listens.
  const [change] = await signForApplication(changes, { appId: name.appId, readsWebhookUrls: false });
  if (change === undefined) return { judgement: { kind: 'delivered' }, record: undefined };
  if (change.signature === undefined) return unverified({ ...event, feed });
  const { id, action: type, at: timestamp } = change;
  return sendEvent(name, webhook, { id, type, timestamp, change });
}

/** Sends what an operator asked for, once. */
export function sendRequested(name: WebhookName, webhook: Webhook, request: RequestToSend): Promise<Attempted> {
  if (request.kind === 'test') return sendEvent(name, webhook, testMessage(now()));
  const { appId, userId, ...change } = request.change;
  const feed = (appId ?? usersFeed) as LaneEvent['feed'];
  const ofUser = userId === undefined ? {} : { userId: userId as NonNullable<LaneEvent['userId']> };
  return sendChange(name, webhook, { ...change, ...ofUser, feed });
}

/** Nothing that somebody else may have written into the table is passed on. */
function unverified({ id: eventId, action: type }: LaneEvent): Attempted {
  const error = 'the change cannot be verified';
  const record = { at: now().toISOString(), eventId, type, status: null, error, durationMilliseconds: 0 };
  return { judgement: { kind: 'refused', error }, record };
}
