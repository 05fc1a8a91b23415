/** The operations of the options. */
export { webhookOperations as webhooks } from './webhooks/contract/webhooks-contract.ts';
