import type { WebhookOffReason, WebhookState, WebhookView } from './webhook.ts';

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
