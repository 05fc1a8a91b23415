/** The commands of the options: each adds its own to the program, and what it prints among the numbers. */
export { addBulk } from './bulk/cli/bulk-commands.ts';
export { addConnections } from './connections/cli/connection-commands.ts';
export { addDoctor } from './doctor/doctor-command.ts';
export { addEvidence } from './evidence/commands/evidence-commands.ts';
export { addLogins } from './login/cli/login-commands.ts';
export { addOverview } from './overview/cli/overview-command.ts';
export { addRepair } from './repair/cli/repair-command.ts';
export { addReviews } from './reviews/cli/review-commands.ts';
export { addWebhooks } from './webhooks/cli/webhook-commands.ts';
