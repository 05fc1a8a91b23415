import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as localParts from '#options/local.ts';
import { manageScope } from '#shared/contract/operation.ts';
import { serviceVersion } from '../lib/operators/dashboard-delivery.ts';
import { createTable } from './create-table.ts';
import { type DevelopmentLogin, serveDevelopmentLogin } from './development-login.ts';
import { describeEvent, type LocalEvent, type LocalEventBus, serveEventBus } from './eventbridge.ts';
import { type LocalFunctionService, serveFunctions } from './function-service.ts';
import { serveFunctionUrl } from './function-url.ts';
import { serveHttpApi } from './http-api.ts';
import { createCallGuard } from './iam/guard-calls.ts';
import { type FunctionPolicies, readPolicies } from './iam/read-policies.ts';
import { type LocalKeyService, serveKeyService } from './key-service.ts';
import { createFunction, type LambdaFunction, type Outcome } from './lambda-function.ts';
import { type AccessKey, createAccessKey } from './local-credentials.ts';
import { LocalError } from './local-error.ts';
import type { LocalPart, PartContext, RunningPart } from './local-part.ts';
import { pollStream } from './poll-stream.ts';
import { type FunctionModel, openAssembly, type RouteModel, readStack, type StackModel } from './read-stack.ts';
import { runSchedules } from './schedules.ts';
import type { DocsFiles } from './static-files.ts';
import { openDashboard } from './static-files.ts';
import { StreamTrimmer } from './stream-records.ts';
import { localUserPool } from './template-resources.ts';

/** The stack to run, its DynamoDB, ports and secrets. */
export interface RunStackOptions {
  /** The folder of the synthesized stack. */
  readonly assembly: string;
  /** The DynamoDB endpoint; several runs can share it, each with its own table. */
  readonly dynamodb: string;
  readonly tableName: string;
  /** 32 bytes in base64, which the key service answers as the MAC of every key. */
  readonly root: string;
  /** The key pair for requests to the function URL. Default: a new one. */
  readonly accessKey?: AccessKey | undefined;
  /** The ports of the HTTP API, the function URL and the development login. Default: any free ports. */
  readonly port?: number | undefined;
  readonly managePort?: number | undefined;
  readonly loginPort?: number | undefined;
  /** The ports of what options run, by their variables. Default: any free ports. */
  readonly partPorts?: PartContext['ports'] | undefined;
  /** The folder for the files of what options run. Default: nothing of theirs is kept. */
  readonly folder?: string | undefined;
  /** The folder of the built dashboard, served at `/` of the HTTP API. Default: none. */
  readonly dashboard?: string | undefined;
  /** The documentation site, served below `/docs` of the HTTP API. Default: none. */
  readonly docs?: DocsFiles | undefined;
  /** Variables of the functions in addition to those of the stack. Default: none. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Stores the stream position of each reader. Default: each run reads the whole stream again. */
  readonly positionFolder?: string | undefined;
  /** The emulator's file, from which processed stream records are deleted. Default: they are kept. */
  readonly databaseFile?: string | undefined;
  /** Until this is true, both APIs refuse all requests; see `setupUrl`. Default: from the beginning. */
  readonly isReady?: (() => boolean) | undefined;
  /** Receives a line for each request and event, and the lines that the functions write. */
  readonly log?: ((line: string) => void) | undefined;
  /** Whether to log an event. Default: all. */
  readonly logsEvent?: ((event: LocalEvent) => boolean) | undefined;
}

/** A running stack. */
export interface RunningStack {
  /** The URL of the HTTP API, without a trailing slash. */
  readonly url: string;
  /** The URL of the dashboard, if there is one. */
  readonly dashboardUrl: string | undefined;
  /** The function URL, without a trailing slash. */
  readonly manageUrl: string;
  /** The same at an address that nobody else knows, for what must be there before the stack is ready. */
  readonly setupUrl: string;
  readonly accessKey: AccessKey;
  /** Issuer and audience of the operators' tokens: the development login's, unless the stack names another provider. */
  readonly issuer: string;
  readonly audience: string;
  readonly login: DevelopmentLogin | undefined;
  readonly tableName: string;
  readonly endpoint: string;
  readonly functions: ReadonlyMap<string, FunctionModel & LambdaFunction>;
  /** What options run beside the stack. */
  readonly parts: readonly RunningPart[];
  close(): Promise<void>;
}

