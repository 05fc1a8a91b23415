/** The operations of the options. */
export { bulkOperations as bulk } from './bulk/contract/bulk-contract.ts';
export { connectionOperations as connections } from './connections/contract/connections-contract.ts';
export { loginOperations as login } from './login/contract/login-contract.ts';
export { overviewOperations as overview } from './overview/contract/overview-contract.ts';
export { repairOperations as repair } from './repair/contract/repair-contract.ts';
export { reviewOperations as reviews } from './reviews/contract/reviews-contract.ts';
export { webhookOperations as webhooks } from './webhooks/contract/webhooks-contract.ts';
