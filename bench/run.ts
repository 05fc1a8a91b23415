import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceRoutes } from '#shared/contract/routes.ts';
import { bundleFunction } from '../lib/bundle-function.ts';
import { type Budget, overBudget, printBudgets } from './budget.ts';
import { measureUsersPage } from './measure-dashboard.ts';
import { measureLoad } from './measure-load.ts';
import { measureVerification } from './measure-verification.ts';

/** `npm run bench`: measures the budgets on this machine, prints them and writes `bench/results.json`; exit code 1 when one is missed. */
const directory = mkdtempSync(join(tmpdir(), 'auth-service-bench-'));
try {
  const results = await measure(directory);
  writeFileSync(join(import.meta.dirname, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  printBudgets(results.budgets);
  process.exitCode = results.budgets.some(overBudget) ? 1 : 0;
} finally {
  rmSync(directory, { recursive: true });
}

async function measure(outDir: string) {
  console.log('Bundling the endpoints');
  const bundles = Object.keys(serviceRoutes).map((name) => ({ name, ...bundleFunction(name, outDir) }));
  console.log('Loading each in fresh processes, alternating with an empty handler');
  const load = measureLoad(bundles, outDir);
  console.log('Verifying signatures with a cached key');
  const verification = measureVerification();
  console.log('Building the dashboard');
  const usersPageBytes = await measureUsersPage(join(outDir, 'dashboard'));
  const budgets: Budget[] = [
    ...bundles.map(({ name, bytes }) => atMost(`bundle ${name}`, bytes / 1000, 400, 'KB')),
    ...load.ratios.map(({ name, ratio }) => atMost(`load ${name} / empty handler`, ratio, 2.8, 'x')),
    atMost('first load of the users page, gzip', usersPageBytes / 1000, 350, 'KB'),
    atMost('signature verification, CPU', verification.medianMicroseconds, 15, 'µs'),
  ];
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  return {
    machine,
    budgets,
    samples: { loadMilliseconds: load.samples, verificationMicroseconds: verification.samples },
  };
}

function atMost(name: string, value: number, limit: number, unit: string): Budget {
  return { name, value: Number(value.toFixed(2)), limit, kind: 'max', unit };
}
