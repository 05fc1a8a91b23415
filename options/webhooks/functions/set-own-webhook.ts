import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';
import { setOwnWebhookOperation } from '../contract/own-webhook.ts';
import { setWebhook } from '../server/webhooks.ts';

/** PUT /api/service/webhooks/{webhookId}: creates a webhook of the key's application, or replaces what is set of it. */
export const handler = serviceEndpoint(setOwnWebhookOperation, setWebhook);
