/** What the options add to the dashboard. */
export { webhookPages } from './webhooks/dashboard/webhook-pages.tsx';
