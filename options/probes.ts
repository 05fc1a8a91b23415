/** What the options add to the smoke test. */
export { authzenProbes } from './authzen/authzen-probes.ts';
export { webhookProbes } from './webhooks/webhooks-probes.ts';
