/** The names that options add: of the Changes that they record, and of the values of settings. */
export { webhookNames } from './webhooks/contract/webhook-names.ts';
