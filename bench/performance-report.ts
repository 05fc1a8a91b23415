import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alignTables } from '../lib/openapi/align-tables.ts';
import { budgetTable, type Measured } from './measurement.ts';
import { drawPicture, type Picture } from './pictures.ts';

const project = join(import.meta.dirname, '..');
const resultsFile = join(import.meta.dirname, 'results.json');

/** The last result of each measurement, by its name. */
export type Results = Readonly<Record<string, Measured>>;

/** What was measured last; empty before the first time. */
export function readResults(): Results {
  return existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : {};
}

/** Stores results in `bench/results.json`. */
export function keepResults(results: Results): void {
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 1)}\n`);
}

/** Writes `docs/performance.md` and its pictures. */
export async function writeReport(results: Results): Promise<void> {
  const measured = Object.values(results);
  for (const picture of measured.flatMap(({ report }) => report).filter(isPicture)) {
    writeFileSync(join(project, 'docs/images', picture.file), await drawPicture(picture));
  }
  const document = join(project, 'docs/performance.md');
  writeFileSync(document, reportText(measured));
  formatDocument(document);
}

/** Aligns the tables of a document. */
export function formatDocument(file: string): void {
  writeFileSync(file, alignTables(readFileSync(file, 'utf8')));
}

/** The whole document as Markdown. */
export function reportText(measured: readonly Measured[]): string {
  return [introduction, ...measured.map(section)].join('\n\n').concat('\n');
}

const introduction = `# Performance

\`npm run bench\` measures this on one machine and writes this page and, with the samples, \`bench/results.json\`.
\`npm run bench -- --only <names>\` repeats some of the measurements; \`npm run bench:report\` writes the page without measuring.
Milliseconds depend on the machine. Ratios compare samples of the same round and carry over to other machines. Figures are
medians, with the middle half of the samples in brackets or as a line in the pictures.`;

function section({ title, at, machine, budgets, report }: Measured): string {
  const { cpu, cores, node } = machine;
  return [
    `## ${title}`,
    ...(budgets.length > 0 ? [budgetTable(budgets)] : []),
    ...report.map((part) => (isPicture(part) ? `![${part.title}](images/${part.file})` : part)),
    `_Measured ${at.slice(0, 10)} on ${cores} × ${cpu}, Node ${node}._`,
  ].join('\n\n');
}

function isPicture(part: string | Picture): part is Picture {
  return typeof part !== 'string';
}

/** `npm run bench:report` writes the page from `bench/results.json`. */
if (process.argv[1] === import.meta.filename) await writeReport(readResults());
