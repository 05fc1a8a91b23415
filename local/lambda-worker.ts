import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import { createCallGuard } from './iam/guard-calls.ts';
import { guardRequests } from './iam/guard-requests.ts';
import type { FunctionPolicies } from './iam/read-policies.ts';

/** The data that a worker starts with. */
export interface WorkerSetup {
  /** The bundle, a CommonJS module. */
  readonly file: string;
  /** The name of the exported handler. */
  readonly exportName: string;
  readonly context: Pick<Context, 'functionName' | 'invokedFunctionArn' | 'memoryLimitInMB'>;
  /** Refuses what these policies do not allow. Default: everything is allowed. */
  readonly policies?: FunctionPolicies | undefined;
}

/** The message that invokes the handler. */
export interface WorkerInvocation {
  readonly id: string;
  readonly event: unknown;
  /** When the function times out, in milliseconds since 1970. */
  readonly deadline: number;
}

/** `loaded` once, then one message per invocation: the result as JSON, or no result if the handler threw. */
export type WorkerMessage = 'loaded' | { readonly id: string; readonly json?: string };

type Handler = (event: unknown, context: Context) => unknown;

if (parentPort) serve(parentPort, workerData as WorkerSetup);

function serve(port: MessagePort, { file, exportName, context, policies }: WorkerSetup): void {
  if (policies !== undefined) {
    const guard = createCallGuard(policies);
    guardRequests({ current: () => guard, ports: endpointPorts() });
  }
  const handler = loadHandler(file, exportName);
  port.on('message', async (invocation: WorkerInvocation) => {
    port.postMessage(await answer(handler, invocation, createContext(context, invocation)));
  });
  port.postMessage('loaded' satisfies WorkerMessage);
}

/** The ports of the endpoints that the SDK reads from the environment. */
function endpointPorts(): Set<number> {
  const urls = Object.entries(process.env).flatMap(([name, url]) => (name.startsWith('AWS_ENDPOINT_URL') ? url : []));
  return new Set(urls.flatMap((url) => (url === undefined ? [] : Number(new URL(url).port))));
}

function loadHandler(file: string, exportName: string): Handler {
  const handler: unknown = createRequire(file)(file)[exportName];
  if (typeof handler !== 'function') throw new Error(`${basename(file)} exports no function named ${exportName}`);
  return handler as Handler;
}

/** Serializes the result as JSON, as Lambda does, so that a value that JSON cannot represent fails in the function. */
async function answer(handler: Handler, { id, event }: WorkerInvocation, context: Context): Promise<WorkerMessage> {
  try {
    return { id, json: JSON.stringify(await handler(event, context)) ?? 'null' };
  } catch (error) {
    logError(error, context.awsRequestId);
    return { id };
  }
}

/** Logs an error as Lambda's runtime does (Lambda guide, "Using structured JSON logs with Node.js"). */
function logError(error: unknown, requestId: string): void {
  const { name: errorType, message: errorMessage, stack } = error instanceof Error ? error : new Error(String(error));
  const message = { errorType, errorMessage, stackTrace: stack?.split('\n') };
  console.error(JSON.stringify({ timestamp: new Date().toISOString(), level: 'ERROR', requestId, message }));
}

function createContext(context: WorkerSetup['context'], { deadline }: WorkerInvocation): Context {
  return {
    ...context,
    awsRequestId: randomUUID(),
    functionVersion: '$LATEST',
    logGroupName: `/aws/lambda/${context.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
