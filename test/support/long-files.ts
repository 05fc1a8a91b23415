import { relative } from 'node:path';

const tests = `${import.meta.dirname}/..`;

/**
 * The test files that take more than ten seconds on a quiet machine, the longest first. Those that mostly wait are apart from
 * each other, or all workers would wait at the same time.
 */
export const longFiles: readonly string[] = [
  'simulation/broken-conditions.test.ts',
  'simulation/simulation.test.ts',
  'stack/synth.test.ts',
  'client/conformance-command.test.ts',
  'cli/failures.test.ts',
  'guarantees/permissions.test.ts',
  'sdk/java.test.ts',
  'local/start.test.ts',
  'sdk/python.test.ts',
  'sdk/go.test.ts',
  'examples/signers.test.ts',
  'cli/waiting.test.ts',
  'options/removal.test.ts',
  'stack/deploy.test.ts',
  'client/replica.test.ts',
  'cli/rotate-all.test.ts',
  'bench/measure-cost.test.ts',
  'stack/more-endpoints.test.ts',
  'docs/operate.test.ts',
  'docs/sdk.test.ts',
  'client/limits.test.ts',
];

/** Moves the long files to the front and keeps the order of the others. */
export function longFilesFirst<File extends { readonly path: string }>(files: readonly File[]): File[] {
  const rank = ({ path }: File) => {
    const at = longFiles.indexOf(relative(tests, path));
    return at === -1 ? longFiles.length : at;
  };
  return files.toSorted((one, other) => rank(one) - rank(other));
}
