/** The kinds of Changes that the options record. */
export { webhookChangeKinds } from './webhooks/contract/webhook-change-kinds.ts';
