import { createSecretKey } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { deriveSecret, formatKeyId } from '#shared/keys/key-id.ts';
import { root, tableName } from '../../bench/bench-environment.ts';
import { invokeService } from '../../bench/create-events.ts';
import { storedKey } from './stored-items.ts';
import { accessItem, applicationItem, userItem } from './table-items.ts';

const [appId, userId] = ['app-0000' as AppId, 'user-0000000' as UserId];
const keyId = formatKeyId({ rootVersion: 'k1', appId, ulid: '0'.repeat(26) });
const key = { keyId, secret: deriveSecret(createSecretKey(root), keyId) };
const items = [
  applicationItem({ appId, keys: { [keyId]: storedKey({ scopes: ['access:read', 'access:write'] }) } }),
  userItem({ userId }),
  accessItem({ appId, userId, status: 'enabled' }),
];

/** The event of a request that a bundle answers with 200: a read, or a write that changes something. */
export function eventOf(name: 'get-access' | 'set-access'): APIGatewayProxyEventV2 {
  const path = { userId };
  if (name === 'get-access') return invokeService(name, { path }, key).event;
  return invokeService(name, { path, body: { status: 'disabled' } }, key).event;
}

/** The answer of KMS or DynamoDB to one request of a bundle's SDK; a write always succeeds. */
export function answerBundle(target: string, input: Readonly<Record<string, unknown>>): object {
  const [, operation] = target.split('.');
  if (operation === 'GenerateMac') return { Mac: root.toString('base64') };
  if (operation !== 'BatchGetItem') return {};
  const { RequestItems } = input as { readonly RequestItems: Record<string, { readonly Keys: readonly object[] }> };
  const asked = RequestItems[tableName]?.Keys.map((each) => JSON.stringify(each)) ?? [];
  const found = items.filter(({ pk, sk }) => asked.includes(JSON.stringify(marshall({ pk, sk }))));
  return { Responses: { [tableName]: found.map((item) => marshall(item)) }, UnprocessedKeys: {} };
}
