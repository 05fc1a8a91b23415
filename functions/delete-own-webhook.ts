import { deleteOwnWebhookOperation } from '#shared/contract/own-webhook.ts';
import { deleteWebhook } from '#shared/domain/webhook/webhooks.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** DELETE /api/service/webhooks/{webhookId}: deletes a webhook of the key's application. */
export const handler = serviceEndpoint(deleteOwnWebhookOperation, deleteWebhook);
