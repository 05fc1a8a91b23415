import * as v from 'valibot';
import { actions, changeRecord, end, recorded, sometimes } from '#shared/contract/change-states.ts';
import { appIdSchema, webhookIdSchema } from '#shared/contract/fields.ts';
import { setWebhookSchema } from './own-webhook-answers.ts';
import { setWebhookBodySchema } from './webhook.ts';
import { issuedWebhookSchema, webhookSchema } from './webhook-answers.ts';
import { webhookEventSchema } from './webhook-events.ts';
import { webhookFormats } from './webhook-formats.ts';

/** Only what was changed; everything is `null` of a webhook that does not exist. */
export const webhookStateSchema = recorded(
  sometimes({
    url: v.nullable(v.string()),
    format: v.nullable(v.picklist(webhookFormats)),
    enabled: v.nullable(v.boolean()),
    events: v.nullable(v.string()),
    offReason: v.nullable(v.string()),
    secretId: v.nullable(v.string()),
    previousSecretId: v.nullable(v.string()),
    previousSecretUntil: end,
  }),
);
/** What webhooks add to the types of the SDK. */
export const webhookTypes = {
  changes: {
    WebhookChange: v.strictObject({
      ...changeRecord,
      action: actions('webhook.created', 'webhook.updated', 'webhook.rotated', 'webhook.deleted'),
      appId: appIdSchema,
      webhookId: webhookIdSchema,
      before: webhookStateSchema,
      after: webhookStateSchema,
    }),
  },
  answers: {
    WebhookEvent: webhookEventSchema,
    Webhook: webhookSchema,
    IssuedWebhook: issuedWebhookSchema,
    SetWebhook: setWebhookSchema,
  },
  inputs: { WebhookSetting: setWebhookBodySchema },
  comments: {
    WebhookEvent: 'The kinds of changes that a webhook delivers. New ones may be added.',
    Webhook: 'A webhook of the application, without its secret.',
    IssuedWebhook: 'A webhook with its new secret.',
    SetWebhook: 'The response to setting a webhook: `changed` is false if it was already as requested.',
    WebhookChange: 'A webhook was created, changed or deleted, or its secret replaced.',
    WebhookSetting: 'All of a webhook: omitted members get their defaults.',
  },
} as const;
