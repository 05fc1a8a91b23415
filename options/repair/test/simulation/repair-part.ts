import type { SimulationPart } from '#test/simulation/option-parts.ts';
import { brokenInRepair } from './broken-repair.ts';
import { ConcurrentRepair } from './concurrent-repair.ts';

/** A repair reads as much as all clients. */
const repairEvery = 10;

/** Some seeds compare the counters while clients change what is counted. */
export const part: SimulationPart = {
  draw: (seed, run) => (seed % repairEvery === 7 ? new ConcurrentRepair(run) : undefined),
  checks: {},
  brokenConditions: brokenInRepair,
};
