import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { atLeast, atMost } from './budget.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { writeScenarios } from './scale-document.ts';
import { playScenarios, type Scenarios, scenarioPlots } from './scale-text.ts';

const project = join(import.meta.dirname, '..');

/** Plays hot applications against DynamoDB's partition limits, and writes what comes of it into `docs/scale.md`. */
export async function measureScale({ progress }: BenchContext): Promise<Measurement> {
  progress('Simulating the partitions');
  const scenarios = playScenarios();
  writeScenarios(scenarios);
  // The formatter that checks the document also aligns its tables.
  execFileSync(join(project, 'node_modules/.bin/biome'), ['format', '--write', join(project, 'docs/scale.md')], {
    stdio: 'ignore',
  });
  return {
    title: 'Scale on paper',
    budgets: budgets(scenarios),
    samples: { scenarios },
    report: [
      'What limits each part, at what rate, and what to do about it stands in [scale](scale.md), with a simulation of hot applications against the limits of DynamoDB. It is seeded: the same code gives the same figures.',
      ...scenarioPlots(scenarios),
    ],
  };
}

function budgets({ hotApplication, manyApplications, hotHistory }: Scenarios) {
  const [uncached, cached] = hotApplication.map(({ points }) => Math.max(...points.map(({ served }) => served)));
  const neighbours = [...hotHistory.oneUnit, ...hotHistory.twoUnits].map(({ neighbour }) => neighbour);
  const thousand = manyApplications.cached.map(({ throttled }) => throttled * 100);
  return [
    atLeast('simulated: GETs a second of one application', uncached ?? Number.NaN, 2900, '1/s'),
    atLeast('simulated: the same with keyStateCacheSeconds 10', cached ?? Number.NaN, 10_000, '1/s'),
    atMost(
      'simulated: throttled at 40,000 GETs a second of 1,000 applications, with it',
      Math.max(...thousand),
      0,
      '%',
    ),
    atLeast("simulated: an application's changes beside one beyond its limit", Math.min(...neighbours) * 100, 100, '%'),
  ];
}
