/** The requests of options for the smoke test. */
export { authzenProbes } from './authzen/authzen-probes.ts';