/**
 * Runs a synthesized stack: creates its table, runs each function in a worker from its first invocation, and serves its
 * HTTP API, its function URL and a development login in place of its user pool. Everything is read from the template: there is no
 * second route table and no second schema of the table.
 */
export async function runStack(options: RunStackOptions): Promise<RunningStack> {
  const { dynamodb, tableName } = options;
  const stack = readStack(options.assembly, options);
  const policies = readCallPolicies(options);
  const closables: Closable[] = [];
  const close = async () => void (await Promise.all(closables.map((each) => each.close())));
  try {
    await createTable(stack.table, dynamodb);
    const eventBus = await serveEventBus({ onEvent: (event) => logEvent(event, options) });
    closables.push(eventBus);
    const keyService = await serveKeyService(options);
    closables.push(keyService);
    const login = await serveLogin(stack, options);
    if (login !== undefined) closables.push(login);
    const invoke: Invoke = async (id, event) => (await functions.get(id)?.invoke(event)) ?? { kind: 'failed' };
    const lambda = await serveFunctions(invoke);
    closables.push(lambda);
    const parts = await startParts({ stack, invoke, ...options }, closables);
    const functions = createFunctions(stack, options, { policies, eventBus, keyService, lambda, login, parts });
    closables.push(...functions.values());
    closables.push(runSchedules(stack.schedules, invoke));
    const endpoints = await serveEndpoints({ ...options, stack, functions, invoke, closables, eventBus, login });
    for (const { environment } of functions.values()) withAddress(environment, endpoints.url);
    await readStream(options, stack, invoke, closables);
    return { ...endpoints, tableName, endpoint: dynamodb, functions, parts, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function logEvent(event: LocalEvent, { log, logsEvent = () => true }: RunStackOptions): void {
  if (logsEvent(event)) log?.(describeEvent(event));
}

interface Closable {
  close(): Promise<void>;
}

type Functions = RunningStack['functions'];
/** Invokes a function by its logical id. */
type Invoke = (id: string, event: unknown) => Promise<Outcome>;

const allParts: readonly LocalPart[] = Object.values(localParts);

/** One after the other, so that each that is started can be closed if another fails. */
async function startParts(
  { partPorts = {}, ...context }: Omit<PartContext, 'ports'> & Pick<RunStackOptions, 'partPorts'>,
  closables: Closable[],
): Promise<RunningPart[]> {
  const parts: RunningPart[] = [];
  for (const part of allParts) {
    const running = await part.start({ ...context, ports: partPorts });
    if (running === undefined) continue;
    closables.push(running);
    parts.push(running);
  }
  return parts;
}

/** The development login, unless the stack names another provider. */
async function serveLogin(
  { routes }: StackModel,
  { loginPort = 0, log }: RunStackOptions,
): Promise<DevelopmentLogin | undefined> {
  return findAuthorizer(routes).issuer === undefined
    ? await serveDevelopmentLogin({ port: loginPort, log })
    : undefined;
}

/** The policies of each function. One that cannot be evaluated must prevent the start, not fail the first call. */
function readCallPolicies({ assembly, tableName }: RunStackOptions): ReadonlyMap<string, FunctionPolicies> {
  const policies = readPolicies(openAssembly(assembly, { tableName }), tableName);
  for (const each of policies.values()) createCallGuard(each);
  return policies;
}

interface Neighbours {
  readonly policies: ReadonlyMap<string, FunctionPolicies>;
  readonly eventBus: LocalEventBus;
  readonly keyService: LocalKeyService;
  readonly lambda: LocalFunctionService;
  readonly login: DevelopmentLogin | undefined;
  readonly parts: readonly RunningPart[];
}

function createFunctions(
  { functions }: StackModel,
  { dynamodb, log, ...given }: RunStackOptions,
  { policies, eventBus, keyService, lambda, login, parts }: Neighbours,
): Functions {
  const environment = Object.assign({}, ...parts.map((part) => part.environment), given.environment);
  const issuers: Record<string, string> = Object.assign({}, ...parts.map((part) => part.issuers));
  if (login !== undefined) issuers[localUserPool.issuer] = login.issuer;
  const options = { dynamodb, eventBus: eventBus.url, kms: keyService.url, lambda: lambda.url, log, environment };
  return new Map(
    functions.map((template) => {
      const model = { ...template, environment: withIssuers(template.environment, issuers) };
      const own = policies.get(model.logicalId);
      if (own === undefined) throw new LocalError(`The local run has no policies for ${model.logicalId}.`);
      const started = createFunction(model, { ...options, policies: own });
      return [model.logicalId, { ...model, ...started }];
    }),
  );
}

/** Replaces API Gateway's address, before the first invocation. */
function withAddress(environment: Record<string, string>, url: string): void {
  if ('API_URL' in environment) environment.API_URL = `${url}/`;
}

/** Replaces the user pools in the template by the issuers that the tokens of this machine name. */
function withIssuers(environment: FunctionModel['environment'], issuers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, issuers[value] ?? value]));
}

