/** What the options do with what the core keeps and records. */

export { loginExtension } from './login/server/login-extension.ts';
export { webhookExtension } from './webhooks/server/webhook-extension.ts';
