import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { serviceOperations } from '#shared/contract/operations.ts';
import { bearerEndpoints } from '../lib/options/endpoint-sets.ts';
import { type FunctionAssets, synthesizeAssets } from './function-assets.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';

/** The size of each function's asset. */
export async function measureBundles({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Synthesizing the stack');
  const assets = await synthesizeAssets(directory);
  const sizes = assets.names.map((name) => sizesOf(name, assets));
  const largest = (isMeant: (name: string) => boolean) =>
    Math.max(...sizes.filter(({ name }) => isMeant(name)).map(({ bytes }) => bytes / 1000));
  const bearerNames = bearerEndpoints.map(({ name }) => name);
  return {
    budgets: [
      atMost(
        'bundle of the largest endpoint',
        largest((name) => name in serviceOperations),
        305,
        'KB',
      ),
      atMost(
        'bundle of the largest endpoint for connections',
        largest((name) => bearerNames.includes(name)),
        350,
        'KB',
      ),
    ],
    samples: { bytes: Object.fromEntries(sizes.map(({ name, bytes }) => [name, bytes])) },
    report: [
      `Minified, and with gzip: ${sizes
        .map(({ name, bytes, gzipBytes }) => `\`${name}\` ${kilobytes(bytes)} KB (${kilobytes(gzipBytes)})`)
        .join(', ')}. ${raised}`,
    ],
  };
}

const raised =
  'The limit of 290 KB was raised to 305 KB: fields of more resources, more errors, and the rules of the table made each endpoint 8 to 18 KB larger. What counts is the time of the load, which has [its own limit](#a-cold-start).';

function sizesOf(name: string, assets: FunctionAssets) {
  const code = readFileSync(assets.fileOf(name));
  return { name, bytes: code.byteLength, gzipBytes: gzipSync(code).byteLength };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
