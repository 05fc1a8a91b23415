import type { AppId, WebhookName } from '#shared/contract/fields.ts';
import type { Key, Range } from '#shared/table/key.ts';

/**
 * How far the deliveries of a webhook are. Those of all applications are one partition, so that one query finds all that may have
 * something to deliver; what is set of a webhook is in the item of its application.
 */
export const webhookStateKey = ({ appId, webhookId }: WebhookName): Key => ({
  pk: 'WEBHOOKS',
  sk: `${appId}#${webhookId}`,
});

/** One attempt of a webhook, and one request to send something. */
export const webhookAttemptKey = (name: WebhookName, attemptId: string): Key => ({
  pk: webhookPartition(name),
  sk: `ATTEMPT#${attemptId}`,
});
export const webhookRequestKey = (name: WebhookName, requestId: string): Key => ({
  pk: webhookPartition(name),
  sk: `REQUEST#${requestId}`,
});
/** What waits for a webhook of one user. */
export const webhookLaneKey = (
  { deliveryId, ...name }: WebhookName & { deliveryId: string },
  subject: string,
): Key => ({
  pk: webhookPartition(name),
  sk: `LANE#${deliveryId}#${subject}`,
});
/** The webhook that a request to send something is for; undefined for any other key. */
export function requestedWebhook({ pk = '', sk = '' }: Partial<Key>): WebhookName | undefined {
  const [, appId, webhookId] = /^WEBHOOK#([^#]+)#([^#]+)$/.exec(pk) ?? [];
  if (appId === undefined || webhookId === undefined || !sk.startsWith('REQUEST#')) return undefined;
  return { appId, webhookId } as WebhookName;
}
const webhookPartition = ({ appId, webhookId }: WebhookName) => `WEBHOOK#${appId}#${webhookId}`;

/** The webhooks of one application or of all. */
export const webhookStatesRange = (appId?: AppId): Range => ({
  pk: 'WEBHOOKS',
  ...(appId !== undefined && { prefix: `${appId}#` }),
});

/** The attempts of a webhook, the latest first. */
export const webhookAttemptsRange = (name: WebhookName): Range => ({
  pk: webhookPartition(name),
  prefix: 'ATTEMPT#',
  descending: true,
});

/** The requests to send something to a webhook. */
export const webhookRequestsRange = (name: WebhookName): Range => ({ pk: webhookPartition(name), prefix: 'REQUEST#' });

/** Whatever waits for a webhook. */
export const webhookLanesRange = ({ deliveryId, ...name }: WebhookName & { deliveryId: string }): Range => ({
  pk: webhookPartition(name),
  prefix: `LANE#${deliveryId}#`,
});
