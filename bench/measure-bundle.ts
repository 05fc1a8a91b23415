import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serviceOperations } from '#shared/contract/operations.ts';
import { bundleFunction } from '../lib/bundle-function.ts';
import { atMost } from './budget.ts';
import { markdownTable } from './markdown.ts';
import type { BenchContext, Measurement } from './measurement.ts';

/** The code of each function, in bytes. */
export async function measureBundle({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Bundling the functions');
  const endpoints = Object.keys(serviceOperations).map((name) => sizesOf(name, directory));
  const others = ['manage', 'publish-changes', 'refuse-unknown-route'].map((name) => sizesOf(name, directory));
  const rows = [...endpoints, ...others].map(({ name, bytes, gzipBytes }) => [
    name,
    kilobytes(bytes),
    kilobytes(gzipBytes),
  ]);
  return {
    title: 'Bundles',
    budgets: endpoints.map(({ name, bytes }) => atMost(`bundle of ${name}`, bytes / 1000, 230, 'KB')),
    samples: { bytes: Object.fromEntries([...endpoints, ...others].map(({ name, bytes }) => [name, bytes])) },
    report: [markdownTable(['function', 'minified KB', 'gzip KB'], rows)],
  };
}

function sizesOf(name: string, outDir: string) {
  const { directory, bytes } = bundleFunction(name, outDir);
  return { name, bytes, gzipBytes: gzipSync(readFileSync(join(directory, 'function.js'))).byteLength };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
