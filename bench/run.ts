import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { budgetLine, missesBudget } from './budget.ts';
import { readResults, writeReport } from './build-report.ts';
import { measureBundle } from './measure-bundle.ts';
import { measureCold } from './measure-cold.ts';
import { measureCost } from './measure-cost.ts';
import { measureDashboard } from './measure-dashboard.ts';
import { measureGrowth } from './measure-growth.ts';
import { measureLoadRun } from './measure-load-run.ts';
import { measureScale } from './measure-scale.ts';
import { measureVerification } from './measure-verification.ts';
import { measureWarm } from './measure-warm.ts';
import type { Measure, Measured, Results } from './measurement.ts';

/** All measurements, in the order of the report. */
const measures: Readonly<Record<string, Measure>> = {
  bundle: measureBundle,
  cold: measureCold,
  warm: measureWarm,
  verification: measureVerification,
  cost: measureCost,
  growth: measureGrowth,
  load: measureLoadRun,
  scale: measureScale,
  dashboard: measureDashboard,
};

const help = `npm run bench [-- --only <names>]

Measures the budgets on this machine, prints them, and writes bench/results.json, docs/performance.md and its pictures.
The exit code is 1 when a budget is missed.

  --only <names>  some measurements, with commas between: ${Object.keys(measures).join(', ')}; of the others the last results stay
  --help          this text
`;

const { only, help: asked } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } }).values;
if (asked) process.stdout.write(help);
else await run(only?.split(',') ?? Object.keys(measures));

async function run(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !(name in measures));
  if (unknown !== undefined) throw new Error(`There is no measurement "${unknown}". See npm run bench -- --help`);
  const directory = mkdtempSync(join(tmpdir(), 'auth-service-bench-'));
  try {
    for (const name of names) keep(name, await measured(name, join(directory, name)));
  } finally {
    rmSync(directory, { recursive: true });
  }
  const results = readResults();
  writeReport(results);
  const budgets = names.flatMap((name) => results.measurements[name]?.budgets ?? []);
  for (const budget of budgets) console.log(budgetLine(budget));
  process.exitCode = budgets.some(missesBudget) ? 1 : 0;
}

async function measured(name: string, directory: string): Promise<Measured> {
  mkdirSync(directory);
  const startedAt = Date.now();
  const progress = (line: string) =>
    console.log(`${name} ${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  const measurement = await measures[name]?.({ directory, progress });
  if (measurement === undefined) throw new Error(`${name} measured nothing`);
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  return { ...measurement, at: new Date().toISOString(), machine };
}

/** Keeps it at once: a later measurement that fails takes nothing away. */
function keep(name: string, measurement: Measured): void {
  const known = { ...readResults().measurements, [name]: measurement };
  const measurements = Object.fromEntries(
    Object.keys(measures).flatMap((each) => (known[each] ? [[each, known[each]]] : [])),
  );
  const budgets = Object.values(measurements).flatMap((each) => each.budgets);
  const results: Results = { budgets, measurements };
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 1)}\n`);
}
