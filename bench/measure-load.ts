import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './median.ts';

const rounds = 21;
const loader = join(import.meta.dirname, 'load-bundle.cjs');

interface Bundle {
  readonly name: string;
  readonly directory: string;
}

/** From the start of a process to its loaded bundle, as a ratio to an empty handler, medians of alternating rounds. */
export function measureLoad(bundles: readonly Bundle[], outDir: string) {
  const emptyFile = join(outDir, 'empty.cjs');
  writeFileSync(emptyFile, 'exports.handler = async () => ({ statusCode: 200 });\n');
  const variants = [
    { name: 'empty handler', file: emptyFile },
    ...bundles.map(({ name, directory }) => ({ name, file: join(directory, 'index.js') })),
  ];
  const samples = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  for (const { file } of variants) loadMilliseconds(file);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const { name, file } of order) samples.get(name)?.push(loadMilliseconds(file));
  }
  const floor = median(samples.get('empty handler') ?? []);
  const ratios = bundles.map(({ name }) => ({ name, ratio: median(samples.get(name) ?? []) / floor }));
  return { ratios, samples: Object.fromEntries(samples) };
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
