import { loginHookSamples } from './login-hook-samples.ts';

/** How the smoke test, benchmarks and tests try login hooks. */
export const loginHookCatalog = {
  probes: async () => (await import('./login-hook-probes.ts')).loginHookProbes,
  samples: loginHookSamples,
} as const;
