/** The names that options add: of the Changes that they record, of values of settings, and of what a repair can find. */
export { connectionNames } from './connections/contract/connection-names.ts';
export { directoryNames } from './directories/contract/directory-names.ts';
export { webhookNames } from './webhooks/contract/webhook-names.ts';
