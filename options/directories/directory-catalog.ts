import { setupBlocks } from './contract/setup-tables.ts';
import { directorySamples } from './directory-samples.ts';

/** The guides in the documentation, and how the smoke test, benchmarks and tests try directories. */
export const directoryCatalog = {
  probes: async () => (await import('./directory-probes.ts')).directoryProbes,
  samples: directorySamples,
  blocks: setupBlocks,
} as const;
