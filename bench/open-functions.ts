import './bench-environment.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import type { Invocation } from './create-events.ts';

/** How one invocation ended. */
export interface MeasuredAnswer {
  /** 200 for a function that answers no HTTP request. */
  readonly status: number;
  readonly body: string | undefined;
  readonly milliseconds: number;
}

/** Several invocations, and what the process used for all of them. */
export interface MeasuredBatch {
  readonly answers: readonly MeasuredAnswer[];
  readonly cpuMicroseconds: number;
}

export interface OpenFunctionsOptions {
  /** The file of a function that exports its handler. */
  readonly fileOf: (name: string) => string;
  readonly environment: Readonly<Record<string, string>>;
  /** On the first processor alone. Default: false. */
  readonly pinned?: boolean;
}

export interface RunOptions {
  /** Any other status is an error. Default: 200. */
  readonly expected?: number;
  /** How many run at the same time. Default: 1. */
  readonly inFlight?: number;
}

/** Functions loaded in a separate process, whose CPU time is theirs alone. */
export interface OpenFunctions {
  /** The names of the functions that were invoked before. */
  readonly loaded: ReadonlySet<string>;
  run(invocations: readonly Invocation[], options?: RunOptions): Promise<MeasuredBatch>;
  close(): Promise<void>;
}

/** Starts a process that loads each function when it is first invoked. */
export function openFunctions({ fileOf, environment, pinned = false }: OpenFunctionsOptions): OpenFunctions {
  const child = fork(import.meta.filename, {
    env: { ...process.env, AWS_LAMBDA_FUNCTION_NAME: 'bench', ...environment },
    ...(pinned && { execPath: 'taskset', execArgv: ['-c', '0', process.execPath] }),
    // The functions write their log into a pipe, as on Lambda.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The functions exited with ${code}`)));
  ended.catch(() => undefined);
  const loaded = new Set<string>();
  return {
    loaded,
    run: async (invocations, { expected = 200, inFlight = 1 } = {}) => {
      for (const { name } of invocations) loaded.add(name);
      const answered = once(child, 'message');
      child.send({ inFlight, calls: invocations.map(({ name, ...call }) => ({ file: fileOf(name), ...call })) });
      const [batch]: MeasuredBatch[] = await Promise.race([answered, ended]);
      const wrong = batch?.answers.find(({ status }) => status !== expected);
      if (batch === undefined || wrong !== undefined) throw new Error(`Answered ${wrong?.status}: ${wrong?.body}`);
      return batch;
    },
    close: async () => {
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}

interface Batch {
  readonly inFlight: number;
  readonly calls: readonly Call[];
}

interface Call extends Omit<Invocation, 'name'> {
  readonly file: string;
}

type Handler = (event: unknown, context: object) => Promise<{ statusCode?: number; body?: string } | undefined>;

if (process.argv[1] === import.meta.filename) serve();

function serve(): void {
  process.on('message', async (batch: Batch) => process.send?.(await invokeAll(batch)));
  // The SDK keeps its connections open.
  process.on('disconnect', () => process.exit());
}

async function invokeAll({ inFlight, calls }: Batch): Promise<MeasuredBatch> {
  const require = createRequire(import.meta.url);
  const handlers = calls.map(({ file }): Handler => require(file).handler);
  const answers: MeasuredAnswer[] = [];
  const entries = calls.entries();
  const work = async () => {
    // One iterator for all workers: each takes the next call.
    for (const [at, call] of entries) answers[at] = await invoke(handlers[at] as Handler, call);
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, work));
  const { user, system } = process.cpuUsage(before);
  return { answers, cpuMicroseconds: user + system };
}

async function invoke(handler: Handler, { event, limitSeconds = 10 }: Call): Promise<MeasuredAnswer> {
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => limitSeconds * 1000 };
  const startedAt = performance.now();
  const { statusCode: status = 200, body } = (await handler(event, context)) ?? {};
  return { status, body, milliseconds: performance.now() - startedAt };
}
