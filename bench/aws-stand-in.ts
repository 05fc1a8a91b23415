import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { marshall } from '@aws-sdk/util-dynamodb';
import { exampleRequest } from '#shared/contract/documents.ts';
import type { OperationRequest } from '#shared/contract/operation.ts';
import {
  type ServiceOperationName,
  type ServiceOperations,
  type ServiceWriteName,
  serviceOperations,
} from '#shared/contract/operations.ts';
import { root } from './bench-environment.ts';
import { webhooksOf } from './connected-items.ts';
import { type HttpInvocation, invokeService } from './create-events.ts';
import { appIdAt, benchKey, benchKeyOf, itemsOf, userIdAt } from './populations.ts';
import { createSelfSigned } from './self-signed.ts';

const tableName = 'bench';
const users = 100;
const [holder, other] = [userIdAt(0), userIdAt(users - 1)];
const numbers = { users, accesses: users - 1, applications: 2, keysPerApplication: 1, rolesPerUser: 1 };
const population = { ...numbers, connected: true };
/** Has a webhook, so that the other application is read as without one. */
const notified = appIdAt(1);
const webhooks = webhooksOf({ standard: 'https://billing.example.com/hooks/access' });
const items = new Map(
  [...itemsOf(population)]
    .map((item) => (item.appId === notified ? { ...item, webhooks } : item))
    .map((item) => [`${item.pk} ${item.sk}`, marshall(item)]),
);
const userIds = Array.from({ length: users }, (_, at) => userIdAt(at));
const role = 'role-000';

type Requests = { readonly [Name in ServiceOperationName]?: OperationRequest<ServiceOperations[Name]> };

/**
 * The requests of writes, each of which changes something, and a check of all users. The other operations are invoked with
 * their examples.
 */
const requests: Requests & Required<Pick<Requests, ServiceWriteName>> = {
  'set-access': { path: { userId: holder }, body: { status: 'disabled' } },
  // The last user has no role.
  'assign-role': { path: { userId: other }, body: { role } },
  'revoke-role': { path: { userId: holder }, query: { role } },
  'check-access': { body: { userIds } },
  'set-own-webhook': { path: { webhookId: 'new' }, body: { url: 'https://billing.example.com/hooks' } },
  'rotate-own-webhook-secret': { path: { webhookId: 'standard' }, body: { overlap: 'PT0S' } },
  'delete-own-webhook': { path: { webhookId: 'standard' } },
};

/** A signed request that succeeds with the stand-in's answers. */
export function invokeEndpoint<Name extends ServiceOperationName>(name: Name): HttpInvocation {
  const { [name]: request }: Requests = requests;
  const operation: ServiceOperations[Name] = serviceOperations[name];
  const key = operation.path.startsWith('/api/service/webhooks') ? benchKeyOf(notified) : benchKey;
  return invokeService(name, request ?? exampleRequest(operation, holder), key);
}

/** A function's environment when all of AWS is at one address. */
export function awsEnvironment(url: string): Record<string, string> {
  return {
    TABLE_NAME: tableName,
    POWERTOOLS_SERVICE_NAME: 'auth-service',
    POWERTOOLS_METRICS_NAMESPACE: 'AuthService',
    WEBHOOK_FORMATS: 'standard',
    ROOT_KEYS: 'k1=arn:aws:kms:eu-west-1:111122223333:key/bench',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_LAMBDA_FUNCTION_NAME: 'bench',
    AWS_ENDPOINT_URL: url,
    // The certificate is self-signed, for this run.
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NODE_NO_WARNINGS: '1',
  };
}

/** The answer of KMS or DynamoDB to one request of the SDK. */
export function answerAws(target: string, input: Readonly<Record<string, unknown>>): object {
  const [, operation] = target.split('.');
  if (operation === 'GenerateMac') return { Mac: root.toString('base64') };
  if (operation === 'Query' || operation === 'Scan') return { Items: [], Count: 0, ScannedCount: 0 };
  if (operation === 'BatchGetItem') return { Responses: found(input), UnprocessedKeys: {} };
  return {};
}

interface Key {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
}

function found({ RequestItems }: Readonly<Record<string, unknown>>) {
  const { [tableName]: { Keys } = { Keys: [] } } = RequestItems as Record<string, { Keys: Key[] }>;
  return {
    [tableName]: Keys.map(({ pk, sk }) => items.get(`${pk.S} ${sk.S}`)).filter((item) => item !== undefined),
  };
}

/** The stand-in in its own process. */
export interface AwsStandIn {
  readonly url: string;
  close(): void;
}

/**
 * Serves these answers over TLS on loopback, because production uses TLS and over plain HTTP the SDK loads another part of
 * Node. It runs on the last processor and leaves the first to the measured process.
 */
export async function startAwsStandIn(): Promise<AwsStandIn> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', import.meta.filename];
  const child = spawn('taskset', ['-c', String(cpus().length - 1), ...command], {
    env: process.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { url: `https://127.0.0.1:${String(port).trim()}`, close: () => child.stdin.end() };
}

if (process.argv[1] === import.meta.filename) serve();

function serve(): void {
  const server = createServer(createSelfSigned('127.0.0.1'), async (request, response) => {
    const input = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = JSON.stringify(answerAws(String(request.headers['x-amz-target']), input));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': answer.length });
    response.end(answer);
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
  // Ends when the bench does, even if the bench is killed.
  process.stdin.on('close', () => process.exit()).resume();
}
