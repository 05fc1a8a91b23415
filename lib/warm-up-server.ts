import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scopes } from '#shared/contract/operation.ts';
import { warmUpKey, warmUpRoot } from './warm-up-request.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** Plays DynamoDB, KMS and EventBridge for a function's first request. */
export async function startWarmUpServer(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const answer = warmUpAnswer(String(request.headers['x-amz-target']), JSON.parse(Buffer.concat(chunks).toString()));
    response.setHeader('content-type', 'application/x-amz-json-1.0').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What a function finds in its environment, with all of AWS at one address. */
export function warmUpEnvironment(url: string): Record<string, string> {
  return {
    TABLE_NAME: 'warm-up',
    ROOT_KEYS: 'k1=arn:aws:kms:eu-west-1:111122223333:key/warm-up',
    EVENT_BUS_NAME: 'warm-up',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'warm-up',
    AWS_SECRET_ACCESS_KEY: 'warm-up',
    AWS_LAMBDA_FUNCTION_NAME: 'warm-up',
    AWS_ENDPOINT_URL: url,
  };
}

/** The answer to one request of the SDK: an application with a key, a role and an active user without access of his own. */
export function warmUpAnswer(target: string, input: Attributes): object {
  const [, operation] = target.split('.');
  switch (operation) {
    case 'GenerateMac':
      return { Mac: warmUpRoot.toString('base64') };
    case 'BatchGetItem':
      return { Responses: found(input.RequestItems as Record<string, { Keys: Key[] }>), UnprocessedKeys: {} };
    case 'Query':
      return { Items: [], Count: 0, ScannedCount: 0 };
    case 'PutEvents':
      return { FailedEntryCount: 0, Entries: [{ EventId: 'warm-up' }] };
    default:
      return {};
  }
}

interface Key {
  readonly pk: { readonly S: string };
  readonly sk: { readonly S: string };
}

function found(asked: Record<string, { Keys: Key[] }>) {
  return Object.fromEntries(Object.entries(asked).map(([table, { Keys }]) => [table, Keys.flatMap(itemsAt)]));
}

function itemsAt({ pk, sk }: Key) {
  return warmUpItems.filter((item) => item.pk.S === pk.S && item.sk.S === sk.S);
}

const moment = { S: '2026-01-01T00:00:00.000Z' };
const times = { version: { N: '1' }, createdAt: moment, updatedAt: moment };
const nothing = { NULL: true };
const allScopes = { L: scopes.map((scope) => ({ S: scope })) };
const keyState = { scopes: allScopes, createdAt: moment, expiresAt: nothing, revokedAt: nothing };

/** The table of a warm-up; `shared/table/` has the items. */
export const warmUpItems = [
  {
    ...{ pk: { S: 'APP#billing' }, sk: { S: 'APP' } },
    ...{ appId: { S: 'billing' }, name: { S: 'Billing' }, keys: { M: { [warmUpKey.keyId]: { M: keyState } } } },
    ...times,
  },
  {
    ...{ pk: { S: 'USER#ada' }, sk: { S: 'USER' } },
    ...{ userId: { S: 'ada' }, status: { S: 'active' }, displayName: nothing, email: nothing },
    ...times,
  },
  {
    ...{ pk: { S: 'APP#billing' }, sk: { S: 'ROLE#editor' } },
    ...{ appId: { S: 'billing' }, role: { S: 'editor' }, description: nothing },
    ...times,
  },
];
