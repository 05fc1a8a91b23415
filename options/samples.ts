/** The requests of options for benchmarks and tests. */
export { authzenSamples } from './authzen/authzen-samples.ts';
export { loginHookSamples } from './login-hooks/login-hook-samples.ts';
