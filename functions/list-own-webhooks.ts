import { listOwnWebhooksOperation } from '#shared/contract/own-webhook.ts';
import { listWebhooks } from '#shared/domain/webhook/read-webhooks.ts';
import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';

/** GET /api/service/webhooks: the webhooks of the key's application. */
export const handler = serviceEndpoint(listOwnWebhooksOperation, listWebhooks);
