import './bench-environment.ts';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import type { Invocation } from './create-events.ts';

/** Several invocations, and what the process used for all of them. */
export interface MeasuredBatch {
  /** The status is 200 for a function that answers no HTTP request. */
  readonly answers: readonly {
    readonly status: number;
    readonly body: string | undefined;
    readonly milliseconds: number;
  }[];
  readonly cpuMicroseconds: number;
}

export interface OpenFunctionsOptions {
  /** The file of a function that exports its handler. */
  readonly fileOf: (name: string) => string;
  readonly environment: Readonly<Record<string, string>>;
  /** On the first processor alone. Default: false. */
  readonly pinned?: boolean;
}

/** Functions loaded in a separate process, whose CPU time is theirs alone. */
export interface OpenFunctions {
  /** The names of the functions that were invoked before. */
  readonly loaded: ReadonlySet<string>;
  /** Invokes one after the other; a status other than the expected one, by default 200, is an error. */
  run(invocations: readonly Invocation[], expected?: number): Promise<MeasuredBatch>;
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
    run: async (invocations, expected = 200) => {
      for (const { name } of invocations) loaded.add(name);
      const answered = once(child, 'message');
      child.send(invocations.map(({ name, ...call }) => ({ file: fileOf(name), ...call })));
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

type Call = Omit<Invocation, 'name'> & { readonly file: string };
type Handler = (event: unknown, context: object) => Promise<{ statusCode?: number; body?: string } | undefined>;

if (process.argv[1] === import.meta.filename) serve();

function serve(): void {
  process.on('message', async (calls: readonly Call[]) => process.send?.(await invokeEach(calls)));
  // The SDK keeps its connections open.
  process.on('disconnect', () => process.exit());
}

async function invokeEach(calls: readonly Call[]): Promise<MeasuredBatch> {
  const require = createRequire(import.meta.url);
  const handlers = calls.map(({ file }): Handler => require(file).handler);
  const answers: MeasuredBatch['answers'][number][] = [];
  const before = process.cpuUsage();
  for (const [at, handler] of handlers.entries()) {
    const { event, limitSeconds = 10 } = calls[at] ?? {};
    const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => limitSeconds * 1000 };
    const startedAt = performance.now();
    const { statusCode: status = 200, body } = (await handler(event, context)) ?? {};
    answers.push({ status, body, milliseconds: performance.now() - startedAt });
  }
  const { user, system } = process.cpuUsage(before);
  return { answers, cpuMicroseconds: user + system };
}
