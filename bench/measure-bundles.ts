import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { serviceOperations } from '#shared/contract/operations.ts';
import { bearerEndpoints } from '../lib/options/endpoint-sets.ts';
import { assetsIn } from './function-assets.ts';
import { atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';

/** The size of each function's asset. */
export async function measureBundles({ assembly }: BenchContext): Promise<Measurement> {
  const { names, fileOf } = assetsIn(assembly);
  const sizes = names.map((name) => {
    const code = readFileSync(fileOf(name));
    return { name, kilobytes: code.byteLength / 1000, gzipped: gzipSync(code).byteLength / 1000 };
  });
  const largest = (isMeant: (name: string) => boolean) =>
    Math.max(...sizes.filter(({ name }) => isMeant(name)).map(({ kilobytes }) => kilobytes));
  const service = largest((name) => name in serviceOperations);
  const bearer = largest((name) => bearerEndpoints.some((endpoint) => endpoint.name === name));
  const rows = sizes.map((size) => [`\`${size.name}\``, size.kilobytes.toFixed(1), size.gzipped.toFixed(1)]);
  return {
    budgets: [
      atMost('bundle of the largest endpoint', service, 305, 'KB'),
      atMost('bundle of the largest endpoint for connections', bearer, 350, 'KB'),
    ],
    samples: sizes,
    report: [
      'What counts is the time of the load, which has [its own limit](#a-cold-start).',
      markdownTable(['function', 'minified, KB', 'with gzip, KB'], rows),
    ],
  };
}
