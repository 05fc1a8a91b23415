import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalError } from '../local/local-error.ts';
import { synthesize } from '../local/synthesize.ts';
import { measureBacklog } from './measure-backlog.ts';
import { measureBundles } from './measure-bundles.ts';
import { measureCold } from './measure-cold.ts';
import { measureCost } from './measure-cost.ts';
import { measureFirstVisit } from './measure-first-visit.ts';
import { measureGrowth } from './measure-growth.ts';
import { measureLoad } from './measure-load.ts';
import { measureWarm } from './measure-warm.ts';
import { budgetTexts, type Measured, type Measurement, missesBudget } from './measurement.ts';
import { keepResult, measuredNames, readResults, writePage } from './performance-page.ts';

const measures = new Map([
  ['warm', measureWarm],
  ['cold', measureCold],
  ['bundles', measureBundles],
  ['cost', measureCost],
  ['growth', measureGrowth],
  ['backlog', measureBacklog],
  ['load', measureLoad],
  ['first-visit', measureFirstVisit],
]);

const help = `npm run bench [-- --only <names>]

Measures on this machine, prints the budgets, and writes bench/results.json and docs/contribute/performance.md. Each measurement takes
less than five minutes on a quiet machine. The exit code is 1 when a budget is missed.

  --only <names>  some measurements, separated by commas: ${measuredNames.join(', ')}; the others keep their last results
  --page          measures nothing: writes the page from bench/results.json
  --help          this text
`;

const options = { only: { type: 'string' }, page: { type: 'boolean' }, help: { type: 'boolean' } } as const;
const { only, page, help: isHelp } = parseArgs({ options }).values;
if (isHelp) process.stdout.write(help);
else if (page) writePage(readResults());
else await run(only?.split(',') ?? measuredNames).catch(fail);

async function run(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !measures.has(name));
  if (unknown !== undefined) throw new LocalError(`Unknown measurement "${unknown}". See npm run bench -- --help`);
  const directory = mkdtempSync(join(tmpdir(), 'auth-service-bench-'));
  try {
    const assembly = await synthesize({ folder: join(directory, 'cdk.out') });
    // At once, so that a later measurement that fails loses nothing.
    for (const name of names) keepResult(name, await measure(name, join(directory, name), assembly));
  } finally {
    rmSync(directory, { recursive: true });
  }
  const results = readResults();
  writePage(results);
  const budgets = names.flatMap((name) => results[name]?.budgets ?? []);
  console.log(budgetTexts(budgets).join('\n'));
  process.exitCode = budgets.some(missesBudget) ? 1 : 0;
}

/** Says what the caller can repair, and of a defect where it is. */
function fail(error: unknown): void {
  console.error(error instanceof LocalError ? error.message : error);
  process.exitCode = 1;
}

async function measure(name: string, directory: string, assembly: string): Promise<Measurement & Measured> {
  mkdirSync(directory);
  const startedAt = Date.now();
  const [load = Number.NaN] = loadavg();
  const progress = (line: string) => console.log(`${name} ${Math.round((Date.now() - startedAt) / 1000)} s  ${line}`);
  const measurement = await measures.get(name)?.({ directory, assembly, progress });
  if (measurement === undefined) throw new Error(`${name} measured nothing`);
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load };
  return { ...measurement, at: new Date().toISOString(), machine };
}
