import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alignTables } from '#shared/openapi/align-tables.ts';
import type { Measured, Measurement, Results } from './measurement.ts';
import { measuredNames, pageText } from './performance-page.ts';

const project = join(import.meta.dirname, '..');
const resultsFile = join(import.meta.dirname, 'results.json');

/** The last result of each measurement, from `bench/results.json`. */
export function readResults(): Results {
  return existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
}

/** Stores a result beside those of the other measurements, and its samples in `.local/bench`, which is not checked in. */
export function keepResult(name: string, { samples, ...result }: Measurement & Measured): void {
  const folder = join(project, '.local/bench');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(samples, null, 1)}\n`);
  writeFileSync(resultsFile, `${JSON.stringify(withResult(readResults(), name, result), null, 1)}\n`);
}

/** The results with another one, in the order of the page. */
export function withResult(results: Results, name: string, result: Measured): Results {
  const known = new Map(Object.entries({ ...results, [name]: result }));
  return Object.fromEntries(
    measuredNames.flatMap((each): [string, Measured][] => {
      const found = known.get(each);
      return found === undefined ? [] : [[each, found]];
    }),
  );
}

/** Writes `docs/contribute/performance.md`. */
export function writeReport(results: Results): void {
  writeFileSync(join(project, 'docs/contribute/performance.md'), reportText(results));
}

/** The page with its tables aligned. */
export function reportText(results: Results): string {
  return alignTables(pageText(results));
}

/** `npm run bench:report` writes the page from `bench/results.json`. */
if (process.argv[1] === import.meta.filename) writeReport(readResults());
