import './environment.ts';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Ask } from './create-events.ts';

/** How one request ended. */
export interface MeasuredAnswer {
  readonly status: number;
  readonly body: string | undefined;
  readonly milliseconds: number;
}

/** Requests that were asked one after the other, and the CPU time of all together. */
export interface MeasuredBatch {
  readonly answers: readonly MeasuredAnswer[];
  readonly cpuMicroseconds: number;
}

export interface OpenFunctionsOptions {
  /** The folder of the bundles, each in a folder with its function's name. */
  readonly bundles: string;
  readonly dynamodb: string;
  readonly tableName: string;
  /** What the stack sets beside that. Default: nothing. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The deployed bundles of the functions in a process of their own. */
export interface OpenFunctions {
  /** Asks them one after the other; an answer of another status than 200 is an error unless it is expected. */
  run(asks: readonly Ask[], expected?: readonly number[]): Promise<MeasuredBatch>;
  close(): Promise<void>;
}

const ok = [200];

/** Starts a process that loads a bundle when it is first asked, with the environment that the stack would give it. */
export function openFunctions({ bundles, dynamodb, tableName, environment }: OpenFunctionsOptions): OpenFunctions {
  const child = fork(join(import.meta.dirname, 'function-process.ts'), {
    env: {
      ...process.env,
      ...environment,
      TABLE_NAME: tableName,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_LAMBDA_FUNCTION_NAME: 'bench',
    },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // The functions write their log lines as on Lambda, to nobody.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (batch: MeasuredBatch) => void>();
  child.on('message', ({ id, ...batch }: MeasuredBatch & { readonly id: number }) => waiting.get(id)?.(batch));
  const died = new Promise<never>((_, reject) => child.once('exit', (code) => reject(new Error(`Ended by ${code}`))));
  died.catch(() => undefined);
  let batches = 0;
  return {
    run: async (asks, expected = ok) => {
      const id = ++batches;
      const { promise, resolve } = Promise.withResolvers<MeasuredBatch>();
      waiting.set(id, resolve);
      child.send({ id, asks: asks.map(({ name, event }) => ({ file: join(bundles, name, 'index.js'), event })) });
      const batch = await Promise.race([promise, died]);
      waiting.delete(id);
      const wrong = batch.answers.find(({ status }) => !expected.includes(status));
      if (wrong !== undefined) throw new Error(`A function answered ${wrong.status}: ${wrong.body}`);
      return batch;
    },
    close: async () => {
      child.kill();
      await died.catch(() => undefined);
    },
  };
}
