import * as v from 'valibot';
import {
  type Answer,
  type ChangedOf,
  changedSchema,
  deletionSchema,
  extendedSchema,
  type PageOf,
  pageSchema,
  versionedSchema,
} from './answers.ts';
import { applicationActions, changeActions } from './change.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleRotatedWebhook, exampleTime, exampleWebhook, exampleWebhookAttempt } from './examples.ts';
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

const secretSchema = /* @__PURE__ */ (() =>
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

const webhookAttemptSchema = /* @__PURE__ */ (() =>
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

const queuedSchema = /* @__PURE__ */ (() => v.object({ queued: v.boolean() }))();

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

/* @__PURE__ */ documentOperation(createWebhookOperation, () => ({
  answer: issuedWebhookSchema,
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description: `Receives the changes of the application's feed from now on. Only this answer contains the secret. An application has at most ${maxWebhooksPerApplication} webhooks.`,
  example: {
    body: { webhookId: exampleWebhook.webhookId, url: exampleWebhook.url, events: [...exampleWebhook.events] },
    answer: { ...exampleWebhook, secret: 'whsec_c2hvd24tb25seS1vbmNlLWFuZC1uZXZlci1hZ2Fpbi0=' },
  },
}));

export const listWebhooksOperation = {
  name: 'list-webhooks',
  method: 'GET',
  path: '/api/manage/applications/{appId}/webhooks',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof webhookSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listWebhooksOperation, () => ({
  answer: pageSchema(webhookSchema),
  tag: 'Webhooks',
  summary: 'List the webhooks of an application',
  description: 'Ordered by id, without their secrets.',
  example: { query: { limit: 25 }, answer: { items: [exampleWebhook], cursor: null } },
}));

export const getWebhookOperation = {
  name: 'get-webhook',
  method: 'GET',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}',
  role: 'viewer',
  answer: answers<typeof webhookSchema>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(getWebhookOperation, () => ({
  answer: webhookSchema,
  tag: 'Webhooks',
  summary: 'Read a webhook',
  description: 'What is set, whether its deliveries succeed, and since when not. It never includes a secret.',
  example: { answer: exampleWebhook },
}));

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

/* @__PURE__ */ documentOperation(updateWebhookOperation, () => ({
  answer: changedSchema(webhookSchema),
  tag: 'Webhooks',
  summary: 'Update a webhook',
  description:
    'Omitted members keep their values; `events` is replaced. Turned on again, it continues where it stopped; what waited for a retry is tried immediately.',
  example: {
    body: { events: null },
    answer: { ...exampleWebhook, events: null, version: 2, updatedAt: exampleTime, changed: true },
  },
}));

export const deleteWebhookOperation = {
  name: 'delete-webhook',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<typeof deletionSchema>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(deleteWebhookOperation, () => ({
  answer: deletionSchema,
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'A delivery that is in progress may still arrive. Its attempts stay until they expire.',
  example: { answer: { changed: true, complete: true } },
}));

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

/* @__PURE__ */ documentOperation(rotateWebhookSecretOperation, () => ({
  answer: issuedWebhookSchema,
  tag: 'Webhooks',
  summary: "Replace a webhook's secret",
  description:
    'Only this answer contains the new secret. For the overlap each delivery has two signatures, one with each secret.',
  example: {
    body: { overlap: 'PT24H' },
    answer: { ...exampleRotatedWebhook, events: null },
  },
}));

export const listWebhookAttemptsOperation = {
  name: 'list-webhook-attempts',
  method: 'GET',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}/attempts',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof webhookAttemptSchema>>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listWebhookAttemptsOperation, () => ({
  answer: pageSchema(webhookAttemptSchema),
  tag: 'Webhooks',
  summary: 'List the attempts of a webhook',
  description: 'Newest first, for 30 days. They name changes and no users.',
  example: { query: { limit: 25 }, answer: { items: [exampleWebhookAttempt], cursor: null } },
}));

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

