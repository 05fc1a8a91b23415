import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { FunctionPolicies } from './iam/read-policies.ts';
import type { WorkerInvocation, WorkerMessage, WorkerSetup } from './lambda-worker.ts';
import { localAccess } from './local-credentials.ts';
import type { FunctionModel } from './read-stack.ts';
import { functionArn } from './template-resources.ts';

/** The outcome of an invocation: a result, a thrown error or crashed worker, or a timeout. */
export type Outcome = { readonly kind: 'result'; readonly json: string } | { readonly kind: 'failed' | 'timed-out' };

/** A running function. */
export interface LambdaFunction {
  invoke(event: unknown): Promise<Outcome>;
  close(): Promise<void>;
}

/** The endpoints, variables and log of a function. */
export interface LambdaFunctionOptions {
  /** The DynamoDB endpoint of the function's SDK. */
  readonly dynamodb: string;
  /** The EventBridge endpoint of the function's SDK. */
  readonly eventBus?: string | undefined;
  /** The KMS endpoint of the function's SDK. */
  readonly kms?: string | undefined;
  /** The Lambda endpoint of the function. */
  readonly lambda?: string | undefined;
  /** Refuses what these policies do not allow. Default: everything is allowed. */
  readonly policies?: FunctionPolicies | undefined;
  /** Variables in addition to those of the stack. Default: none. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Receives each line that the function writes. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Runs a function's bundle in a worker thread with the environment of the template and of Lambda, but not of this
 * process. The first invocation starts the worker. Unlike on Lambda, invocations share it and may overlap. After a
 * timeout, the worker receives no new invocations and exits when the running ones have finished; the next invocation
 * starts a new worker, as after a crash.
 */
export function createFunction(model: FunctionModel, options: LambdaFunctionOptions): LambdaFunction {
  const all: Environment[] = [];
  const usable = () => {
    const last = all.at(-1);
    if (last?.isUsable) return last;
    const environment = new Environment(model, options);
    all.push(environment);
    return environment;
  };
  return {
    invoke: (event) => usable().invoke(event),
    close: async () => {
      await Promise.all(all.map((each) => each.end()));
    },
  };
}

/** A worker with its running invocations. */
class Environment {
  isUsable = true;
  readonly #worker: Worker;
  readonly #loaded: Promise<void>;
  readonly #timeoutMs: number;
  readonly #running = new Map<string, (outcome: Outcome) => void>();

  constructor(model: FunctionModel, options: LambdaFunctionOptions) {
    const { log } = options;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loaded = promise;
    this.#timeoutMs = model.timeoutSeconds * 1000;
    this.#worker = startWorker(model, options)
      .on('message', (message: WorkerMessage) => (message === 'loaded' ? resolve() : this.#settle(message)))
      .on('error', (error) => log?.(`${model.logicalId} crashed: ${error.stack ?? error}`))
      .on('exit', () => {
        resolve();
        this.#crash();
      });
  }

  async invoke(event: unknown): Promise<Outcome> {
    await this.#loaded;
    if (!this.isUsable) return { kind: 'failed' };
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#running.set(id, resolve);
    const timer = setTimeout(() => resolve({ kind: 'timed-out' }), this.#timeoutMs);
    this.#worker.postMessage({ id, event, deadline: Date.now() + this.#timeoutMs } satisfies WorkerInvocation);
    const outcome = await promise;
    clearTimeout(timer);
    this.#running.delete(id);
    if (outcome.kind === 'timed-out') this.isUsable = false;
    if (!this.isUsable && this.#running.size === 0) void this.end();
    return outcome;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle({ id, json }: Exclude<WorkerMessage, 'loaded'>): void {
    this.#running.get(id)?.(json === undefined ? { kind: 'failed' } : { kind: 'result', json });
  }

  #crash(): void {
    this.isUsable = false;
    for (const settle of this.#running.values()) settle({ kind: 'failed' });
  }
}

function startWorker(model: FunctionModel, options: LambdaFunctionOptions): Worker {
  const { log, policies } = options;
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
    policies,
  };
  const worker = new Worker(new URL('./lambda-worker.ts', import.meta.url), {
    workerData: setup,
    env: functionEnvironment(model, options),
    // Over plain HTTP the SDK imports node:http through the bundle's loader, which Node warns about.
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdout: true,
    stderr: true,
    // Without limits, V8 lets each worker's heap grow as if it were the only one: twelve of them took 1.2 GB.
    resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: memoryMegabytes },
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    createInterface(stream).on('line', (line) => log?.(line));
  }
  return worker;
}

/**
 * The variables of the Lambda guide, "Defined runtime environment variables", without AWS_EXECUTION_ENV: with it, the
 * service would assume that it is deployed and reject the local root key.
 */
function functionEnvironment(
  model: FunctionModel,
  { dynamodb, eventBus, kms, lambda, policies, environment }: LambdaFunctionOptions,
): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return {
    ...model.environment,
    ...environment,
    // A worker compiles its bundle from this process's cache: 85 ms of CPU in place of 180.
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    // A developer's receiver has no certificate.
    WEBHOOK_LOOPBACK: 'allowed',
    TZ: ':UTC',
    AWS_REGION: localAccess.region,
    AWS_ACCESS_KEY_ID: localAccess.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localAccess.credentials.secretAccessKey,
    // The session of the role.
    ...(policies === undefined ? {} : { AWS_SESSION_TOKEN: policies.role }),
    AWS_LAMBDA_FUNCTION_NAME: model.logicalId,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(model.memoryMegabytes),
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    ...(eventBus === undefined ? {} : { AWS_ENDPOINT_URL_EVENTBRIDGE: eventBus }),
    ...(kms === undefined ? {} : { AWS_ENDPOINT_URL_KMS: kms }),
    ...(lambda === undefined ? {} : { AWS_ENDPOINT_URL_LAMBDA: lambda }),
  };
}
