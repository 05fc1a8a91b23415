import * as v from 'valibot';
import {
  type Answer,
  type ChangedOf,
  type deletionSchema,
  extendedSchema,
  type PageOf,
  versionedSchema,
} from './answers.ts';
import { applicationActions, changeActions } from './change.ts';
import {
  answers,
  changeIdSchema,
  dryRunQuerySchema,
  durationSchema,
  pageQuerySchema,
  timestampSchema,
  webhookIdSchema,
} from './fields.ts';
import type { ManageOperation } from './operation.ts';
import { fieldEntries } from './resource-fields.ts';
import { webhookFields } from './webhook-fields.ts';

/** Each request of the application reads all of its webhooks. */
export const maxWebhooksPerApplication = 5;

/** How long both secrets sign after a rotation. */
const maxSecretOverlapDays = 30;

/** The kinds of changes in the feed of an application. */
export const webhookEvents = /* @__PURE__ */ (() => applicationActions.filter((action) => action !== 'user.updated'))();
export type WebhookEvent = (typeof webhookEvents)[number];

/** The type of the event that only tests a webhook. */
export const testEventType = 'webhook.test';

const webhookStates = ['on', 'retrying', 'off', 'failed'] as const;
export type WebhookState = (typeof webhookStates)[number];

const offReasons = ['failing', 'gone'] as const;
export type WebhookOffReason = (typeof offReasons)[number];

export const secretSchema = /* @__PURE__ */ (() =>
  v.object({ secretId: v.string(), expiresAt: v.nullable(timestampSchema) }))();

/** One of them, in an answer or a body. */
export const webhookEventSchema = /* @__PURE__ */ (() =>
  v.picklist(webhookEvents, 'must be actions of the feed, such as access.changed'))();

const eventsSchema = /* @__PURE__ */ (() =>
  v.pipe(
    v.array(webhookEventSchema, 'must be a list'),
    v.minLength(1, 'must name at least one action; null means all'),
    v.transform((named) => webhookEvents.filter((action) => named.includes(action))),
  ))();

export const webhookSchema = /* @__PURE__ */ (() =>
  versionedSchema({
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
  }))();
export type WebhookView = Answer<typeof webhookSchema>;

/** The answer to a creation or a rotation, the only ones that contain a secret. */
export const issuedWebhookSchema = /* @__PURE__ */ (() => extendedSchema(webhookSchema, { secret: v.string() }))();
export type IssuedWebhookView = Answer<typeof issuedWebhookSchema>;

const attemptOutcomes = ['delivered', 'failed', 'refused', 'skipped'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export const webhookAttemptSchema = /* @__PURE__ */ (() =>
  v.object({
    attemptId: v.string(),
    at: timestampSchema,
    eventId: v.string(),
    type: v.picklist([...changeActions, testEventType]),
    outcome: v.picklist(attemptOutcomes),
    status: v.nullable(v.pipe(v.number(), v.integer())),
    error: v.nullable(v.string()),
    durationMilliseconds: v.pipe(v.number(), v.integer(), v.minValue(0)),
    nextAttemptAt: v.nullable(timestampSchema),
  }))();
export type WebhookAttemptView = Answer<typeof webhookAttemptSchema>;

export const queuedSchema = /* @__PURE__ */ (() => v.object({ queued: v.boolean() }))();

/** All that is set of a webhook; omitted members get their defaults. */
export const setWebhookBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({ ...fieldEntries(webhookFields, 'body'), events: v.nullish(eventsSchema, null) }))();

const createWebhookBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({ webhookId: webhookIdSchema, ...setWebhookBodySchema.entries }))();

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
const updateWebhookBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({ ...fieldEntries(webhookFields, 'patch'), events: v.optional(v.nullable(eventsSchema)) }))();

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

export const rotateWebhookSecretBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({
    overlap: v.pipe(
      durationSchema,
      v.maxValue(maxSecretOverlapDays * 86_400, `must be at most ${maxSecretOverlapDays} days`),
    ),
  }))();

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
const resendWebhookBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({ changeId: v.optional(changeIdSchema), since: v.optional(timestampSchema) }))();

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
