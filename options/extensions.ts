/** What the options do with what the core keeps and records. */
export { webhookExtension } from './webhooks/server/webhook-extension.ts';
