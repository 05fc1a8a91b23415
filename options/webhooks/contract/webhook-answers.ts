import * as v from 'valibot';
import { extendedSchema, versionedSchema } from '#shared/contract/answers.ts';
import { changeActions } from '#shared/contract/change-actions.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import { timestampSchema, webhookIdSchema } from '#shared/contract/fields.ts';
import { testEventType, webhookEventSchema } from './webhook-events.ts';
import { webhookFields } from './webhook-fields.ts';

/** The states of a webhook. */
export const webhookStates = ['on', 'retrying', 'off', 'failed'] as const;

/** Why a webhook turned itself off. */
export const offReasons = ['failing', 'gone'] as const;

/** A secret of a webhook, by its id. */
export const secretSchema = v.object({ secretId: v.string(), expiresAt: v.nullable(timestampSchema) });

/** A webhook, without its secret. */
export const webhookSchema = versionedSchema({
  webhookId: webhookIdSchema,
  ...fieldEntries(webhookFields, 'shown'),
  events: v.nullable(v.array(webhookEventSchema)),
  state: v.picklist(webhookStates),
  offReason: v.nullable(v.picklist(offReasons)),
  secrets: v.array(secretSchema),
  failingSince: v.nullable(timestampSchema),
  lastError: v.nullable(v.string()),
  lastDeliveredAt: v.nullable(timestampSchema),
  nextAttemptAt: v.nullable(timestampSchema),
  oldestUndelivered: v.nullable(timestampSchema),
});

/** The answer to a creation or a rotation, the only ones that contain a secret. */
export const issuedWebhookSchema = extendedSchema(webhookSchema, { secret: v.string() });

/** How an attempt to deliver can end. */
export const attemptOutcomes = ['delivered', 'failed', 'refused', 'given_up'] as const;

/** An attempt to deliver an event. */
export const webhookAttemptSchema = v.object({
  attemptId: v.string(),
  at: timestampSchema,
  eventId: v.string(),
  type: v.picklist([...changeActions, testEventType]),
  outcome: v.picklist(attemptOutcomes),
  status: v.nullable(v.pipe(v.number(), v.integer())),
  error: v.nullable(v.string()),
  durationMilliseconds: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextAttemptAt: v.nullable(timestampSchema),
});

/** Whether events will be sent. */
export const queuedSchema = v.object({ queued: v.boolean() });