/* @__PURE__ */ documentOperation(resendWebhookOperation, () => ({
  answer: queuedSchema,
  tag: 'Webhooks',
  summary: 'Resend events',
  description:
    'With `changeId` one change, once and out of order, from those that the feed still has. With `since` all changes from that time on, in order; a time later than the next delivery skips what is before it. The attempts show the result.',
  example: { body: { since: '2026-11-20T19:00:00.000Z' }, answer: { queued: true } },
}));

export const testWebhookOperation = {
  name: 'test-webhook',
  method: 'POST',
  path: '/api/manage/applications/{appId}/webhooks/{webhookId}/test',
  role: 'admin',
  answer: answers<typeof queuedSchema>(),
  errors: ['application_not_found', 'webhook_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(testWebhookOperation, () => ({
  answer: queuedSchema,
  tag: 'Webhooks',
  summary: 'Send a test event',
  description: `Sends an event of type \`${testEventType}\` once, even while the webhook is off. The attempts show the result.`,
  example: { answer: { queued: true } },
}));

/* @__PURE__ */ describeMembers(() => secretSchema.entries, {
  secretId: 'Identifies the secret, which is derived from it and stored nowhere.',
  expiresAt: 'Until when the secret signs beside its successor; `null` for the current one.',
});
/* @__PURE__ */ describeMembers(() => webhookSchema.entries, {
  events: 'The kinds of changes that are delivered, as in the feed; `null` for all.',
  state:
    '`on`, `retrying` while a delivery waits for another attempt, `off`, or `failed` if it turned itself off after three days of failures or a 410.',
  offReason: 'Why it turned itself off; `null` if it did not.',
  secrets: 'The current secret and, during the overlap of a rotation, the one before; only their ids.',
  failingSince: 'When the oldest delivery that has not succeeded since was first attempted; `null` if there is none.',
  lastError: 'What the last failed attempt found; `null` if there was none since the last success.',
  lastDeliveredAt: 'When a delivery last succeeded; `null` if none did.',
  nextAttemptAt: 'When the next retry is due; `null` if none waits.',
  oldestUndelivered: 'The time of the oldest change that waits for a retry; `null` if none does.',
});
/* @__PURE__ */ describeMembers(
  () => [setWebhookBodySchema.entries, createWebhookBodySchema.entries, updateWebhookBodySchema.entries],
  {
    events: 'The kinds of changes to deliver, as in the feed; `null` for all.',
  },
);
/* @__PURE__ */ describeMembers(() => issuedWebhookSchema.entries, {
  secret: 'The secret that signs deliveries in the format `standard`. No later answer contains it.',
});
/* @__PURE__ */ describeMembers(() => webhookAttemptSchema.entries, {
  attemptId: 'Identifies the attempt.',
  eventId: 'The `webhook-id` of the delivery: the `id` of the change.',
  type: 'The kind of the change, or `webhook.test`.',
  outcome:
    '`delivered`; `failed`, to be tried again; `refused`, not to be tried again; or `skipped`, because the change cannot be sent.',
  status: 'The status of the answer; `null` if there was none.',
  error: 'What went wrong; `null` if nothing did.',
  durationMilliseconds: 'How long it took.',
  nextAttemptAt: 'When the next attempt is due; `null` if there is none.',
});
/* @__PURE__ */ describeMembers(() => queuedSchema.entries, {
  queued: 'Whether it is sent within seconds; `false` if the deployment does not deliver in the format of the webhook.',
});
/* @__PURE__ */ describeMembers(() => rotateWebhookSecretBodySchema.entries, {
  overlap: 'How long the old secret signs too, from `PT0S` to 30 days, in days, hours, minutes and seconds.',
});
/* @__PURE__ */ describeMembers(() => resendWebhookBodySchema.entries, {
  changeId: 'The `id` of a change in the feed. Cannot be combined with `since`.',
  since: 'The time from which all changes are sent again, while the feed has them.',
});
