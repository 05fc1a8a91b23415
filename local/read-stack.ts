import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { LocalError } from './local-error.ts';
import { type EventSourceModel, readEventSources } from './read-event-source.ts';
import { readTable, type TableModel } from './read-table.ts';
import { readSchedules, type ScheduleModel } from './schedules.ts';
import { type LocalNames, localUserPool, openTemplate, parse, type TemplateResources } from './template-resources.ts';
import { readUserPools, type UserPoolModel } from './user-pools.ts';

/** The parts of the stack that the local run uses. */
export interface StackModel {
  readonly table: TableModel;
  readonly routes: readonly RouteModel[];
  readonly functionUrl: FunctionUrlModel;
  /** The readers of the table's stream. */
  readonly eventSources: readonly EventSourceModel[];
  /** The functions that are invoked at a rate. */
  readonly schedules: readonly ScheduleModel[];
  /** The user pools that invoke a function before their tokens. */
  readonly userPools: readonly UserPoolModel[];
  readonly functions: readonly FunctionModel[];
}

/** A function of the template. */
export interface FunctionModel {
  readonly logicalId: string;
  /** As in the template: `index.handler`. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The folder with the function's code, as uploaded by a deployment. */
  readonly codeFolder: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
}

/** A route of the HTTP API. */
export interface RouteModel {
  /** `GET /users/{userId}`, `ANY /files/{path+}` or `$default`. */
  readonly routeKey: string;
  /** The logical id of the function. */
  readonly functionId: string;
  /** Whether the route has an authorizer. */
  readonly isProtected: boolean;
  /** Absent for an authorizer that is not a JWT authorizer. */
  readonly authorizer?: AuthorizerModel | undefined;
}

/** The JWT authorizer of a route, with the scopes that the route requires. */
export interface AuthorizerModel {
  /** Absent for the stack's user pool. */
  readonly issuer?: string | undefined;
  readonly audience: readonly string[];
  /** A token must have one of them, unless the list is empty. */
  readonly scopes: readonly string[];
}

/** A function URL of auth type AWS_IAM. */
export interface FunctionUrlModel {
  /** The logical id of the function. */
  readonly functionId: string;
}

/**
 * Reads the stack from the folder of its assembly (`cdk.out`). The table's `Ref` becomes its local name; throws a
 * LocalError that names any unsupported resource.
 */
export function readStack(assembly: string, names: LocalNames): StackModel {
  const resources = openAssembly(assembly, names);
  const routes = resources.idsOf(['AWS::ApiGatewayV2::Route']).map((id) => readRoute(resources, id));
  const functionUrl = readFunctionUrl(resources);
  const eventSources = readEventSources(resources);
  const schedules = readSchedules(resources);
  const userPools = readUserPools(resources);
  const invoked = [...routes, functionUrl, ...eventSources, ...schedules, ...readEventTargets(resources)];
  const functionIds = withCalled(resources, [
    ...invoked.map(({ functionId }) => functionId),
    ...userPools.map(({ triggerFunctionId }) => triggerFunctionId),
  ]);
  return {
    table: readTable(resources, names.tableName),
    routes,
    functionUrl,
    eventSources,
    schedules,
    userPools,
    functions: readFunctions(assembly, resources, functionIds),
  };
}

/** The resources of the assembly's stack. */
export function openAssembly(assembly: string, names: LocalNames): TemplateResources {
  return openTemplate(readJson(findTemplate(assembly)), names);
}

/** Reads functions of the assembly's stack, including those that no request or event invokes locally. */
export function readFunctions(
  assembly: string,
  resources: TemplateResources,
  functionIds: readonly string[],
): FunctionModel[] {
  const assetsFile = findTemplate(assembly).replace(/template\.json$/, 'assets.json');
  const { files } = parse(assetsSchema, readJson(assetsFile), assetsFile);
  const folders = new Map(
    Object.values(files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, join(assembly, source.path)]),
    ),
  );
  return functionIds.map((id) => readFunction(resources, id, folders));
}

const assetsSchema = v.object({
  files: v.record(
    v.string(),
    v.object({
      source: v.object({ path: v.string() }),
      destinations: v.record(v.string(), v.object({ objectKey: v.string() })),
    }),
  ),
});

