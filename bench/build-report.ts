import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Budget, bounds, missesBudget } from './budget.ts';
import { markdownTable } from './markdown.ts';
import type { Machine, Measured, Results } from './measurement.ts';
import { drawPlot, type Plot } from './plot.ts';

const project = join(import.meta.dirname, '..');

/** What was measured last; empty before the first time. */
export function readResults(): Results {
  const file = join(import.meta.dirname, 'results.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { budgets: [], measurements: {} };
}

/** Writes the document and every plot of it. */
export function writeReport({ measurements }: Results): void {
  const all = Object.values(measurements);
  for (const plot of all.flatMap(({ report }) => report).filter(isPlot)) {
    writeFileSync(join(project, 'docs/images', plot.file), drawPlot(plot));
  }
  const document = join(project, 'docs/performance.md');
  writeFileSync(document, reportText(all));
  // The formatter that checks the document also aligns its tables.
  execFileSync(join(project, 'node_modules/.bin/biome'), ['format', '--write', document], { stdio: 'ignore' });
}

/** The whole document as Markdown. */
export function reportText(measured: readonly Measured[]): string {
  return [introduction, ...measured.map(section)].join('\n\n').concat('\n');
}

const introduction = `# Performance

\`npm run bench\` measures this on one machine and writes this page and, with all samples, \`bench/results.json\`;
\`npm run bench -- --only <names>\` measures some of it again, and \`npm run bench:report\` writes the page without measuring.
Milliseconds are the machine's; ratios to the floor of the same run carry over to others. Plots show medians, and the
middle half of the samples as whiskers; a dashed line is a budget.`;

function section({ title, at, machine, budgets, report }: Measured): string {
  const parts = report.map((part) => (isPlot(part) ? picture(part) : part));
  return [`## ${title}`, ...(budgets.length > 0 ? [budgetTable(budgets)] : []), ...parts, measuredOn(machine, at)].join(
    '\n\n',
  );
}

function budgetTable(budgets: readonly Budget[]): string {
  const rows = budgets.map((budget) => {
    const { name, value, limit, kind, unit } = budget;
    return [name, `${value} ${unit}`, `${bounds[kind]} ${limit} ${unit}`, missesBudget(budget) ? '**missed**' : 'kept'];
  });
  return markdownTable(['budget', 'measured', 'limit', ''], rows);
}

function picture({ title, file }: Plot): string {
  return `![${title}](images/${file})`;
}

function measuredOn({ cpu, cores, node }: Machine, at: string): string {
  return `_Measured ${at.slice(0, 10)} on ${cores} × ${cpu}, Node ${node}._`;
}

function isPlot(part: string | Plot): part is Plot {
  return typeof part !== 'string';
}

/** `npm run bench:report`: writes `docs/performance.md` and its pictures from `bench/results.json`, measuring nothing. */
if (process.argv[1] === import.meta.filename) writeReport(readResults());
