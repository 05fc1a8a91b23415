/** What the options run behind the Management API. */
export { bulkRuns } from './bulk/server/bulk-runs.ts';
export { connectionRuns } from './connections/server/connection-runs.ts';
export { loginRuns } from './login/server/login-runs.ts';
export { overviewRuns } from './overview/server/overview-runs.ts';
export { repairRuns } from './repair/server/repair-runs.ts';
export { reviewRuns } from './reviews/server/review-runs.ts';
export { webhookRuns } from './webhooks/server/webhook-runs.ts';
