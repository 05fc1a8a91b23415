import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { findViolations } from './invariants/every-check.ts';
import { violationsOfTakeover } from './invariants/takeover.ts';
import { prepareRuns, runSeed } from './run-seed.ts';
import { runTakeover } from './run-takeover.ts';

/** The violations in one run. */
export interface SeedResult {
  readonly seed: number;
  readonly violations: readonly (readonly [check: string, found: readonly string[]])[];
}

export interface SeedRequest {
  readonly from: number;
  readonly seeds: number;
  /** The number of worker processes; with 0 the seeds run in this process. */
  readonly workers: number;
  /** Stops after the first failed seed. */
  readonly stopAtFailure: boolean;
  /** The name of the only check that counts. Default: all. */
  readonly onlyCheck?: string | undefined;
  /** The name of a condition to remove from the code. */
  readonly broken?: string | undefined;
  /** Simulates the takeover of a Region in each seed. */
  readonly takeovers?: boolean | undefined;
  /** The number of copies of the code without workers; see `prepareRuns`. */
  readonly processCopies?: number | undefined;
  readonly onProgress?: (done: number) => void;
}

interface Batch {
  readonly results: readonly SeedResult[];
  readonly cpuSeconds: number;
}

const batchSize = 20;
const program = join(import.meta.dirname, 'simulate.ts');

/** Runs seeds, by default in worker processes; returns the results in the order of the seeds. */
export async function simulateSeeds(request: SeedRequest): Promise<Batch> {
  const { from, seeds, workers, stopAtFailure, onlyCheck, broken, takeovers = false, onProgress } = request;
  const results: SeedResult[] = [];
  let cpuSeconds = 0;
  const size = workers === 0 ? 1 : batchSize;
  const step = size * Math.max(1, workers);
  // Each has its own share, however busy the machine is: a process keeps its caches from one seed to the next.
  const workWith = async ({ run, end }: Runner, share: number) => {
    let used = 0;
    for (let first = from + share * size; first < from + seeds; first += step) {
      if (stopAtFailure && results.some(hasFailed)) break;
      const batch = await run({ first, end: Math.min(first + size, from + seeds), takeovers });
      results.push(...batch.results.map((result) => restricted(result, onlyCheck)));
      used = batch.cpuSeconds;
      onProgress?.(results.length);
    }
    cpuSeconds += used;
    end();
  };
  const runners =
    workers === 0 ? [await runHere(request)] : Array.from({ length: workers }, () => runElsewhere(broken));
  await Promise.all(runners.map(workWith));
  return { results: results.sort((one, other) => one.seed - other.seed), cpuSeconds };
}

/** Runs ranges of seeds, one after the other. */
interface Runner {
  readonly run: (range: SeedRange) => Promise<Batch>;
  readonly end: () => void;
}

async function runHere(copies: Pick<SeedRequest, 'processCopies'>): Promise<Runner> {
  await prepareRuns(copies);
  return { run: runRange, end: () => undefined };
}

function runElsewhere(broken: string | undefined): Runner {
  const argv = ['--worker', ...(broken === undefined ? [] : ['--break', broken])];
  const worker = fork(program, argv, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  return { run: (range) => ask(worker, range), end: () => worker.disconnect() };
}

async function runRange({ first, end, takeovers }: SeedRange): Promise<Batch> {
  const results: SeedResult[] = [];
  for (let seed = first; seed < end; seed++) {
    results.push(await (takeovers ? takeoverOf(seed) : resultOf(seed)));
  }
  const { user, system } = process.cpuUsage();
  return { results, cpuSeconds: (user + system) / 1e6 };
}

/** Keeps only the violations of one check; a run that does not end fails all checks. */
function restricted(result: SeedResult, onlyCheck: string | undefined): SeedResult {
  if (onlyCheck === undefined) return result;
  return { ...result, violations: result.violations.filter(([check]) => check === onlyCheck || check === 'run') };
}

function hasFailed({ violations }: SeedResult): boolean {
  return violations.length > 0;
}

interface SeedRange {
  readonly first: number;
  readonly end: number;
  readonly takeovers: boolean;
}

function ask(worker: ChildProcess, range: SeedRange): Promise<Batch> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A worker exited with ${code}`));
    worker.once('exit', onExit);
    worker.once('message', (batch) => {
      worker.off('exit', onExit);
      resolve(batch as Batch);
    });
    worker.send(range);
  });
}

/** Answers requests for ranges of seeds until the process exits. */
export async function serveSeeds(): Promise<never> {
  await prepareRuns();
  // The stack is omitted: replay the seed to see it.
  Error.stackTraceLimit = 0;
  process.on('message', async (range: SeedRange) => process.send?.(await runRange(range)));
  return new Promise(() => undefined);
}

/** Runs a seed and its checks; a run that cannot finish has also failed. */
export async function resultOf(seed: number, suffix = String(seed)): Promise<SeedResult> {
  try {
    const run = await runSeed(seed, suffix);
    return { seed, violations: findViolations(run) };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { seed, violations: [['run', [reason]]] };
  }
}

/** The same for the takeover of a Region. */
async function takeoverOf(seed: number): Promise<SeedResult> {
  try {
    return { seed, violations: violationsOfTakeover(await runTakeover(seed)) };
  } catch (error) {
    return { seed, violations: [['run', [error instanceof Error ? (error.stack ?? error.message) : String(error)]]] };
  }
}
