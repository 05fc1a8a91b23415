/** What the options keep of each application. */
export { webhookPart } from './webhooks/server/webhook-part.ts';
