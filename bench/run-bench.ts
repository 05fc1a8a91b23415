import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBearerEndpoints } from './measure-bearer-endpoints.ts';
import { measureBundles } from './measure-bundles.ts';
import { measureCold } from './measure-cold.ts';
import { measureCost } from './measure-cost.ts';
import { measureFirstVisit } from './measure-first-visit.ts';
import { measureGrowth } from './measure-growth.ts';
import { measureHttp } from './measure-http.ts';
import { measureLoad } from './measure-load.ts';
import { measurePages } from './measure-pages.ts';
import { measureReplica } from './measure-replica.ts';
import { measureWarm } from './measure-warm.ts';
import { budgetTable, type Measure, type Measured, type Measurement, missesBudget } from './measurement.ts';
import { keepResult, readResults, writeReport } from './performance-report.ts';

/** All measurements, in the order of the report. */
const measures: Readonly<Record<string, Measure>> = {
  bundles: measureBundles,
  cold: measureCold,
  warm: measureWarm,
  endpoints: measureBearerEndpoints,
  http: measureHttp,
  cost: measureCost,
  growth: measureGrowth,
  load: measureLoad,
  pages: measurePages,
  'first-visit': measureFirstVisit,
  replica: measureReplica,
};

const help = `npm run bench [-- --only <names>]

Measures on this machine, prints the budgets, and writes bench/results.json and docs/contribute/performance.md. Each measurement takes
less than five minutes on a quiet machine, all of them about 20. The exit code is 1 when a budget is missed.

  --only <names>  some measurements, separated by commas: ${Object.keys(measures).join(', ')}; the others keep their last results
  --help          this text
`;

const { only, help: isHelp } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } }).values;
if (isHelp) process.stdout.write(help);
else await run(only?.split(',') ?? Object.keys(measures));

async function run(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !(name in measures));
  if (unknown !== undefined) throw new Error(`Unknown measurement "${unknown}". See npm run bench -- --help`);
  const directory = mkdtempSync(join(tmpdir(), 'auth-service-bench-'));
  try {
    // At once, so that a later measurement that fails loses nothing.
    for (const name of names) keepResult(name, await measure(name, join(directory, name)));
  } finally {
    rmSync(directory, { recursive: true });
  }
  const results = readResults();
  writeReport(results);
  const budgets = names.flatMap((name) => results[name]?.budgets ?? []);
  console.log(budgetTable(budgets));
  process.exitCode = budgets.some(missesBudget) ? 1 : 0;
}

async function measure(name: string, directory: string): Promise<Measurement & Measured> {
  mkdirSync(directory);
  const startedAt = Date.now();
  const [load = Number.NaN] = loadavg();
  const progress = (line: string) => console.log(`${name} ${Math.round((Date.now() - startedAt) / 1000)} s  ${line}`);
  const measurement = await measures[name]?.({ directory, progress });
  if (measurement === undefined) throw new Error(`${name} measured nothing`);
  progress('done');
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, load };
  return { ...measurement, at: new Date().toISOString(), machine };
}
