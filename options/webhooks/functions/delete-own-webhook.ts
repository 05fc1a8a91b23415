import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';
import { deleteOwnWebhookOperation } from '../contract/own-webhook.ts';
import { deleteWebhook } from '../server/webhooks.ts';

/** DELETE /api/service/webhooks/{webhookId}: deletes a webhook of the key's application. */
export const handler = serviceEndpoint(deleteOwnWebhookOperation, deleteWebhook);
