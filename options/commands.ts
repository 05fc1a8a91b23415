/** The commands of the options: each adds its own to the program. */
export { addBulk } from './bulk/cli/bulk-commands.ts';
export { addDoctor } from './doctor/doctor-command.ts';
export { addEvidence } from './evidence/commands/evidence-commands.ts';
export { addReviews } from './reviews/cli/review-commands.ts';
export { addWebhooks } from './webhooks/cli/webhook-commands.ts';
