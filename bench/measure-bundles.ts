import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serviceOperations } from '#shared/contract/operations.ts';
import { bundleFunction } from '../lib/bundle-function.ts';
import { atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';

/** The size of each function's code. */
export async function measureBundles({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Bundling the functions');
  const endpoints = Object.keys(serviceOperations).map((name) => sizesOf(name, directory));
  const others = ['manage', 'publish-changes', 'refuse-unknown-route'].map((name) => sizesOf(name, directory));
  const rows = [...endpoints, ...others].map(({ name, bytes, gzipBytes }) => [
    name,
    ...[bytes, gzipBytes].map(kilobytes),
  ]);
  return {
    title: 'Bundles',
    budgets: [
      atMost('bundle of the largest endpoint', Math.max(...endpoints.map(({ bytes }) => bytes)) / 1000, 290, 'KB'),
    ],
    samples: { bytes: Object.fromEntries([...endpoints, ...others].map(({ name, bytes }) => [name, bytes])) },
    report: [markdownTable(['function', 'minified KB', 'gzip KB'], rows)],
  };
}

function sizesOf(name: string, outDir: string) {
  const { directory, bytes } = bundleFunction(name, outDir);
  return { name, bytes, gzipBytes: gzipSync(readFileSync(join(directory, 'index.js'))).byteLength };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
