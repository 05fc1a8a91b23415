import { deletionSchema, pageSchema } from '#shared/contract/answers.ts';
import { describedPage } from '#shared/contract/answers-documents.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import type {
  deleteOwnWebhookOperation,
  listOwnWebhooksOperation,
  rotateOwnWebhookSecretOperation,
  setOwnWebhookOperation,
} from './own-webhook.ts';
import { setWebhookSchema } from './own-webhook-answers.ts';
import { maxWebhooksPerApplication } from './webhook.ts';
import { issuedWebhookSchema, webhookSchema } from './webhook-answers.ts';
import { exampleRotatedWebhook, exampleWebhook } from './webhook-examples.ts';
import { webhookRoots } from './webhook-names.ts';

export const listOwnWebhooksDocuments: OperationDocumentation<typeof listOwnWebhooksOperation> = {
  answer: describedPage(pageSchema(webhookSchema)),
  onlyWith: 'webhooks',
  table: { queries: ['webhook'] },
  tag: 'Service API',
  summary: 'List the webhooks of the application',
  description: `Ordered by id, without their secrets; an application has at most ${maxWebhooksPerApplication}. \`state\` and \`lastError\` say whether deliveries succeed.`,
  example: { query: { limit: 25 }, answer: { items: [exampleWebhook], cursor: null } },
};

describeMembers(setWebhookSchema.entries, {
  secret:
    'The secret that signs deliveries in the format `standard`, if the request created the webhook; otherwise `null`.',
});

/** What a change of a webhook writes: it is a part of its application, and its Changes name it. */
export const changesApplication = { attributes: ['webhooks'], ofChange: ['webhookId'] };

export const setOwnWebhookDocuments: OperationDocumentation<typeof setOwnWebhookOperation> = {
  answer: setWebhookSchema,
  onlyWith: 'webhooks',
  // The deliveries of a new webhook begin at the end of the feeds.
  table: {
    reads: ['webhook'],
    queries: ['feed'],
    writes: { PutItem: ['nonce', 'webhook', 'feed'], UpdateItem: ['webhook'] },
    changesApplication,
  },
  settings: ['changeRetentionDays', 'webhooks'],
  roots: [webhookRoots],
  tag: 'Service API',
  summary: 'Create or replace a webhook of the application',
  description:
    'Sets everything: omitted members get their defaults, so an application can send the same request whenever it starts. Only the answer to the request that created the webhook has its `secret`. A webhook that has turned itself off is on again, and continues where it stopped.',
  example: {
    body: { url: exampleWebhook.url, events: [...exampleWebhook.events] },
    answer: { ...exampleWebhook, changed: true, secret: 'whsec_c2hvd24tb25seS1vbmNlLWFuZC1uZXZlci1hZ2Fpbi0=' },
  },
};

export const deleteOwnWebhookDocuments: OperationDocumentation<typeof deleteOwnWebhookOperation> = {
  answer: deletionSchema,
  onlyWith: 'webhooks',
  table: { writes: { PutItem: ['nonce', 'feed'], DeleteItem: ['webhook'] }, changesApplication },
  settings: ['changeRetentionDays'],
  tag: 'Service API',
  summary: 'Delete a webhook of the application',
  description: 'A delivery that is in progress may still arrive.',
  example: { answer: { changed: true, complete: true } },
};

export const rotateOwnWebhookSecretDocuments: OperationDocumentation<typeof rotateOwnWebhookSecretOperation> = {
  answer: issuedWebhookSchema,
  onlyWith: 'webhooks',
  table: { reads: ['webhook'], writes: { PutItem: ['nonce', 'feed'] }, changesApplication },
  roots: [webhookRoots],
  settings: ['changeRetentionDays'],
  tag: 'Service API',
  summary: "Replace the secret of one of the application's webhooks",
  description:
    'Only this answer contains the new secret. For the overlap each delivery has two signatures, one with each secret.',
  example: { body: { overlap: 'PT24H' }, answer: { ...exampleRotatedWebhook, version: 2 } },
};
