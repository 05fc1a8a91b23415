import { createTable } from './create-table.ts';
import { serveHttpApi } from './http-api.ts';
import { type LambdaFunction, startFunction } from './lambda-function.ts';
import { type FunctionModel, type RouteModel, readStack } from './read-stack.ts';

/** Which stack to run, on which DynamoDB. */
export interface RunStackOptions {
  /** The folder of the synthesized stack. */
  readonly assembly: string;
  /** The endpoint of a DynamoDB that several runs may share, each with a table of its own. */
  readonly dynamodb: string;
  readonly tableName: string;
  /** 32 bytes in base64 that stand for the KMS key. */
  readonly root: string;
  /** Default: any free one. */
  readonly port?: number | undefined;
  /** Takes a line for each request, and the lines that the functions write. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A stack that answers until it is closed. */
export interface RunningStack {
  /** Where the HTTP API answers, without a slash at the end. */
  readonly url: string;
  readonly tableName: string;
  readonly endpoint: string;
  /** The `ROOT_KEYS` that the functions have. */
  readonly rootKeys: string;
  readonly routes: readonly RouteModel[];
  readonly functions: ReadonlyMap<string, FunctionModel & LambdaFunction>;
  close(): Promise<void>;
}

/** Runs a synthesized stack: creates its table, loads each function into a worker, and serves its HTTP API. */
export async function runStack(options: RunStackOptions): Promise<RunningStack> {
  const { dynamodb, tableName, log } = options;
  const stack = readStack(options.assembly, options);
  await createTable(stack.table, dynamodb);
  const functions = new Map(
    stack.functions.map((model) => [model.logicalId, { ...model, ...startFunction(model, { dynamodb, log }) }]),
  );
  const closeFunctions = () => Promise.all([...functions.values()].map(({ close }) => close()));
  try {
    const api = await serveHttpApi({
      routes: stack.routes,
      invoke: async (id, event) => functions.get(id)?.invoke(event) ?? { kind: 'failed' },
      port: options.port ?? 0,
      log,
    });
    await Promise.all([...functions.values()].map(({ loaded }) => loaded));
    const close = async () => void (await Promise.all([api.close(), closeFunctions()]));
    const rootKeys = stack.functions.find(({ environment }) => environment.ROOT_KEYS)?.environment.ROOT_KEYS ?? '';
    return { url: api.url, tableName, endpoint: dynamodb, rootKeys, routes: stack.routes, functions, close };
  } catch (error) {
    await closeFunctions();
    throw error;
  }
}
