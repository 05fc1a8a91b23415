/** What the options run behind the Management API. */
export { webhookRuns } from './webhooks/server/webhook-runs.ts';
