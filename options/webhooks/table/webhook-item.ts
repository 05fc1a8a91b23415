import * as v from 'valibot';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { Application } from '#shared/table/items/application-item.ts';
import type { WebhookEvent, WebhookOffReason } from '../contract/webhook.ts';
import { webhookFields } from '../contract/webhook-fields.ts';

const storedWebhookSchema = v.object({
  ...fieldEntries(webhookFields, 'stored'),
  /** The kinds of changes to deliver; `null` for all. */
  events: v.nullable(v.array(storedId<WebhookEvent>())),
  /** Why it turned itself off. */
  offReason: v.nullable(storedId<WebhookOffReason>()),
  secretId: v.string(),
  /** The secret before, which signs too until this time. */
  previousSecretId: nullableText,
  previousSecretUntil: nullableText,
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
});

/** What is set of a webhook, in the item of its application, whose chain records its changes. */
export type Webhook = Readonly<v.InferOutput<typeof storedWebhookSchema>>;

/** One webhook of an application; undefined if there is none with this id. */
export function webhookOf({ webhooks = {} }: Pick<Application, 'webhooks'>, webhookId: string): Webhook | undefined {
  if (!Object.hasOwn(webhooks, webhookId)) return undefined;
  return parseItem(storedWebhookSchema, Object(webhooks[webhookId]));
}

/** The webhook, or 404 `webhook_not_found`. */
export function requireWebhook(application: Pick<Application, 'webhooks'>, webhookId: string): Webhook {
  const webhook = webhookOf(application, webhookId);
  if (webhook !== undefined) return webhook;
  throw new ServiceError('webhook_not_found', { detail: 'The application has no webhook with this id.' });
}

/** The secrets that sign at a time, the current one first. */
export function secretsOf(webhook: Webhook, at: Date): { secretId: string; expiresAt: string | null }[] {
  const { secretId, previousSecretId, previousSecretUntil } = webhook;
  const overlaps = previousSecretUntil !== null && previousSecretUntil > at.toISOString();
  const previous =
    overlaps && previousSecretId !== null ? [{ secretId: previousSecretId, expiresAt: previousSecretUntil }] : [];
  return [{ secretId, expiresAt: null }, ...previous];
}
