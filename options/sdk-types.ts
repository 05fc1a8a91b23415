/** What the options add to the types of the SDK. */
export { webhookTypes } from './webhooks/contract/webhook-types.ts';