function findTemplate(assembly: string): string {
  const found = globSync('AuthService*.template.json', { cwd: assembly });
  const [name] = found;
  if (name === undefined || found.length > 1) {
    throw new LocalError(`${assembly} must contain one AuthService*.template.json, but contains ${found.length}.`);
  }
  return join(assembly, name);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const routeSchema = v.object({
  RouteKey: v.string(),
  Target: v.string(),
  AuthorizationType: v.optional(v.string(), 'NONE'),
  AuthorizerId: v.optional(v.string()),
  AuthorizationScopes: v.optional(v.array(v.string()), []),
});
const integrationSchema = v.object({ IntegrationUri: v.string(), PayloadFormatVersion: v.literal('2.0') });

function readRoute(resources: TemplateResources, id: string): RouteModel {
  const route = resources.read(id, routeSchema);
  const { IntegrationUri } = resources.read(route.Target.replace(/^integrations\//, ''), integrationSchema);
  const functionId = functionOf(IntegrationUri);
  if (functionId === undefined)
    throw new LocalError(`${id} is not a Lambda integration, which is all that the local run supports.`);
  const isProtected = route.AuthorizationType !== 'NONE';
  if (route.AuthorizationType !== 'JWT') return { routeKey: route.RouteKey, functionId, isProtected };
  const authorizer = readAuthorizer(resources, route.AuthorizerId ?? '', route.AuthorizationScopes);
  return { routeKey: route.RouteKey, functionId, isProtected, authorizer };
}

const authorizerSchema = v.object({
  AuthorizerType: v.literal('JWT'),
  IdentitySource: v.tuple([v.literal('$request.header.Authorization')]),
  JwtConfiguration: v.object({ Issuer: v.string(), Audience: v.array(v.string()) }),
});

function readAuthorizer(resources: TemplateResources, id: string, scopes: readonly string[]): AuthorizerModel {
  const { Issuer: issuer, Audience: audience } = resources.read(id, authorizerSchema).JwtConfiguration;
  return issuer === localUserPool.issuer ? { audience, scopes } : { issuer, audience, scopes };
}

const functionUrlSchema = v.object({ AuthType: v.literal('AWS_IAM'), TargetFunctionArn: v.string() });

function readFunctionUrl(resources: TemplateResources): FunctionUrlModel {
  const [id, ...others] = resources.idsOf(['AWS::Lambda::Url']);
  if (id === undefined || others.length > 0)
    throw new LocalError('The local run supports only stacks with one function URL.');
  const functionId = functionOf(resources.read(id, functionUrlSchema).TargetFunctionArn);
  if (functionId === undefined) throw new LocalError(`The local run cannot find the function of ${id}.`);
  return { functionId };
}

/** The logical id in the local ARN of a function or of its integration. */
function functionOf(arn: string): string | undefined {
  return /:function:([^:/]+)/.exec(arn)?.[1];
}

/** The defaults are CloudFormation's (AWS::Lambda::Function, `Timeout` and `MemorySize`). */
const functionSchema = v.object({
  Code: v.object({ S3Key: v.string() }),
  Handler: v.string(),
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Layers: v.optional(v.array(v.string()), []),
  Environment: v.optional(v.object({ Variables: v.optional(v.record(v.string(), v.string()), {}) }), {}),
});

const layerSchema = v.object({ Content: v.object({ S3Key: v.string() }) });

function readFunction(resources: TemplateResources, id: string, folders: Map<string, string>): FunctionModel {
  const properties = resources.read(id, functionSchema);
  const folderOf = (key: string) => {
    const folder = folders.get(key);
    if (folder === undefined) throw new LocalError(`The assembly has no asset ${key} for ${id}.`);
    return folder;
  };
  const codeFolder = folderOf(properties.Code.S3Key);
  const layers = properties.Layers.map((layer) => folderOf(resources.read(layer, layerSchema).Content.S3Key));
  return {
    logicalId: id,
    handler: properties.Handler,
    environment: withLayers(properties.Environment.Variables, layers),
    codeFolder,
    timeoutSeconds: properties.Timeout,
    memoryMegabytes: properties.MemorySize,
  };
}

/** Lambda has the files of layers in `/opt`; here the variables that name one name it where it is. */
function withLayers(variables: Readonly<Record<string, string>>, [layer]: readonly string[]): Record<string, string> {
  if (layer === undefined) return variables;
  return Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [name, text.replaceAll('/opt/', `${layer}/`)]),
  );
}

/** With the functions that these call, whose ARNs they have in their environment. */
function withCalled(resources: TemplateResources, functionIds: readonly string[]): string[] {
  const ids = new Set(functionIds);
  // Iterating over a set includes elements that are added during the iteration.
  for (const id of ids) {
    const { Variables = {} } = resources.read(id, functionSchema).Environment;
    for (const called of Object.values(Variables).flatMap((value) => functionOf(value) ?? [])) ids.add(called);
  }
  return [...ids];
}

const invokeConfigSchema = v.object({ FunctionName: v.string() });

/** The functions to which others hand events, as their configuration for asynchronous invocations shows. */
function readEventTargets(resources: TemplateResources): { readonly functionId: string }[] {
  return resources.idsOf(['AWS::Lambda::EventInvokeConfig']).map((id) => {
    return { functionId: resources.read(id, invokeConfigSchema).FunctionName };
  });
}
