// The fields come first: a record can describe one in words of its own.
import './webhook-fields-documents.ts';

import type { DocumentsOf } from '#shared/contract/documentation.ts';
import * as ownWebhook from './own-webhook-documents.ts';
import * as webhook from './webhook-documents.ts';
import type { webhookOperations } from './webhooks-contract.ts';

/** The documents of the operations for webhooks. */
export const webhookDocuments: DocumentsOf<typeof webhookOperations.service & typeof webhookOperations.manage> = {
  'list-own-webhooks': ownWebhook.listOwnWebhooksDocuments,
  'set-own-webhook': ownWebhook.setOwnWebhookDocuments,
  'delete-own-webhook': ownWebhook.deleteOwnWebhookDocuments,
  'rotate-own-webhook-secret': ownWebhook.rotateOwnWebhookSecretDocuments,
  'create-webhook': webhook.createWebhookDocuments,
  'list-webhooks': webhook.listWebhooksDocuments,
  'get-webhook': webhook.getWebhookDocuments,
  'update-webhook': webhook.updateWebhookDocuments,
  'delete-webhook': webhook.deleteWebhookDocuments,
  'rotate-webhook-secret': webhook.rotateWebhookSecretDocuments,
  'list-webhook-attempts': webhook.listWebhookAttemptsDocuments,
  'resend-webhook': webhook.resendWebhookDocuments,
  'test-webhook': webhook.testWebhookDocuments,
};
