import type { WebhookState, WebhookView } from './webhook.ts';
import { describeOffReason } from './webhook-change-kinds.ts';

/** Each state of a webhook in one word. */
export const webhookStateLabels: Readonly<Record<WebhookState, string>> = {
  on: 'Active',
  retrying: 'Retrying',
  off: 'Paused',
  failed: 'Stopped',
};

/** The state of a webhook, with the reason if it has stopped: `Stopped: deliveries failed for three days`. */
export function describeWebhookState({ state, offReason }: Pick<WebhookView, 'state' | 'offReason'>): string {
  const label = webhookStateLabels[state];
  return offReason === null ? label : `${label}: ${describeOffReason(offReason)}`;
}
