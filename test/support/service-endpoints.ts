import { documentationOf } from '#shared/contract/documents.ts';
import { serviceOperations } from '#shared/contract/operations.ts';

const all = Object.values(serviceOperations);

/** The operations of the Service API that every deployment has. */
export const everyEndpoint = all.filter((operation) => documentationOf(operation).onlyWith === undefined);

/** Those of a deployment with the setting `webhooks`. */
export const webhookEndpoints = all.filter((operation) => documentationOf(operation).onlyWith === 'webhooks');
