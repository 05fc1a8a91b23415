/** The settings of the stack that are lists of an option, with the values that they can have. */
export { webhookFormats as webhooks } from './webhooks/contract/webhook-fields.ts';
