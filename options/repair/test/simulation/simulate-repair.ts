import '#test/simulation/prepare-process.ts';
import { prepareRuns } from '#test/simulation/run-seed.ts';
import { repairSeed } from './repair-seed.ts';
import { violationsOf } from './repaired-checks.ts';

/* Simulates takeovers with a repair: `simulate-repair.ts <first seed> <seeds>` prints a line for each violation, then counts. */

const [first = 1, seeds = 300] = process.argv.slice(2).map(Number);
await prepareRuns();
const kinds = new Map<string, number>();
let violations = 0;
let torn = 0;
for (let seed = first; seed < first + seeds; seed++) {
  const repaired = await repairSeed(seed);
  if (repaired.lost > 0) torn += 1;
  for (const { kind } of repaired.findings) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  for (const line of violationsOf(repaired)) {
    violations += 1;
    process.stdout.write(`seed ${seed}: ${line}\n`);
  }
}
const counts = [...kinds].sort().map(([kind, count]) => `${kind} ${count}`);
process.stdout.write(`${seeds} seeds, ${torn} torn, ${violations} violations; ${counts.join(', ')}\n`);
if (process.connected) process.disconnect();
