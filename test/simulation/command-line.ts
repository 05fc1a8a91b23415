import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type BrokenCondition, brokenConditions, copiesOfBroken, outdatedSeed } from './broken-conditions.ts';
import { type BatchReads, explore } from './interleavings.ts';
import { checks, findViolations } from './invariants/every-check.ts';
import { breakCode, forgetCode } from './load-code.ts';
import { digestOf, prepareRuns, runSeed } from './run-seed.ts';
import { scenarios } from './scenarios.ts';
import { resultOf, type SeedResult, serveSeeds, simulateSeeds } from './seed-workers.ts';
import { traceOf } from './trace.ts';

const help = `npm run simulate -- [options]

Runs the service's own code on a simulated DynamoDB with random faults, and checks its invariants. The seed of a run
determines its faults. Stops at the first seed that fails, and replays it. docs/contribute/testing.md says what is
simulated.

  --seeds <n>     number of seeds (default: 2000)
  --from <n>      first seed (default: 1)
  --seed <n>      replay one seed and print its trace
  --workers <n>   number of worker processes (default: one per core); 0 runs the seeds in this process
  --keep-going    continue after a failure, and count the seeds in which each check fails
  --check <name>  run only this check: ${Object.keys(checks).join(', ')}
  --break <name>  remove a condition from the service, which a check must notice:
                  ${Object.keys(brokenConditions).join(',\n                  ')}
  --break-each    remove each of these conditions in turn, except the rare ones
  --takeovers     simulate the takeover of a Region in each seed, without a repair
  --orders        explore every order of a few concurrent calls, instead of seeds
  --all           with --orders: also scenarios with more calls, and every order of batch reads; takes an hour
  --help          show this help
`;

const options = {
  seeds: { type: 'string', default: '2000' },
  from: { type: 'string', default: '1' },
  seed: { type: 'string' },
  workers: { type: 'string', default: String(availableParallelism()) },
  'keep-going': { type: 'boolean', default: false },
  check: { type: 'string' },
  break: { type: 'string' },
  'break-each': { type: 'boolean', default: false },
  takeovers: { type: 'boolean', default: false },
  orders: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  worker: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** The command `npm run simulate`; returns its exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options });
  if (values.help) return print(help);
  if (values.check !== undefined && checks[values.check] === undefined)
    throw new Error(`There is no check ${values.check}`);
  if (values.break !== undefined) breakCode(values.break);
  if (values.worker) return serveSeeds();
  if (values['break-each']) return breakEach(wholeNumber('seeds', values.seeds));
  if (values.orders) return followOrders(values.all);
  if (values.seed !== undefined) return replay(wholeNumber('seed', values.seed), values.check);
  const from = wholeNumber('from', values.from);
  const seeds = wholeNumber('seeds', values.seeds);
  const keepGoing = values['keep-going'];
  const workers = wholeNumber('workers', values.workers);
  const startedAt = performance.now();
  const { results, cpuSeconds } = await simulateSeeds({
    from,
    seeds,
    workers,
    stopAtFailure: !keepGoing,
    onlyCheck: values.check,
    broken: values.break,
    takeovers: values.takeovers,
    onProgress: (done) => progress(done, seeds, startedAt),
  });
  const failed = results.filter(({ violations }) => violations.length > 0);
  const wall = ((performance.now() - startedAt) / 1000).toFixed(1);
  print(`${results.length} seeds, ${failed.length} failed, ${cpuSeconds.toFixed(1)} s of CPU, ${wall} s`);
  const [first] = failed;
  if (first === undefined) return 0;
  if (keepGoing) printCounts(failed);
  // A process that has already run seeds remembers what their first requests recorded.
  else if (workers === 0 || values.takeovers) printFailure(first);
  else if ((await replay(first.seed, values.check)) === 0) {
    print('\nIt holds in a process of its own. After other seeds it did not:');
    printViolations(first.violations);
  }
  return 1;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`--${name} must be a whole number, not ${text}`);
  return Number(text);
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

function progress(done: number, seeds: number, startedAt: number): void {
  if (!process.stderr.isTTY && done % 10_000 !== 0) return;
  const perSecond = (done / (performance.now() - startedAt)) * 1000;
  process.stderr.write(
    `${process.stderr.isTTY ? '\r' : ''}${done} of ${seeds} seeds, ${perSecond.toFixed(0)} a second\n`,
  );
}

