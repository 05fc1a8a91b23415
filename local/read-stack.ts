import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  StreamViewType,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { LocalError } from './local-error.ts';
import { type EventSourceModel, readEventSource } from './read-event-source.ts';
import { type LocalNames, localUserPool, openTemplate, parse, type TemplateResources } from './template-resources.ts';

/** What the local run takes from the stack: its table, its routes, and the functions behind them. */
export interface StackModel {
  readonly table: TableModel;
  readonly routes: readonly RouteModel[];
  readonly functionUrl: FunctionUrlModel;
  /** What reads the table's stream, if anything does. */
  readonly eventSource?: EventSourceModel | undefined;
  readonly functions: readonly FunctionModel[];
}

/** The table in the words of DynamoDB's CreateTable. */
export interface TableModel {
  readonly tableName: string;
  readonly keySchema: KeySchemaElement[];
  readonly attributes: AttributeDefinition[];
  readonly indexes: GlobalSecondaryIndex[];
  readonly streamViewType?: StreamViewType | undefined;
  readonly ttlAttribute?: string | undefined;
}

/** A function as the template describes it, ready to be loaded. */
export interface FunctionModel {
  readonly logicalId: string;
  /** As in the template: `index.handler`. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The folder that AWS would get as the function's code. */
  readonly codeFolder: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
}

/** A route of the HTTP API. */
export interface RouteModel {
  /** `GET /users/{userId}`, `ANY /files/{path+}` or `$default`. */
  readonly routeKey: string;
  /** The logical id of the function that answers. */
  readonly functionId: string;
  /** Whether an authorizer stands before it. */
  readonly isProtected: boolean;
  /** Absent for one of another type than JWT. */
  readonly authorizer?: AuthorizerModel | undefined;
}

/** The JWT authorizer of a route, with what the route demands of a token. */
export interface AuthorizerModel {
  /** Absent for the stack's own user pool. */
  readonly issuer?: string | undefined;
  readonly audience: readonly string[];
  /** A token must hold one of them, if there are any. */
  readonly scopes: readonly string[];
}

/** A function URL of auth type AWS_IAM. */
export interface FunctionUrlModel {
  /** The logical id of the function that answers. */
  readonly functionId: string;
}

/**
 * Reads the stack that a synthesis wrote into a folder (`cdk.out`). The table's `Ref` becomes its local name, a KMS
 * key's ARN `local:<root>`; what the local run needs and does not know is a LocalError that names it.
 */
export function readStack(assembly: string, names: LocalNames): StackModel {
  const templateFile = findTemplate(assembly);
  const resources = openTemplate(readJson(templateFile), names);
  const assetsFile = templateFile.replace(/template\.json$/, 'assets.json');
  const { files } = parse(assetsSchema, readJson(assetsFile), assetsFile);
  const folders = new Map(
    Object.values(files).flatMap(({ source, destinations }) =>
      Object.values(destinations).map(({ objectKey }) => [objectKey, join(assembly, source.path)]),
    ),
  );
  const routes = resources.idsOf(['AWS::ApiGatewayV2::Route']).map((id) => readRoute(resources, id));
  const functionUrl = readFunctionUrl(resources);
  const eventSource = readEventSource(resources);
  const invoked = [...routes, functionUrl, ...(eventSource === undefined ? [] : [eventSource])];
  const functionIds = [...new Set(invoked.map(({ functionId }) => functionId))];
  return {
    table: readTable(resources, names.tableName),
    routes,
    functionUrl,
    eventSource,
    functions: functionIds.map((id) => readFunction(resources, id, folders)),
  };
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
    throw new LocalError(`${assembly} must hold one AuthService*.template.json, but holds ${found.length}.`);
  }
  return join(assembly, name);
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

const keySchema = v.array(v.object({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }));

const tableSchema = v.object({
  KeySchema: keySchema,
  AttributeDefinitions: v.array(v.object({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: v.optional(
    v.array(
      v.object({
        IndexName: v.string(),
        KeySchema: keySchema,
        Projection: v.object({
          ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: v.optional(v.array(v.string())),
        }),
      }),
    ),
    [],
  ),
  StreamSpecification: v.optional(
    v.object({ StreamViewType: v.picklist(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']) }),
  ),
  TimeToLiveSpecification: v.optional(v.object({ AttributeName: v.string(), Enabled: v.boolean() })),
});

/** TableV2 of the CDK makes a GlobalTable, its older Table a Table; the properties read here are alike. */
function readTable(resources: TemplateResources, tableName: string): TableModel {
  const [id, ...others] = resources.idsOf(['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table']);
  if (id === undefined || others.length > 0) throw new LocalError('The local run knows stacks with one table only.');
  const table = resources.read(id, tableSchema);
  const ttl = table.TimeToLiveSpecification;
  return {
    tableName,
    keySchema: table.KeySchema,
    attributes: table.AttributeDefinitions,
    indexes: table.GlobalSecondaryIndexes,
    streamViewType: table.StreamSpecification?.StreamViewType,
    ttlAttribute: ttl?.Enabled ? ttl.AttributeName : undefined,
  };
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
  if (functionId === undefined) throw new LocalError(`The local run knows Lambda integrations only, unlike ${id}.`);
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
    throw new LocalError('The local run knows stacks with one function URL only.');
  const functionId = functionOf(resources.read(id, functionUrlSchema).TargetFunctionArn);
  if (functionId === undefined) throw new LocalError(`The local run does not know the function of ${id}.`);
  return { functionId };
}

/** The logical id in the ARN that a function has on this machine, or in that of its integration. */
function functionOf(arn: string): string | undefined {
  return /:function:([^:/]+)/.exec(arn)?.[1];
}

/** The defaults are CloudFormation's (AWS::Lambda::Function, `Timeout` and `MemorySize`). */
const functionSchema = v.object({
  Code: v.object({ S3Key: v.string() }),
  Handler: v.string(),
  Timeout: v.optional(v.number(), 3),
  MemorySize: v.optional(v.number(), 128),
  Environment: v.optional(v.object({ Variables: v.optional(v.record(v.string(), v.string()), {}) }), {}),
});

function readFunction(resources: TemplateResources, id: string, folders: Map<string, string>): FunctionModel {
  const properties = resources.read(id, functionSchema);
  const codeFolder = folders.get(properties.Code.S3Key);
  if (codeFolder === undefined) throw new LocalError(`The assembly has no asset ${properties.Code.S3Key} for ${id}.`);
  return {
    logicalId: id,
    handler: properties.Handler,
    environment: properties.Environment.Variables,
    codeFolder,
    timeoutSeconds: properties.Timeout,
    memoryMegabytes: properties.MemorySize,
  };
}
