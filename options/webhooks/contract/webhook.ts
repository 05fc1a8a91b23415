import * as v from 'valibot';
import type { Answer, ChangedOf, deletionSchema, PageOf } from '#shared/contract/answers.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import {
  answers,
  changeIdSchema,
  dryRunQuerySchema,
  durationSchema,
  pageQuerySchema,
  timestampSchema,
  webhookIdSchema,
} from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type {
  attemptOutcomes,
  issuedWebhookSchema,
  offReasons,
  queuedSchema,
  webhookAttemptSchema,
  webhookSchema,
  webhookStates,
} from './webhook-answers.ts';
import { webhookEventSchema, webhookEvents } from './webhook-events.ts';
import { webhookFields } from './webhook-fields.ts';

/** Each request of the application reads all of its webhooks. */
export const maxWebhooksPerApplication = 5;

/** How long both secrets sign after a rotation. */
const maxSecretOverlapDays = 30;

export type WebhookEvent = (typeof webhookEvents)[number];

export type WebhookState = (typeof webhookStates)[number];

export type WebhookOffReason = (typeof offReasons)[number];

const eventsSchema = v.pipe(
  v.array(webhookEventSchema, 'must be a list'),
  v.minLength(1, 'must name at least one action; null means all'),
  v.transform((named) => webhookEvents.filter((action) => named.includes(action))),
);

export type WebhookView = Answer<typeof webhookSchema>;

export type IssuedWebhookView = Answer<typeof issuedWebhookSchema>;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

export type WebhookAttemptView = Answer<typeof webhookAttemptSchema>;

/** All that is set of a webhook; omitted members get their defaults. */
export const setWebhookBodySchema = v.strictObject({
  ...fieldEntries(webhookFields, 'body'),
  events: v.nullish(eventsSchema, null),
});

const createWebhookBodySchema = v.strictObject({ webhookId: webhookIdSchema, ...setWebhookBodySchema.entries });

export const createWebhookOperation = {
  name: 'create-webhook',
  method: 'POST',
  path: '/api/manage/applications/{appId}/webhooks',
  role: 'admin',
  query: dryRunQuerySchema,
  body: createWebhookBodySchema,
  answer: answers<typeof issuedWebhookSchema>(),
  statuses: [201],
  errors: ['application_not_found', 'already_exists', 'too_many_webhooks'],
} as const satisfies ManageOperation;

export const listWebhooksOperation = {
  name: 'list-webhooks',
  method: 'GET',
  path: '/api/manage/applications/{appId}/webhooks',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof webhookSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

export const getWebhookOperation = {
  name: 'get-webhook',
  method: 'GET',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}',
  role: 'viewer',
  answer: answers<typeof webhookSchema>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

/** Omitted members keep their values. */
const updateWebhookBodySchema = v.strictObject({
  ...fieldEntries(webhookFields, 'patch'),
  events: v.optional(v.nullable(eventsSchema)),
});

export const updateWebhookOperation = {
  name: 'update-webhook',
  method: 'PATCH',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}',
  role: 'admin',
  query: dryRunQuerySchema,
  body: updateWebhookBodySchema,
  answer: answers<ChangedOf<typeof webhookSchema>>(),
  ifMatch: true,
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

export const deleteWebhookOperation = {
  name: 'delete-webhook',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<typeof deletionSchema>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

export const rotateWebhookSecretBodySchema = v.strictObject({
  overlap: v.pipe(
    durationSchema,
    v.maxValue(maxSecretOverlapDays * 86_400, `must be at most ${maxSecretOverlapDays} days`),
  ),
});

export const rotateWebhookSecretOperation = {
  name: 'rotate-webhook-secret',
  method: 'POST',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}/rotate',
  role: 'admin',
  query: dryRunQuerySchema,
  body: rotateWebhookSecretBodySchema,
  answer: answers<typeof issuedWebhookSchema>(),
  statuses: [201],
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

export const listWebhookAttemptsOperation = {
  name: 'list-webhook-attempts',
  method: 'GET',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}/attempts',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof webhookAttemptSchema>>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

/** Exactly one member. */
const resendWebhookBodySchema = v.strictObject({
  changeId: v.optional(changeIdSchema),
  since: v.optional(timestampSchema),
});

export const resendWebhookOperation = {
  name: 'resend-webhook',
  method: 'POST',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}/resend',
  role: 'admin',
  body: resendWebhookBodySchema,
  answer: answers<typeof queuedSchema>(),
  errors: ['application_not_found', 'webhook_not_found', 'change_not_found'],
} as const satisfies ManageOperation;

export const testWebhookOperation = {
  name: 'test-webhook',
  method: 'POST',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}/test',
  role: 'admin',
  answer: answers<typeof queuedSchema>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;
