import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { serviceOperations } from '#shared/contract/operations.ts';
import { type FunctionAssets, synthesizeAssets } from './function-assets.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';

/** The size of each function's asset. */
export async function measureBundles({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Synthesizing the stack');
  const assets = await synthesizeAssets(directory);
  const sizes = assets.names.map((name) => sizesOf(name, assets));
  const largest = Math.max(...sizes.filter(({ name }) => name in serviceOperations).map(({ bytes }) => bytes));
  return {
    budgets: [atMost('bundle of the largest endpoint', largest / 1000, 290, 'KB')],
    samples: { bytes: Object.fromEntries(sizes.map(({ name, bytes }) => [name, bytes])) },
    report: [
      `Minified, and with gzip: ${sizes
        .map(({ name, bytes, gzipBytes }) => `\`${name}\` ${kilobytes(bytes)} KB (${kilobytes(gzipBytes)})`)
        .join(', ')}.`,
    ],
  };
}

function sizesOf(name: string, assets: FunctionAssets) {
  const code = readFileSync(assets.fileOf(name));
  return { name, bytes: code.byteLength, gzipBytes: gzipSync(code).byteLength };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
