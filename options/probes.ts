/** What the smoke test asks of options. */
export { authzenProbes } from './authzen/authzen-probes.ts';
