import { manageScope } from '#shared/contract/manage-routes.ts';
import { type AccessKey, createAccessKey } from './access-key.ts';
import { createTable } from './create-table.ts';
import { openDashboard } from './dashboard-files.ts';
import { type DevelopmentLogin, serveDevelopmentLogin } from './development-login.ts';
import type { DocsFiles } from './docs-files.ts';
import { describeEvent, type LocalEvent, type LocalEventBus, serveEventBus } from './event-bus.ts';
import { serveFunctionUrl } from './function-url.ts';
import { serveHttpApi } from './http-api.ts';
import { type LambdaFunction, type Outcome, startFunction } from './lambda-function.ts';
import { LocalError } from './local-error.ts';
import { pollStream } from './poll-stream.ts';
import { type FunctionModel, type RouteModel, readStack, type StackModel } from './read-stack.ts';

/** Which stack to run, on which DynamoDB. */
export interface RunStackOptions {
  /** The folder of the synthesized stack. */
  readonly assembly: string;
  /** The endpoint of a DynamoDB that several runs may share, each with a table of its own. */
  readonly dynamodb: string;
  readonly tableName: string;
  /** 32 bytes in base64 that stand for the KMS key. */
  readonly root: string;
  /** What requests to the function URL are signed with. Default: a new one. */
  readonly accessKey?: AccessKey | undefined;
  /** Of the HTTP API, the function URL and the development login. Default: any free ones. */
  readonly port?: number | undefined;
  readonly managePort?: number | undefined;
  readonly loginPort?: number | undefined;
  /** The built dashboard, served at `/` of the HTTP API's address. Default: none. */
  readonly dashboard?: string | undefined;
  /** The pages about the APIs, served below `/docs` of the same address. Default: none. */
  readonly docs?: DocsFiles | undefined;
  /** Keeps how far the stream was published. Default: each run publishes all of it again. */
  readonly positionFile?: string | undefined;
  /** Takes a line for each request, for each event, and the lines that the functions write. */
  readonly log?: ((line: string) => void) | undefined;
  /** Whether an event is worth a line. Default: every one. */
  readonly showsEvent?: ((event: LocalEvent) => boolean) | undefined;
}

/** A stack that answers until it is closed. */
export interface RunningStack {
  /** Where the HTTP API answers, without a slash at the end. */
  readonly url: string;
  /** Where the dashboard is, if there is one. */
  readonly dashboardUrl: string | undefined;
  /** Where the function URL answers, likewise. */
  readonly manageUrl: string;
  readonly accessKey: AccessKey;
  /** Who issues the tokens of operators, and for whom: the development login, unless the stack names another provider. */
  readonly issuer: string;
  readonly audience: string;
  readonly login: DevelopmentLogin | undefined;
  readonly tableName: string;
  readonly endpoint: string;
  readonly routes: readonly RouteModel[];
  readonly functions: ReadonlyMap<string, FunctionModel & LambdaFunction>;
  close(): Promise<void>;
}

/**
 * Runs a synthesized stack: creates its table, loads each function into a worker, and serves its HTTP API, its function
 * URL and, in place of its user pool, a development login.
 */
export async function runStack(options: RunStackOptions): Promise<RunningStack> {
  const { dynamodb, tableName } = options;
  const stack = readStack(options.assembly, options);
  const kept: Closable[] = [];
  const close = async () => void (await Promise.all(kept.map((each) => each.close())));
  try {
    await createTable(stack.table, dynamodb);
    const eventBus = await serveEventBus({ onEvent: (event) => logEvent(event, options) });
    kept.push(eventBus);
    const functions = startFunctions(stack, options, eventBus);
    kept.push(...functions.values());
    const doors = await openDoors({ ...options, stack, functions, kept, eventBus });
    await publishChanges(options, stack, functions, kept);
    await Promise.all([...functions.values()].map(({ loaded }) => loaded));
    return { ...doors, tableName, endpoint: dynamodb, routes: stack.routes, functions, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function logEvent(event: LocalEvent, { log, showsEvent = () => true }: RunStackOptions): void {
  if (showsEvent(event)) log?.(describeEvent(event));
}

interface Closable {
  close(): Promise<void>;
}

type Functions = RunningStack['functions'];

function startFunctions(
  { functions }: StackModel,
  { dynamodb, log }: RunStackOptions,
  { url: eventBus }: LocalEventBus,
): Functions {
  const options = { dynamodb, eventBus, log };
  return new Map(functions.map((model) => [model.logicalId, { ...model, ...startFunction(model, options) }]));
}

async function publishChanges(
  { dynamodb: endpoint, tableName, positionFile, log }: RunStackOptions,
  { eventSource: source }: StackModel,
  functions: Functions,
  kept: Closable[],
): Promise<void> {
  if (source === undefined) return;
  const invoke = async (event: unknown): Promise<Outcome> =>
    (await functions.get(source.functionId)?.invoke(event)) ?? { kind: 'failed' };
  kept.push(await pollStream({ endpoint, tableName, source, invoke, positionFile, log }));
}

interface DoorOptions extends RunStackOptions {
  readonly stack: StackModel;
  readonly functions: Functions;
  readonly eventBus: LocalEventBus;
  /** Takes what has to be closed in the end. */
  readonly kept: Closable[];
}

async function openDoors({ stack, functions, kept, eventBus, ...options }: DoorOptions) {
  const { accessKey = createAccessKey(), port = 0, managePort = 0, loginPort = 0, docs, log } = options;
  const { routes, functionUrl } = stack;
  const invoke = async (id: string, event: unknown): Promise<Outcome> =>
    (await functions.get(id)?.invoke(event)) ?? { kind: 'failed' };
  const keep = <T extends Closable>(door: T): T => {
    kept.push(door);
    return door;
  };
  const { issuer, audience } = findAuthorizer(routes);
  const login = issuer === undefined ? keep(await serveDevelopmentLogin({ port: loginPort, log })) : undefined;
  const dashboard = openSite(options.dashboard, issuer ?? login?.issuer, audience);
  const api = keep(
    await serveHttpApi({ routes, invoke, port, localIssuer: login?.issuer, eventBus, docs, dashboard, log }),
  );
  const invokeManage = (event: unknown) => invoke(functionUrl.functionId, event);
  const manage = keep(await serveFunctionUrl({ invoke: invokeManage, accessKey, port: managePort, log }));
  return {
    url: api.url,
    dashboardUrl: dashboard && `${api.url}/`,
    manageUrl: manage.url,
    accessKey,
    issuer: issuer ?? login?.issuer ?? '',
    audience,
    login,
  };
}

function openSite(folder: string | undefined, issuer = '', clientId = '') {
  if (folder === undefined) return undefined;
  return openDashboard(folder, { issuer, clientId, scope: `openid email profile ${manageScope}` });
}

function findAuthorizer(routes: readonly RouteModel[]) {
  const [authorizer] = routes.flatMap((route) => route.authorizer ?? []);
  const [audience] = authorizer?.audience ?? [];
  if (audience === undefined) throw new LocalError('The local run knows stacks with a JWT authorizer only.');
  return { issuer: authorizer?.issuer, audience };
}
