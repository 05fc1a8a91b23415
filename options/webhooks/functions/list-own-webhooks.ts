import { serviceEndpoint } from '#shared/http/service/service-endpoint.ts';
import { listOwnWebhooksOperation } from '../contract/own-webhook.ts';
import { listWebhooks } from '../server/read-webhooks.ts';

/** GET /api/service/webhooks: the webhooks of the key's application. */
export const handler = serviceEndpoint(listOwnWebhooksOperation, listWebhooks);
