import { changedSchema, deletionSchema, pageSchema } from '#shared/contract/answers.ts';
import { describedPage } from '#shared/contract/answers-documents.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { exampleTime } from '#shared/contract/examples.ts';
import {
  createWebhookOperation,
  type deleteWebhookOperation,
  type getWebhookOperation,
  type listWebhookAttemptsOperation,
  type listWebhooksOperation,
  maxWebhooksPerApplication,
  resendWebhookOperation,
  rotateWebhookSecretBodySchema,
  type rotateWebhookSecretOperation,
  setWebhookBodySchema,
  type testWebhookOperation,
  updateWebhookOperation,
} from './webhook.ts';
import {
  issuedWebhookSchema,
  queuedSchema,
  secretSchema,
  webhookAttemptSchema,
  webhookSchema,
} from './webhook-answers.ts';
import { testEventType } from './webhook-events.ts';
import { exampleRotatedWebhook, exampleWebhook, exampleWebhookAttempt } from './webhook-examples.ts';

export const createWebhookDocuments: OperationDocumentation<typeof createWebhookOperation> = {
  answer: issuedWebhookSchema,
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description: `Receives the changes of the application's feed from now on. Only this answer contains the secret. An application has at most ${maxWebhooksPerApplication} webhooks.`,
  example: {
    body: { webhookId: exampleWebhook.webhookId, url: exampleWebhook.url, events: [...exampleWebhook.events] },
    answer: { ...exampleWebhook, secret: 'whsec_c2hvd24tb25seS1vbmNlLWFuZC1uZXZlci1hZ2Fpbi0=' },
  },
};

export const listWebhooksDocuments: OperationDocumentation<typeof listWebhooksOperation> = {
  answer: describedPage(pageSchema(webhookSchema)),
  tag: 'Webhooks',
  summary: 'List the webhooks of an application',
  description: 'Ordered by id, without their secrets.',
  example: { query: { limit: 25 }, answer: { items: [exampleWebhook], cursor: null } },
};

export const getWebhookDocuments: OperationDocumentation<typeof getWebhookOperation> = {
  answer: webhookSchema,
  tag: 'Webhooks',
  summary: 'Read a webhook',
  description: 'Its settings, whether its deliveries succeed, and since when they fail. It never includes a secret.',
  example: { answer: exampleWebhook },
};

export const updateWebhookDocuments: OperationDocumentation<typeof updateWebhookOperation> = {
  answer: changedSchema(webhookSchema),
  tag: 'Webhooks',
  summary: 'Update a webhook',
  description:
    'Omitted members keep their values; `events` is replaced. Turned on again, it continues where it stopped. After each update, what waits for a retry is tried immediately.',
  example: {
    body: { events: null },
    answer: { ...exampleWebhook, events: null, version: 2, updatedAt: exampleTime, changed: true },
  },
};

export const deleteWebhookDocuments: OperationDocumentation<typeof deleteWebhookOperation> = {
  answer: deletionSchema,
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'A delivery that is in progress may still arrive. Its attempts stay until they expire.',
  example: { answer: { changed: true, complete: true } },
};

export const rotateWebhookSecretDocuments: OperationDocumentation<typeof rotateWebhookSecretOperation> = {
  answer: issuedWebhookSchema,
  tag: 'Webhooks',
  summary: "Replace a webhook's secret",
  description:
    'Only this answer contains the new secret. For the overlap each delivery has two signatures, one with each secret.',
  example: {
    body: { overlap: 'PT24H' },
    answer: { ...exampleRotatedWebhook, events: null },
  },
};

export const listWebhookAttemptsDocuments: OperationDocumentation<typeof listWebhookAttemptsOperation> = {
  answer: describedPage(pageSchema(webhookAttemptSchema)),
  tag: 'Webhooks',
  summary: 'List the attempts of a webhook',
  description: 'Newest first, for 30 days. They name changes and no users.',
  example: { query: { limit: 25 }, answer: { items: [exampleWebhookAttempt], cursor: null } },
};

export const resendWebhookDocuments: OperationDocumentation<typeof resendWebhookOperation> = {
  answer: queuedSchema,
  tag: 'Webhooks',
  summary: 'Resend events',
  description:
    'With `changeId` one change, once and out of order, from those that the feed still has. With `since` all changes from that time on, in order; a time later than the next delivery skips what is before it. The attempts show the result.',
  example: { body: { since: '2026-11-20T19:00:00.000Z' }, answer: { queued: true } },
};

export const testWebhookDocuments: OperationDocumentation<typeof testWebhookOperation> = {
  answer: queuedSchema,
  tag: 'Webhooks',
  summary: 'Send a test event',
  description: `Sends an event of type \`${testEventType}\` once, even while the webhook is off. The attempts show the result.`,
  example: { answer: { queued: true } },
};

describeMembers(secretSchema.entries, {
  secretId: 'Identifies the secret, which is derived from it and stored nowhere.',
  expiresAt: 'Until when the secret signs beside its successor; `null` for the current one.',
});
describeMembers(webhookSchema.entries, {
  events: 'The kinds of changes that are delivered, as in the feed; `null` for all.',
  state:
    '`on`, `retrying` while a delivery waits for another attempt, `off`, or `failed` if it turned itself off: its receiver accepted nothing for three days, or answered 410.',
  offReason: 'Why it turned itself off; `null` if it did not.',
  secrets: 'The current secret and, during the overlap of a rotation, the one before; only their ids.',
  failingSince: 'When the oldest event that waits for a retry was first attempted; `null` if there is none.',
  lastError: 'The error of the last failed attempt; `null` if none failed since the last success.',
  lastDeliveredAt: 'When a delivery last succeeded; `null` if none did.',
  nextAttemptAt: 'When the next retry is due; `null` if none waits.',
  oldestUndelivered: 'The time of the oldest change that waits for a retry; `null` if none does.',
});
describeMembers(
  [setWebhookBodySchema.entries, createWebhookOperation.body.entries, updateWebhookOperation.body.entries],
  {
    events: 'The kinds of changes to deliver, as in the feed; `null` for all.',
  },
);
describeMembers(issuedWebhookSchema.entries, {
  secret: 'The secret that signs deliveries in the format `standard`. No later answer contains it.',
});
describeMembers(webhookAttemptSchema.entries, {
  attemptId: 'Identifies the attempt.',
  eventId: 'The `webhook-id` of the delivery: the `id` of the change.',
  type: 'The kind of the change, or `webhook.test`.',
  outcome:
    '`delivered`; `failed`, to be tried again; `refused`, not to be tried again; or `given_up`, because it has failed for three days while others were accepted.',
  status: 'The status of the answer; `null` if there was none.',
  error: 'The error; `null` if the attempt succeeded.',
  durationMilliseconds: 'How long it took.',
  nextAttemptAt: 'When the next attempt is due; `null` if there is none.',
});
describeMembers(queuedSchema.entries, {
  queued: 'Whether it is sent within seconds; `false` if the deployment does not deliver in the format of the webhook.',
});
describeMembers(rotateWebhookSecretBodySchema.entries, {
  overlap: 'How long the old secret signs too, from `PT0S` to 30 days, in days, hours, minutes and seconds.',
});
describeMembers(resendWebhookOperation.body.entries, {
  changeId: 'The `id` of a change in the feed. Cannot be combined with `since`.',
  since: 'The time from which all changes are sent again, while the feed has them.',
});
