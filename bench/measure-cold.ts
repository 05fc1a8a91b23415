import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { bundleFunction } from '../lib/bundle-function.ts';
import { atMost } from './budget.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { median, pairedRatios, quartiles } from './statistics.ts';

const rounds = 21;
const loader = join(import.meta.dirname, 'load-bundle.cjs');

/** From the start of a process to its loaded bundle, as a ratio to an empty handler, medians of alternating rounds. */
export async function measureCold({ directory, progress }: BenchContext): Promise<Measurement> {
  const emptyFile = join(directory, 'empty.cjs');
  writeFileSync(emptyFile, 'exports.handler = async () => ({ statusCode: 200 });\n');
  const names = Object.keys(serviceRoutes);
  progress('Loading each bundle in fresh processes, alternating with an empty handler');
  const files = names.map((name) => join(bundleFunction(name, directory).directory, 'index.js'));
  const [floor = [], ...loads] = loadAlternating([emptyFile, ...files]);
  const ratios = loads.map((load) => median(pairedRatios(load, floor)));
  return {
    title: 'Cold start',
    budgets: names.map((name, index) =>
      atMost(`load of ${name} / empty handler`, ratios[index] ?? Number.NaN, 1.9, '×'),
    ),
    samples: { empty: floor, ...Object.fromEntries(names.map((name, index) => [name, loads[index]])) },
    report: [
      {
        kind: 'bars',
        file: 'performance-load.svg',
        title: 'From the start of a process to the loaded function',
        unit: 'ms',
        bars: ['empty handler', ...names].map((label, index) => ({
          label,
          ...quartiles([floor, ...loads][index] ?? []),
        })),
      },
    ],
  };
}

/** Milliseconds, by file and round. */
function loadAlternating(files: readonly string[]): number[][] {
  for (const file of files) loadMilliseconds(file);
  const samples = files.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [...files.keys()] : [...files.keys()].reverse();
    for (const index of order) samples[index]?.push(loadMilliseconds(files[index] ?? ''));
  }
  return samples;
}

function loadMilliseconds(file: string): number {
  const startedAt = process.hrtime.bigint();
  const loadedAt = BigInt(execFileSync(process.execPath, [loader, file], { env: environment, encoding: 'utf8' }));
  return Number(loadedAt - startedAt) / 1e6;
}

/** What a function finds in Lambda; the root is a constant because nothing is signed with it. */
const environment = {
  TABLE_NAME: 'bench',
  ROOT_KEYS: `k1=local:${Buffer.alloc(32).toString('base64')}`,
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
};
