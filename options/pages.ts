/** What the options add to the dashboard. */
export { bulkPages } from './bulk/dashboard/bulk-pages.ts';
export { connectionPages } from './connections/dashboard/connection-pages.ts';
export { loginPages } from './login/dashboard/app-login-pages.ts';
export { overviewPages } from './overview/dashboard/overview-pages.ts';
export { reviewPages } from './reviews/dashboard/review-pages.ts';
export { webhookPages } from './webhooks/dashboard/webhook-pages.tsx';
