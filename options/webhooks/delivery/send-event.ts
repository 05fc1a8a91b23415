import type { ApplicationChange } from '#shared/contract/change.ts';
import type { WebhookName } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { variable } from '#shared/core/config.ts';
import { createUlid } from '#shared/core/ids.ts';
import { publishMetrics } from '#shared/core/telemetry.ts';
import { eventSigner } from '#shared/keys/event-key.ts';
import type { WebhookAttemptView } from '../contract/webhook.ts';
import { testEventType } from '../contract/webhook-events.ts';
import { deriveWebhookSecret } from '../server/webhook-secret.ts';
import { isAllowedLoopback, webhookUrlProblem } from '../server/webhook-url.ts';
import { secretsOf, type Webhook } from '../table/webhook-item.ts';
import { type Judgement, judgeAnswer } from './judge-answer.ts';
import { NoAnswer, type OutgoingPost, postSafely } from './post-safely.ts';
import { isPublicAddress } from './public-address.ts';
import { securityEventPost, securityEventsOf, verificationEvent } from './security-event.ts';
import { standardPost } from './standard-webhook.ts';

/** What is delivered: a change, or what only tests the receiver. */
export interface WebhookMessage {
  readonly id: string;
  readonly type: WebhookAttemptView['type'];
  readonly timestamp: string;
  /** `null` for a test. */
  readonly change: ApplicationChange | null;
}

/** A message that only tests a webhook. */
export function testMessage(at: Date): WebhookMessage {
  return { id: createUlid(at), type: testEventType, timestamp: at.toISOString(), change: null };
}

/** One attempt, as it is recorded but for when the next one is due. */
export interface Attempted {
  readonly judgement: Judgement;
  /** Undefined if there was nothing to send in the format of the webhook. */
  readonly record: Omit<WebhookAttemptView, 'attemptId' | 'nextAttemptAt' | 'outcome'> | undefined;
}

/** Sends a message once. A change can be two posts in the format `set`, or none. */
export async function sendEvent(name: WebhookName, webhook: Webhook, message: WebhookMessage): Promise<Attempted> {
  const begun = now();
  const { status, ...judgement } = await postAll(webhook, await postsOf(name, webhook, message, begun));
  if (status === undefined && judgement.kind === 'delivered') return { judgement, record: undefined };
  const isDelivered = judgement.kind === 'delivered';
  publishMetrics(isDelivered ? { WebhookDeliveries: 1 } : { WebhookFailures: 1 });
  const durationMilliseconds = now().getTime() - begun.getTime();
  const error = isDelivered ? null : judgement.error;
  const { id: eventId, type } = message;
  return {
    judgement,
    record: { at: begun.toISOString(), eventId, type, status: status ?? null, error, durationMilliseconds },
  };
}

/** In their order; the first that is not accepted ends it. */
async function postAll(
  { url, format }: Webhook,
  posts: readonly OutgoingPost[],
): Promise<Judgement & { readonly status?: number | undefined }> {
  let last: Judgement & { readonly status?: number } = { kind: 'delivered' };
  for (const post of posts) {
    last = await postOnce(url, format, post);
    if (last.kind !== 'delivered') return last;
  }
  return last;
}

async function postOnce(text: string, format: Webhook['format'], post: OutgoingPost) {
  const problem = webhookUrlProblem(text);
  if (problem !== undefined) return { kind: 'failed', error: `the URL ${problem}`, retryAfterSeconds: 0 } as const;
  const url = new URL(text);
  const isAllowed = isAllowedLoopback(url) ? (address: string) => address === '127.0.0.1' : isPublicAddress;
  try {
    const answer = await postSafely(url, post, { isAllowed });
    return { ...judgeAnswer(format, answer, now()), status: answer.status };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { kind: 'failed', error: error.message, retryAfterSeconds: 0 } as const;
  }
}

async function postsOf(
  name: WebhookName,
  webhook: Webhook,
  { id, type, timestamp, change }: WebhookMessage,
  at: Date,
): Promise<OutgoingPost[]> {
  if (webhook.format === 'set') {
    const parties = { issuer: serviceUrl(), audience: webhook.url, at };
    const signer = eventSigner();
    const events = change === null ? [verificationEvent] : securityEventsOf(change);
    return Promise.all(
      events.map((event) => securityEventPost(change ?? { id, at: timestamp }, event, parties, signer)),
    );
  }
  const secrets = secretsOf(webhook, at).map(({ secretId }) => deriveWebhookSecret(name, secretId));
  return [
    standardPost(
      { id, type, timestamp, data: change ?? { webhookId: name.webhookId } },
      await Promise.all(secrets),
      at,
    ),
  ];
}

/** The URL of the service, by which security events name it. A local run sets it after the process has started. */
function serviceUrl(): string {
  return (variable('API_URL') ?? '').replace(/\/$/, '');
}