async function readStream(
  { dynamodb: endpoint, tableName, positionFolder, databaseFile: file, log }: RunStackOptions,
  { eventSources }: StackModel,
  invoke: Invoke,
  closables: Closable[],
): Promise<void> {
  if (positionFolder !== undefined) await mkdir(positionFolder, { recursive: true });
  const trimmer =
    file === undefined ? undefined : new StreamTrimmer({ file, tableName, readers: eventSources.length, log });
  for (const source of eventSources) {
    const positionFile = positionFolder === undefined ? undefined : join(positionFolder, `${source.functionId}.json`);
    closables.push(
      await pollStream({
        endpoint,
        tableName,
        source,
        invoke: (event) => invoke(source.functionId, event),
        positionFile,
        trimmer,
        log,
      }),
    );
  }
}

interface EndpointOptions extends RunStackOptions {
  readonly stack: StackModel;
  readonly functions: Functions;
  readonly invoke: Invoke;
  readonly eventBus: LocalEventBus;
  readonly login: DevelopmentLogin | undefined;
  /** Registers resources for `close`. */
  readonly closables: Closable[];
}

async function serveEndpoints({ stack, functions, invoke, closables, eventBus, login, ...options }: EndpointOptions) {
  const { accessKey = createAccessKey(), port = 0, managePort = 0, docs, isReady, log } = options;
  const { routes, functionUrl } = stack;
  const register = <T extends Closable>(closable: T): T => {
    closables.push(closable);
    return closable;
  };
  const { issuer, audience } = findAuthorizer(routes);
  const dashboard = openSite(options.dashboard, issuer ?? login?.issuer, audience);
  const api = register(
    await serveHttpApi({ routes, invoke, port, localIssuer: login?.issuer, eventBus, docs, dashboard, isReady, log }),
  );
  const invokeManage = (event: unknown) => invoke(functionUrl.functionId, event);
  const manage = register(await serveFunctionUrl({ invoke: invokeManage, accessKey, port: managePort, isReady, log }));
  const setup = isReady && register(await serveFunctionUrl({ invoke: invokeManage, accessKey, port: 0, log }));
  return {
    url: api.url,
    dashboardUrl: dashboard && `${api.url}/`,
    manageUrl: manage.url,
    setupUrl: (setup ?? manage).url,
    accessKey,
    issuer: issuer ?? login?.issuer ?? '',
    audience,
    login,
  };
}

function openSite(folder: string | undefined, issuer = '', clientId = '') {
  if (folder === undefined) return undefined;
  const deployed = { stage: 'local', version: serviceVersion };
  return openDashboard(folder, { issuer, clientId, scope: `openid email profile ${manageScope}`, ...deployed });
}

function findAuthorizer(routes: readonly RouteModel[]) {
  const [authorizer] = routes.flatMap((route) => route.authorizer ?? []);
  const [audience] = authorizer?.audience ?? [];
  if (audience === undefined) throw new LocalError('The local run requires a stack with a JWT authorizer.');
  return { issuer: authorizer?.issuer, audience };
}
