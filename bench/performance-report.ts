import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alignTables } from '../lib/openapi/align-tables.ts';
import type { Measured, Measurement, Results } from './measurement.ts';
import { isPicture, measuredNames, pageText } from './performance-page.ts';
import { drawPicture, type Picture } from './pictures.ts';

const project = join(import.meta.dirname, '..');
const resultsFile = join(import.meta.dirname, 'results.json');

/** What was measured last, from `bench/results.json`. */
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

/** Writes `docs/performance.md` and its pictures. */
export async function writeReport(results: Results): Promise<void> {
  const pictures = Object.values(results).flatMap(({ report }) => report.filter(isPicture));
  for (const picture of pictures) await writePicture(picture);
  writeFileSync(join(project, 'docs/performance.md'), reportText(results));
}

/** Draws a picture into `docs/images`. */
export async function writePicture(picture: Picture): Promise<void> {
  writeFileSync(join(project, 'docs/images', picture.file), await drawPicture(picture));
}

/** The page with its tables aligned. */
export function reportText(results: Results): string {
  return alignTables(pageText(results));
}

/** Aligns the tables of a document. */
export function formatDocument(file: string): void {
  writeFileSync(file, alignTables(readFileSync(file, 'utf8')));
}

/** `npm run bench:report` writes the page from `bench/results.json`. */
if (process.argv[1] === import.meta.filename) await writeReport(readResults());
