import { authzenProbes } from './authzen-probes.ts';
import { authzenSamples } from './authzen-samples.ts';

/** How the smoke test, benchmarks and tests try AuthZEN. */
export const authzenCatalog = { probes: authzenProbes, samples: authzenSamples } as const;
