import { expect, test } from '@jest/globals';
import './replace-globals.ts';

/*
 * A few seeds in the process of the tests, where mutation testing sees which of them reach a line.
 */

const { findViolations } = await import('./invariants/every-check.ts');
const { prepareRuns, runSeed } = await import('./run-seed.ts');
await prepareRuns({ processCopies: 1 });

const seeds = Array.from({ length: 40 }, (_, n) => n + 1);

test.each(seeds)('seed %i holds every check', async (seed) => {
  expect(findViolations(await runSeed(seed))).toEqual([]);
});
