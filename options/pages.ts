/** What the options add to the dashboard. */
export { connectionPages } from './connections/dashboard/connection-pages.ts';
export { webhookPages } from './webhooks/dashboard/webhook-pages.tsx';
