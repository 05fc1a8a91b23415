import type { OptionOperations } from '#shared/contract/operation.ts';
import * as ownWebhook from '#shared/contract/own-webhook.ts';
import * as webhook from '#shared/contract/webhook.ts';

/** The operations for webhooks, by their names. */
export const webhookOperations = {
  service: {
    'list-own-webhooks': ownWebhook.listOwnWebhooksOperation,
    'set-own-webhook': ownWebhook.setOwnWebhookOperation,
    'delete-own-webhook': ownWebhook.deleteOwnWebhookOperation,
    'rotate-own-webhook-secret': ownWebhook.rotateOwnWebhookSecretOperation,
  },
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
