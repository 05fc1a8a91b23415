/** The names that options add: of the Changes that they record, of values of settings, of what a repair can find, and of the purposes of root keys. */
export { connectionNames } from './connections/contract/connection-names.ts';
export { directoryNames } from './directories/contract/directory-names.ts';
export { loginNames } from './login/contract/login-names.ts';
export { webhookNames } from './webhooks/contract/webhook-names.ts';
