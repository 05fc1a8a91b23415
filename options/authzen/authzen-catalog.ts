import { authzenSamples } from './authzen-samples.ts';

/** How the smoke test, benchmarks and tests try AuthZEN. */
export const authzenCatalog = {
  probes: async () => (await import('./authzen-probes.ts')).authzenProbes,
  samples: authzenSamples,
} as const;
