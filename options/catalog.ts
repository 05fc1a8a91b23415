/** What describes and tries the operations and endpoints of the options: documents, types of the SDK, kinds of items, smoke probes, samples. */
export { authzenCatalog } from './authzen/authzen-catalog.ts';
export { bulkCatalog } from './bulk/bulk-catalog.ts';
export { connectionCatalog } from './connections/connection-catalog.ts';
export { directoryCatalog } from './directories/directory-catalog.ts';
export { loginCatalog } from './login/login-catalog.ts';
export { loginHookCatalog } from './login-hooks/login-hook-catalog.ts';
export { overviewCatalog } from './overview/overview-catalog.ts';
export { repairCatalog } from './repair/repair-catalog.ts';
export { reviewCatalog } from './reviews/review-catalog.ts';
export { webhookCatalog } from './webhooks/webhook-catalog.ts';
