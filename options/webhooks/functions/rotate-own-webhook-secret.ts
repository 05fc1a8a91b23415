import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';
import { rotateOwnWebhookSecretOperation } from '../contract/own-webhook.ts';
import { rotateWebhookSecret } from '../server/webhooks.ts';

/** POST /api/service/webhooks/{webhookId}/rotate: replaces the secret of a webhook of the key's application. */
export const handler = serviceEndpoint(
  rotateOwnWebhookSecretOperation,
  ({ appId, webhookId, overlap: overlapSeconds }, context) =>
    rotateWebhookSecret({ appId, webhookId, overlapSeconds }, context),
);
