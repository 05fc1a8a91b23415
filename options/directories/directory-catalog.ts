import { setupBlocks } from './contract/setup-tables.ts';
import { directoryProbes } from './directory-probes.ts';
import { directorySamples } from './directory-samples.ts';

/** The guides in the documentation, and how the smoke test, benchmarks and tests try directories. */
export const directoryCatalog = { probes: directoryProbes, samples: directorySamples, blocks: setupBlocks } as const;
