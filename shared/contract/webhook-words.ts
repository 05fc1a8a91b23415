import type { WebhookEvent, WebhookOffReason, WebhookState, WebhookView } from './webhook.ts';

/** Each state of a webhook in one word. */
export const webhookStateLabels: Readonly<Record<WebhookState, string>> = {
  on: 'Active',
  retrying: 'Retrying',
  off: 'Paused',
  failed: 'Stopped',
};

/** Why a webhook has stopped. */
const offReasonLabels: Readonly<Record<WebhookOffReason, string>> = {
  failing: 'deliveries failed for three days',
  gone: 'the receiver answered 410 Gone',
};

/** The reason for which a webhook has stopped; for an unknown reason, its name in the API. */
export function describeOffReason(reason: string): string {
  return (offReasonLabels as Readonly<Record<string, string>>)[reason] ?? reason;
}

/** The state of a webhook, with the reason if it has stopped: `Stopped: deliveries failed for three days`. */
export function describeWebhookState({ state, offReason }: Pick<WebhookView, 'state' | 'offReason'>): string {
  const label = webhookStateLabels[state];
  return offReason === null ? label : `${label}: ${describeOffReason(offReason)}`;
}

/** When each event is sent. */
export const webhookEventMeanings: Readonly<Record<WebhookEvent, string>> = {
  'user.created': 'A user whose ID belonged to an erased user was created again.',
  'user.deleted': 'A user was erased.',
  'user.status.changed': 'A user was deactivated or reactivated in all applications.',
  'access.changed': 'A user was allowed or blocked in the application.',
  'role.assigned': 'A user got a role, or the role got another end.',
  'role.revoked': 'A user lost a role.',
  'role.defined': 'A role was defined, or its description changed.',
  'role.deleted': 'A role was deleted, and with it removed from all users.',
  'application.created': 'The application was created.',
  'application.updated': 'A setting of the application changed, such as its rollout, which can shut users out.',
  'application.deleted': 'The application was deleted.',
  'application.reviewed': 'The access of all users was reviewed.',
  'key.issued': 'An API key was issued.',
  'key.updated': 'The label of an API key changed.',
  'key.rotated': 'An API key was replaced by a new one.',
  'key.revoked': 'An API key was revoked.',
  'webhook.created': 'A webhook was created.',
  'webhook.updated': 'A webhook was changed, paused, resumed or stopped.',
  'webhook.rotated': 'The secret of a webhook was replaced.',
  'webhook.deleted': 'A webhook was deleted.',
};
