import * as v from 'valibot';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { createUlid } from '#shared/core/ids.ts';
import { deleteItem, type Item, putItem, queryItems } from '#shared/table/client.ts';
import { putEntry } from '#shared/table/expression.ts';
import { nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import { epochSeconds, secondsPerDay } from '#shared/table/ttl.ts';
import type { AttemptOutcome, WebhookAttemptView } from '../contract/webhook.ts';
import type { testEventType } from '../contract/webhook-events.ts';
import { webhookAttemptKey, webhookRequestKey, webhookRequestsRange } from './webhook-item-keys.ts';

const retentionSeconds = 30 * secondsPerDay;

const attemptSchema = v.object({
  attemptId: v.string(),
  at: v.string(),
  eventId: v.string(),
  type: storedId<ChangeAction | typeof testEventType>(),
  outcome: storedId<AttemptOutcome>(),
  status: v.nullable(v.number()),
  error: nullableText,
  durationMilliseconds: v.number(),
  nextAttemptAt: nullableText,
});

/** One attempt of a delivery. It names no user, so an erasure need not find it. */
export type WebhookAttempt = WebhookAttemptView;

export function attemptOf(item: Item): WebhookAttempt {
  return parseItem(attemptSchema, item);
}

/** Records an attempt for 30 days. */
export async function putWebhookAttempt(name: WebhookName, attempt: Omit<WebhookAttempt, 'attemptId'>): Promise<void> {
  const attemptId = createUlid(now());
  const ttl = epochSeconds(attempt.at) + retentionSeconds;
  await putItem(putEntry({ ...webhookAttemptKey(name, attemptId), attemptId, ...attempt, ttl }));
}

const requestSchema = v.variant('kind', [
  v.object({ kind: v.literal('test'), id: v.string() }),
  v.object({
    kind: v.literal('resend'),
    id: v.string(),
    change: v.object({
      id: v.string(),
      action: storedId<ChangeAction>(),
      userId: v.exactOptional(v.string()),
      appId: v.exactOptional(v.string()),
    }),
  }),
  v.object({ kind: v.literal('since'), id: v.string(), cursor: v.string() }),
]);

/** What an operator asked a webhook to send. */
export type WebhookRequest = Readonly<v.InferOutput<typeof requestSchema>>;
export type NewWebhookRequest = WebhookRequest extends infer Kind
  ? Kind extends WebhookRequest
    ? Omit<Kind, 'id'>
    : never
  : never;

/** Asks a webhook to send something; the request expires after a day. */
export async function putWebhookRequest(name: WebhookName, request: NewWebhookRequest): Promise<void> {
  const id = createUlid(now());
  const ttl = epochSeconds(now().toISOString()) + secondsPerDay;
  await putItem(putEntry({ ...webhookRequestKey(name, id), ...request, id, ttl }));
}

/** What a webhook is asked to send, oldest first. */
export async function readWebhookRequests(name: WebhookName): Promise<WebhookRequest[]> {
  const { items } = await queryItems(webhookRequestsRange(name), { limit: 20 });
  return items.map((item) => parseItem(requestSchema, item));
}

export async function deleteWebhookRequest(name: WebhookName, { id }: WebhookRequest): Promise<void> {
  await deleteItem(webhookRequestKey(name, id));
}
