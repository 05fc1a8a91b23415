import { join } from 'node:path';
import type { ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { routeKeyOf } from '#shared/contract/bearer-endpoint.ts';
import { changeKeysRoute } from '#shared/contract/change-keys.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { type Scope, scopes } from '#shared/contract/operation.ts';
import { serviceOperations } from '#shared/contract/operations.ts';
import { functionFiles, projectDirectory } from '../../lib/functions/function-files.ts';
import { bearerEndpoints, publicPaths } from '../../lib/options/endpoint-sets.ts';
import { createTable } from '../../local/create-table.ts';
import { type DevelopmentLogin, serveDevelopmentLogin } from '../../local/development-login.ts';
import { findEmulator, startDynamodb } from '../../local/dynamodb-process.ts';
import { serveFunctionUrl } from '../../local/function-url.ts';
import { serveHttpApi } from '../../local/http-api.ts';
import type { Outcome } from '../../local/lambda-function.ts';
import { type AccessKey, createAccessKey } from '../../local/local-credentials.ts';
import { readStack } from '../../local/read-stack.ts';
import { runStack } from '../../local/run-stack.ts';
import type { DocsFiles } from '../../local/static-files.ts';
import { placeholderSignature } from '../../local/stream-client.ts';
import { awkwardUserIds } from './awkward-user-ids.ts';
import { withoutSettling } from './environments.ts';
import { guardSources } from './guard-sources.ts';
import { runRoot } from './run-root.ts';
import { type Answer, type Key, type RequestOptions, sendSigned } from './send-request.ts';

const assembly = process.env.TEST_ASSEMBLY ?? '';
const tableName = process.env.TABLE_NAME ?? '';

/**
 * `billing` with roles and a key of all scopes, `wiki` with a role and a key; users ada, grace, alan and some with unusual
 * ids.
 */
export interface TestService {
  readonly url: string;
  /** The function URL of the Management API, and the credentials for it. */
  readonly manageUrl: string;
  readonly accessKey: AccessKey;
  /** The issuer of tokens for the Management API at `url`. */
  readonly login: DevelopmentLogin;
  readonly endpoint: string;
  readonly billingKey: Key;
  readonly wikiKey: Key;
  /** The lines that the service logged; empty if it runs from its sources. */
  readonly logLines: readonly string[];
  /** Sends a request signed with the key of `billing`, unless another key is given. */
  request(
    request: readonly [method: string, target: string],
    options?: RequestOptions & { key?: Key },
  ): Promise<Answer>;
  /** Issues a key of an application. */
  issueKey(appId: string, allowed: readonly Scope[], expiresAt?: string): Promise<Key>;
  /**
   * Returns all items of the table by their keys. Includes only on demand what is written next to or after a request:
   * the last uses of keys, and what follows the stream: the feeds, which keep the ids of changes for 30 days, the
   * overview, and what the provider of logins is still to be told.
   */
  items(options?: {
    readonly keyUses?: boolean;
    readonly feeds?: boolean;
  }): Promise<Map<string, Record<string, unknown>>>;
  stop(): Promise<void>;
}

/** Starts the deployed bundles in workers behind the local gateway, with a table in memory. */
export async function startBundles(docs?: DocsFiles): Promise<TestService> {
  // Mutation testing cannot reach into the bundles.
  if (process.env.TEST_SOURCES !== undefined) return startSources();
  const { stop, ...where } = await startEmptyBundles(docs);
  return seedService(where, [stop]);
}

/** Starts the same with an empty table. */
export async function startEmptyBundles(docs?: DocsFiles): Promise<Where & Pick<TestService, 'stop'>> {
  const logLines: string[] = [];
  const dynamodb = await startEmulator();
  const stack = await runStack({
    assembly,
    dynamodb: dynamodb.endpoint,
    tableName,
    root: runRoot,
    docs,
    environment: withoutSettling,
    log: (line) => logLines.push(line),
  });
  const { url, manageUrl, accessKey, login } = stack;
  if (login === undefined) throw new Error('The stack of the tests has a user pool of its own');
  const stop = async () => {
    await stack.close();
    await dynamodb.stop();
  };
  return { url, manageUrl, accessKey, login, endpoint: dynamodb.endpoint, logLines, stop };
}

/**
 * Starts the same handlers from their sources in this process, so that a test can reach their SDK client and clock. Each
 * runs under the policies of its function.
 */
export async function startSources(): Promise<TestService> {
  const dynamodb = await startEmulator();
  const { table, routes } = readStack(assembly, { tableName });
  await createTable(table, dynamodb.endpoint);
  const login = await serveDevelopmentLogin({ port: 0 });
  process.env.OPERATOR_ISSUER = login.issuer;
  const policies = guardSources(assembly, tableName);
  const invokeSource = (name: string, event: unknown) => policies.run(name, () => runHandler(name, event));
  const invoke = (_: string, event: APIGatewayProxyEventV2) => invokeSource(functionOf(event), event);
  const api = await serveHttpApi({ routes, port: 0, localIssuer: login.issuer, invoke });
  const accessKey = createAccessKey();
  const manage = await serveFunctionUrl({ accessKey, port: 0, invoke: (event) => invokeSource('manage', event) });
  return seedService(
    { url: api.url, manageUrl: manage.url, accessKey, login, endpoint: dynamodb.endpoint, logLines: [] },
    [api.close, manage.close, login.close, dynamodb.stop, policies.stop],
  );
}

/** Starts a table in memory, which the code in this process also uses. */
export async function startEmulator() {
  const fail = (error: Error) => {
    throw error;
  };
  // That a table in memory takes its place is said once, when the run starts.
  const log = findEmulator() === undefined ? () => undefined : console.error;
  const dynamodb = await startDynamodb({ log, onGiveUp: fail });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamodb.endpoint;
  return dynamodb;
}

function functionOf({ routeKey }: APIGatewayProxyEventV2): string {
  if (routeKey === 'ANY /api/manage/{proxy+}') return 'manage';
  if (routeKey === changeKeysRoute) return 'list-changes';
  const publicPath = publicPaths.find(({ path }) => routeKey === `GET ${path}`);
  if (publicPath !== undefined) return publicPath.servedBy;
  const endpoint = bearerEndpoints.find(({ routes }) => routes.some((route) => routeKey === routeKeyOf(route)));
  const otherEndpoint = endpoint?.routes.find((route) => routeKey === routeKeyOf(route))?.servedBy;
  const operation = Object.values(serviceOperations).find(({ method, path }) => routeKey === `${method} ${path}`);
  return otherEndpoint ?? (endpoint ?? operation)?.name ?? 'refuse-unknown-route';
}

async function runHandler(name: string, event: unknown): Promise<Outcome> {
  const { handler } = await import(join(projectDirectory, functionFiles.get(name) ?? name));
  // The time-outs of the stack.
  const left = name === 'manage' ? 29_000 : 12_000;
  const context = { awsRequestId: 'test', invokedFunctionArn: '', getRemainingTimeInMillis: () => left };
  return { kind: 'result', json: JSON.stringify(await handler(event, context)) };
}

type Where = Pick<TestService, 'url' | 'manageUrl' | 'accessKey' | 'login' | 'endpoint' | 'logLines'>;

/** Fills the table of a running service with the seed; `stop` runs the given stops in order. */
export async function seedService(where: Where, stops: readonly (() => Promise<void>)[]): Promise<TestService> {
  await seed();
  const billingKey = await issueKey('billing', scopes);
  const wikiKey = await issueKey('wiki', scopes);
  return {
    ...where,
    billingKey,
    wikiKey,
    issueKey,
    request: (request, { key = billingKey, ...options } = {}) => sendSigned(where.url, key, request, options),
    items: async ({ keyUses = false, feeds = false } = {}) => {
      const isShown = (key: string) =>
        (keyUses || !key.includes(' KEYUSE#')) && (feeds || !/^(?:FEED#|OVERVIEW |LOGINS )/.test(key));
      return new Map([...(await scanAll(where.endpoint))].filter(([key]) => isShown(key)));
    },
    stop: async () => {
      for (const stop of stops) await stop();
    },
  };
}

export const operator = {
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'test' },
  requestId: 'test',
  sourceIp: '127.0.0.1',
} as const;

async function seed(): Promise<void> {
  const { createApplication } = await import('#shared/domain/application/applications.ts');
  const { defineRole } = await import('#shared/domain/role/define-role.ts');
  const { createUser } = await import('#shared/domain/user/users.ts');
  for (const [id, roles] of [
    ['billing', ['viewer', 'editor', 'constructor']] as const,
    ['wiki', ['editor']] as const,
  ]) {
    await createApplication({ appId: id as AppId, name: id }, operator);
    for (const role of roles)
      await defineRole({ appId: id as AppId, role: role as RoleName, description: null }, operator);
  }
  for (const userId of ['ada', 'grace', 'alan', ...awkwardUserIds]) {
    await createUser(
      {
        userId: userId as UserId,
        displayName: null,
        email: `${userId.replace(/@.*|[^A-Za-z0-9]+/g, '-')}@example.com`,
      },
      operator,
    );
  }
}

async function issueKey(appId: string, allowed: readonly Scope[], expiresAt: string | null = null): Promise<Key> {
  const { issueKey: issue } = await import('#shared/domain/api-key/manage-keys.ts');
  const { keyId, secret } = await issue({ appId: appId as AppId, scopes: allowed, expiresAt }, operator);
  return { keyId, secret };
}

/** Without the SDK, whose conversions take most of the time: many tests compare the whole table before and after a request. */
async function scanAll(endpoint: string): Promise<Map<string, Record<string, unknown>>> {
  const found = new Map<string, Record<string, unknown>>();
  let start: object | undefined;
  do {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.Scan',
        ...placeholderSignature,
      },
      body: JSON.stringify({ TableName: tableName, ExclusiveStartKey: start }),
    });
    const page = (await response.json()) as Pick<ScanCommandOutput, 'Items' | 'LastEvaluatedKey'>;
    if (page.Items === undefined) throw new Error(`The table was not read: ${JSON.stringify(page)}`);
    for (const item of page.Items.map((each) => unmarshall(each))) found.set(`${item.pk} ${item.sk}`, item);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return found;
}
