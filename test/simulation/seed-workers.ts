import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { findViolations } from './invariants/every-check.ts';
import { prepareRuns, runSeed } from './run-seed.ts';

/** What the checks found in one run. */
export interface SeedResult {
  readonly seed: number;
  readonly digest: string;
  readonly violations: readonly (readonly [check: string, found: readonly string[]])[];
}

export interface SeedRequest {
  readonly from: number;
  readonly seeds: number;
  readonly workers: number;
  /** Hands out no more seeds once one has failed. */
  readonly stopAtFailure: boolean;
  readonly onProgress: (done: number) => void;
}

interface Batch {
  readonly results: readonly SeedResult[];
  readonly cpuSeconds: number;
}

const batchSize = 20;
const program = join(import.meta.dirname, 'simulate.ts');

/** Runs seeds in processes of their own; the results in the order of the seeds. */
export async function simulateSeeds(request: SeedRequest): Promise<Batch> {
  const { from, seeds, workers, stopAtFailure, onProgress } = request;
  const results: SeedResult[] = [];
  let next = from;
  let cpuSeconds = 0;
  const work = async () => {
    const worker = fork(program, ['--worker'], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    let used = 0;
    try {
      while (next < from + seeds && !(stopAtFailure && results.some(hasFailed))) {
        const first = next;
        next = Math.min(first + batchSize, from + seeds);
        const batch = await ask(worker, { first, end: next });
        results.push(...batch.results);
        used = batch.cpuSeconds;
        onProgress(results.length);
      }
    } finally {
      cpuSeconds += used;
      worker.disconnect();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
  return { results: results.sort((one, other) => one.seed - other.seed), cpuSeconds };
}

function hasFailed({ violations }: SeedResult): boolean {
  return violations.length > 0;
}

interface SeedRange {
  readonly first: number;
  readonly end: number;
}

function ask(worker: ChildProcess, range: SeedRange): Promise<Batch> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A worker ended with ${code}`));
    worker.once('exit', onExit);
    worker.once('message', (batch) => {
      worker.off('exit', onExit);
      resolve(batch as Batch);
    });
    worker.send(range);
  });
}

/** Answers ranges of seeds until the parent process is gone. */
export async function serveSeeds(): Promise<number> {
  await prepareRuns();
  process.on('message', async ({ first, end }: SeedRange) => {
    const results: SeedResult[] = [];
    for (let seed = first; seed < end; seed++) results.push(await resultOf(seed));
    const { user, system } = process.cpuUsage();
    process.send?.({ results, cpuSeconds: (user + system) / 1e6 } satisfies Batch);
  });
  await new Promise((resolve) => process.once('disconnect', resolve));
  return 0;
}

/** A run that cannot be finished has failed, too. */
export async function resultOf(seed: number): Promise<SeedResult> {
  try {
    const run = await runSeed(seed);
    return { seed, digest: run.digest, violations: findViolations(run) };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { seed, digest: '', violations: [['the run ends', [reason]]] };
  }
}
