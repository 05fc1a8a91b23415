import { relative } from 'node:path';

const tests = `${import.meta.dirname}/..`;

/** The test files that take longest, the longest first. */
export const longFiles: readonly string[] = ['simulation/broken-conditions.test.ts', 'simulation/simulation.test.ts'];

/** Moves the long files to the front and keeps the order of the others. */
export function longFilesFirst<File extends { readonly path: string }>(files: readonly File[]): File[] {
  const rank = ({ path }: File) => {
    const at = longFiles.indexOf(relative(tests, path));
    return at === -1 ? longFiles.length : at;
  };
  return files.toSorted((one, other) => rank(one) - rank(other));
}
