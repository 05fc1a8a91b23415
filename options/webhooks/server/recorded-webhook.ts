import type { RecordedState } from '#shared/contract/change.ts';
import { type FieldValues, pickFields } from '#shared/contract/field-forms.ts';
import type { WebhookEvent } from '../contract/webhook.ts';
import { webhookFields } from '../contract/webhook-fields.ts';
import type { Webhook } from '../table/webhook-item.ts';

/** What callers set of a webhook. */
export interface WebhookSettings extends FieldValues<typeof webhookFields> {
  readonly events: readonly WebhookEvent[] | null;
}

/** What a rule sets; the rest is the same for all. */
export type Decided = Omit<Webhook, 'version' | 'createdAt' | 'updatedAt' | 'events'> & Pick<WebhookSettings, 'events'>;

const none = {
  url: null,
  format: null,
  enabled: null,
  events: null,
  offReason: null,
  secretId: null,
  previousSecretId: null,
  previousSecretUntil: null,
};

/** A webhook as its Changes record it; a list is a text, with spaces. */
export function recordedWebhook(webhook: Decided | undefined): RecordedState {
  if (webhook === undefined) return none;
  const { offReason, events } = webhook;
  const fields = pickFields(webhookFields, webhook);
  return { ...fields, events: events?.join(' ') ?? null, offReason, ...secretIdsOf(webhook) };
}

/** The secrets of a webhook, which a change of its settings keeps. */
export function secretIdsOf({ secretId, previousSecretId, previousSecretUntil }: Decided) {
  return { secretId, previousSecretId, previousSecretUntil };
}
