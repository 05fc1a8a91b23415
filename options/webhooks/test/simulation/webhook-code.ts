import type { OptionCode } from '#test/simulation/option-code.ts';
import { handler as deliver } from '../../functions/deliver-webhook.ts';
import { handler as wake } from '../../functions/wake-webhooks.ts';
import { resendWebhook, testWebhook } from '../../server/webhook-requests.ts';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from '../../server/webhooks.ts';

/** The code of webhooks that processes run. */
export const code: OptionCode = {
  runs: {
    'create-webhook': createWebhook,
    'update-webhook': updateWebhook,
    'rotate-webhook-secret': rotateWebhookSecret,
    'delete-webhook': deleteWebhook,
    'test-webhook': testWebhook,
    'resend-webhook': resendWebhook,
  },
  actions: {
    'create-webhook': 'webhook.created',
    'update-webhook': 'webhook.updated',
    'rotate-webhook-secret': 'webhook.rotated',
    'delete-webhook': 'webhook.deleted',
  },
  functions: { 'deliver-webhook': deliver, 'wake-webhooks': wake },
};
