import { setupBlocks } from './contract/setup-tables.ts';
import { directorySamples } from './directory-samples.ts';
import { directoryItems } from './table/directory-items.ts';

/** The guides in the documentation, what is kept of directories, and how the smoke test, benchmarks and tests try directories. */
export const directoryCatalog = {
  probes: async () => (await import('./directory-probes.ts')).directoryProbes,
  samples: directorySamples,
  blocks: setupBlocks,
  items: directoryItems,
} as const;
