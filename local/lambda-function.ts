import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { WorkerInvocation, WorkerMessage, WorkerSetup } from './lambda-worker.ts';
import { localAccess } from './local-access.ts';
import type { FunctionModel } from './read-stack.ts';
import { functionArn } from './template-resources.ts';

/** How an invocation ended: with a result, or by a thrown error, a dead worker or the function's time-out. */
export type Outcome = { readonly kind: 'result'; readonly json: string } | { readonly kind: 'failed' | 'timed-out' };

/** A function that can be invoked until it is closed. */
export interface LambdaFunction {
  /** Settles when the bundle has been loaded, or could not be. */
  readonly loaded: Promise<void>;
  invoke(event: unknown): Promise<Outcome>;
  close(): Promise<void>;
}

/** What a function is given besides its model. */
export interface LambdaFunctionOptions {
  /** The DynamoDB that the function's SDK talks to. */
  readonly dynamodb: string;
  /** The event bus that it talks to. */
  readonly eventBus?: string | undefined;
  /** Takes each line that the function writes. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Runs a function's bundle in a worker of its own, which sees the template's environment and what Lambda adds to it but
 * nothing of this process's. Unlike on Lambda, invocations share the worker and may overlap in it. One that exceeds the
 * function's time-out is abandoned together with the worker, which ends as soon as nothing else runs in it; the next
 * invocation gets a new one, as after a death.
 */
export function startFunction(model: FunctionModel, options: LambdaFunctionOptions): LambdaFunction {
  let environment = new Environment(model, options);
  const all = [environment];
  return {
    loaded: environment.loaded,
    invoke: (event) => {
      if (!environment.isUsable) {
        environment = new Environment(model, options);
        all.push(environment);
      }
      return environment.invoke(event);
    },
    close: async () => {
      await Promise.all(all.map((each) => each.end()));
    },
  };
}

/** A worker with the invocations that run in it. */
class Environment {
  readonly loaded: Promise<void>;
  isUsable = true;
  readonly #worker: Worker;
  readonly #timeoutMs: number;
  readonly #underWay = new Map<string, (outcome: Outcome) => void>();

  constructor(model: FunctionModel, options: LambdaFunctionOptions) {
    const { log } = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.loaded = promise;
    this.#timeoutMs = model.timeoutSeconds * 1000;
    this.#worker = startWorker(model, options)
      .on('message', (message: WorkerMessage) => (message === 'loaded' ? resolve() : this.#settle(message)))
      .on('error', (error) => log?.(`${model.logicalId} died: ${error.stack ?? error}`))
      .on('exit', () => {
        resolve();
        this.#die();
      });
  }

  async invoke(event: unknown): Promise<Outcome> {
    await this.loaded;
    if (!this.isUsable) return { kind: 'failed' };
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#underWay.set(id, resolve);
    const timer = setTimeout(() => resolve({ kind: 'timed-out' }), this.#timeoutMs);
    this.#worker.postMessage({ id, event, deadline: Date.now() + this.#timeoutMs } satisfies WorkerInvocation);
    const outcome = await promise;
    clearTimeout(timer);
    this.#underWay.delete(id);
    if (outcome.kind === 'timed-out') this.isUsable = false;
    if (!this.isUsable && this.#underWay.size === 0) void this.end();
    return outcome;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle({ id, json }: Exclude<WorkerMessage, 'loaded'>): void {
    this.#underWay.get(id)?.(json === undefined ? { kind: 'failed' } : { kind: 'result', json });
  }

  #die(): void {
    this.isUsable = false;
    for (const settle of this.#underWay.values()) settle({ kind: 'failed' });
  }
}

function startWorker(model: FunctionModel, { log, ...addresses }: LambdaFunctionOptions): Worker {
  const { logicalId, memoryMegabytes, codeFolder, handler } = model;
  const [module, exportName = ''] = handler.split('.');
  const setup: WorkerSetup = {
    file: join(codeFolder, `${module}.js`),
    exportName,
    context: {
      functionName: logicalId,
      invokedFunctionArn: functionArn(logicalId),
      memoryLimitInMB: String(memoryMegabytes),
    },
  };
  const worker = new Worker(new URL('./lambda-worker.ts', import.meta.url), {
    workerData: setup,
    env: functionEnvironment(model, addresses),
    // Over plain http the SDK imports node:http through the bundle's loader, of which Node warns.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    createInterface(stream).on('line', (line) => log?.(line));
  }
  return worker;
}

/**
 * Lambda guide, "Defined runtime environment variables"; without AWS_EXECUTION_ENV, by which the service tells that it
 * runs on Lambda, where a local root key is refused.
 */
function functionEnvironment(
  model: FunctionModel,
  { dynamodb, eventBus }: Omit<LambdaFunctionOptions, 'log'>,
): Record<string, string> {
  return {
    ...model.environment,
    TZ: ':UTC',
    AWS_REGION: localAccess.region,
    AWS_ACCESS_KEY_ID: localAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localAccess.credentials.secretAccessKey,
    AWS_LAMBDA_FUNCTION_NAME: model.logicalId,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(model.memoryMegabytes),
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    ...(eventBus === undefined ? {} : { AWS_ENDPOINT_URL_EVENTBRIDGE: eventBus }),
  };
}
