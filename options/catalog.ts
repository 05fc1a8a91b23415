/** What describes and tries the operations and endpoints of the options: documents, types of the SDK, smoke probes, samples. */
export { authzenCatalog } from './authzen/authzen-catalog.ts';
export { bulkCatalog } from './bulk/bulk-catalog.ts';
export { loginHookCatalog } from './login-hooks/login-hook-catalog.ts';
export { reviewCatalog } from './reviews/review-catalog.ts';
export { webhookCatalog } from './webhooks/webhook-catalog.ts';
