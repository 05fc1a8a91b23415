import type { OperationRequest, OptionOperations } from '#shared/contract/operation.ts';
import * as ownWebhook from './own-webhook.ts';
import * as webhook from './webhook.ts';

const service = {
  'list-own-webhooks': ownWebhook.listOwnWebhooksOperation,
  'set-own-webhook': ownWebhook.setOwnWebhookOperation,
  'delete-own-webhook': ownWebhook.deleteOwnWebhookOperation,
  'rotate-own-webhook-secret': ownWebhook.rotateOwnWebhookSecretOperation,
} as const;

const path = { webhookId: 'trial' };
const trials: { readonly [Name in keyof typeof service]: OperationRequest<(typeof service)[Name]> } = {
  'list-own-webhooks': {},
  'set-own-webhook': { path, body: { url: 'https://trial.invalid/', enabled: false } },
  'delete-own-webhook': { path },
  'rotate-own-webhook-secret': { path, body: { overlap: 'PT0S' } },
};

/** The operations for webhooks, by their names. */
export const webhookOperations = {
  service,
  trials,
  manage: {
    'create-webhook': webhook.createWebhookOperation,
    'list-webhooks': webhook.listWebhooksOperation,
    'get-webhook': webhook.getWebhookOperation,
    'update-webhook': webhook.updateWebhookOperation,
    'delete-webhook': webhook.deleteWebhookOperation,
    'rotate-webhook-secret': webhook.rotateWebhookSecretOperation,
    'list-webhook-attempts': webhook.listWebhookAttemptsOperation,
    'resend-webhook': webhook.resendWebhookOperation,
    'test-webhook': webhook.testWebhookOperation,
  },
} as const satisfies OptionOperations;