function printCounts(failed: readonly SeedResult[]): void {
  const seedsOf = new Map<string, number[]>();
  for (const { seed, violations } of failed) {
    for (const [check] of violations) seedsOf.set(check, [...(seedsOf.get(check) ?? []), seed]);
  }
  for (const [check, seeds] of seedsOf) print(`${seeds.length} seeds: ${check}: ${seeds.slice(0, 10).join(' ')}`);
}

async function followOrders(isWhole: boolean): Promise<number> {
  await prepareRuns({ processCopies: 1 });
  const everyReads: readonly BatchReads[] = isWhole ? ['at once', 'forward', 'backward'] : ['at once'];
  for (const scenario of scenarios.filter(({ isLong = false }) => isWhole || !isLong)) {
    for (const reads of everyReads) {
      const before = process.cpuUsage();
      const { orders, states, failed } = await explore(scenario, reads);
      const { user, system } = process.cpuUsage(before);
      const outcome = `${((user + system) / 1e6).toFixed(1)} s of CPU: ${failed ? 'failed' : 'every check holds'}`;
      print(`${scenario.name}, batches read ${reads}: ${orders} orders, ${states} states, ${outcome}`);
      if (failed === undefined) continue;
      print(traceOf(failed.run).join('\n'));
      printViolations(failed.violations);
      return 1;
    }
  }
  return 0;
}

/**
 * Removes each condition in turn; the exit code is 1 if a check does not notice. Without a break, every check must hold in
 * the seeds that notice.
 */
async function breakEach(seeds: number): Promise<number> {
  let missed = 0;
  const each = Object.entries(brokenConditions).filter(([, { rare }]) => !rare);
  await requireSound(each.map(([, condition]) => condition));
  for (const [name, condition] of each) {
    breakCode(name);
    const { check, seed = 1 } = condition;
    const noticed = (await findNotice(condition, seed, 1)) ?? (await findNotice(condition, 1, seeds));
    print(`${name}: ${noticed === undefined ? `missed by ${check}` : describeNotice(check, seed, noticed.seed)}`);
    if (noticed === undefined) missed++;
  }
  return missed === 0 ? 0 : 1;
}

function describeNotice(check: string, stated: number, noticed: number): string {
  return `noticed by ${check} in seed ${noticed}${noticed === stated ? '' : outdatedSeed}`;
}

async function requireSound(conditions: readonly BrokenCondition[]): Promise<void> {
  const seedsByCopies = Map.groupBy(
    conditions.filter(({ takeovers }) => !takeovers),
    ({ processCopies = copiesOfBroken }) => processCopies,
  );
  for (const [processCopies, alike] of seedsByCopies) {
    forgetCode();
    await prepareRuns({ processCopies });
    for (const seed of new Set(alike.map(({ seed: stated = 1 }) => stated))) {
      const result = await resultOf(seed);
      if (result.violations.length > 0) throw new Error(`Without a break, seed ${seed} fails: ${result.violations}`);
    }
  }
}

/** Returns the first of these seeds that the check fails. */
async function findNotice(
  { check, takeovers, processCopies = takeovers ? undefined : copiesOfBroken }: BrokenCondition,
  from: number,
  seeds: number,
): Promise<SeedResult | undefined> {
  const given = { from, seeds, workers: 0, stopAtFailure: true, onlyCheck: check, takeovers, processCopies };
  const { results } = await simulateSeeds(given);
  return results.find(({ violations }) => violations.some(([violated]) => violated === check));
}

async function replay(seed: number, onlyCheck: string | undefined): Promise<number> {
  await prepareRuns();
  const run = await runSeed(seed);
  print(traceOf(run).join('\n'));
  const violations = findViolations(run).filter(([check]) => onlyCheck === undefined || check === onlyCheck);
  print(`\nseed ${seed}, ${digestOf(run)}: ${violations.length === 0 ? 'every check holds' : 'failed'}`);
  if (violations.length > 0) printFailure({ seed, violations });
  return violations.length === 0 ? 0 : 1;
}

function printFailure({ seed, violations }: SeedResult): void {
  printViolations(violations);
  print(`\nReplay it with: npm run simulate -- --seed ${seed}`);
}

function printViolations(violations: SeedResult['violations']): void {
  for (const [check, found] of violations) {
    print(`\nFAILED ${check}: ${checks[check]?.promise}\n  ${found.join('\n  ')}`);
  }
}
