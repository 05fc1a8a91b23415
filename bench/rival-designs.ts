import './environment.ts';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { createUlid } from '#shared/core/ids.ts';
import { localAccess } from '../local/local-credentials.ts';
import type { TableModel } from '../local/read-table.ts';

/** A common way to build the same thing; each of its operations answers how often it asked KMS. */
export interface RivalDesign {
  readonly name: string;
  /** Round trips of a GET that wait for each other, those to KMS among them. */
  readonly getTrips: number;
  readonly tables: readonly TableModel[];
  seed(): Promise<void>;
  get(request: SignedRequest): Promise<number>;
  change(request: SignedRequest): Promise<number>;
  leave(request: SignedRequest): Promise<number>;
}

/** As much of a request as the designs differ by. */
export interface SignedRequest {
  readonly text: string;
  readonly mac: Buffer;
}

const [appId, userId, keyId] = ['app-0000', 'user-0000000', 'key-01JD0000000000000000000000'];
const secret = randomBytes(32);

/** A request with the right MAC, or with a guessed one. */
export function rivalRequest({ forged }: { readonly forged: boolean }): SignedRequest {
  const text = `GET /users/${userId}/access ${randomBytes(16).toString('base64url')}`;
  return { text, mac: forged ? randomBytes(32) : macOf(text, secret) };
}

/** The designs that are compared, on the tables of one DynamoDB. All read strongly consistent, as this service does. */
export function rivalDesigns(endpoint: string, tableNamed: (name: string) => TableModel): readonly RivalDesign[] {
  const client = new DynamoDBClient({ endpoint, ...localAccess });
  const documents = DynamoDBDocumentClient.from(client);
  return [
    keyFirst({ documents, table: tableNamed('rival-key-first'), isEncrypted: false }),
    itemPerSetting(documents, tableNamed('rival-item-per-setting')),
    keyFirst({ documents, table: tableNamed('rival-kms'), isEncrypted: true }),
  ];
}

interface KeyFirstOptions {
  readonly documents: DynamoDBDocumentClient;
  readonly table: TableModel;
  /** Whether KMS has to decrypt the secret in each request. */
  readonly isEncrypted: boolean;
}

/** The key's item is read to learn secret and application, then the data; a write is the same transaction as ours. */
function keyFirst({ documents, table, isEncrypted }: KeyFirstOptions): RivalDesign {
  const { tableName } = table;
  const kmsRequests = isEncrypted ? 1 : 0;
  const user = { pk: `USER#${userId}`, sk: 'USER' };
  const access = { pk: `USER#${userId}`, sk: `ACCESS#${appId}` };
  const admit = async (request: SignedRequest) => {
    const key = await read(documents, tableName, { pk: `KEY#${keyId}`, sk: 'KEY' });
    return verify(request, key);
  };
  const readBoth = () =>
    documents.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [user, access], ConsistentRead: true } } }),
    );
  return {
    name: isEncrypted ? 'secret decrypted per request' : 'key lookup first, then data',
    getTrips: isEncrypted ? 3 : 2,
    tables: [table],
    seed: async () => {
      for (const item of [{ pk: `KEY#${keyId}`, sk: 'KEY', appId, secret }, { ...user, status: 'active' }, access]) {
        await documents.send(new PutCommand({ TableName: tableName, Item: item }));
      }
    },
    get: async (request) => {
      if (await admit(request)) await readBoth();
      return kmsRequests;
    },
    change: async (request) => {
      if (!(await admit(request))) return kmsRequests;
      await readBoth();
      await documents.send(new TransactWriteCommand({ TransactItems: changeEntries(tableName, user, access) }));
      return kmsRequests;
    },
    leave: async (request) => {
      if (!(await admit(request))) return kmsRequests;
      await readBoth();
      await documents.send(new PutCommand({ TableName: tableName, Item: nonceItem() }));
      return kmsRequests;
    },
  };
}

function changeEntries(TableName: string, user: object, access: { readonly pk: string; readonly sk: string }) {
  const status = randomBytes(4).toString('hex');
  return [
    { Put: { TableName, Item: nonceItem(), ConditionExpression: 'attribute_not_exists(pk)' } },
    { Put: { TableName, Item: { ...access, gsi1pk: `APP#${appId}#USERS`, gsi1sk: `${status}#${userId}`, status } } },
    { ConditionCheck: { TableName, Key: user, ConditionExpression: 'attribute_exists(pk)' } },
    { Put: { TableName, Item: { pk: access.pk, ...historyItem() } } },
  ];
}

/** Keys, users, statuses, grants, nonces and history each by themselves, written one after the other without a transaction. */
function itemPerSetting(documents: DynamoDBDocumentClient, model: TableModel): RivalDesign {
  const named = (part: string): TableModel => ({ ...model, tableName: `${model.tableName}-${part}` });
  const [keys, users, statuses, grants, nonces, history] = [
    named('keys'),
    named('users'),
    named('statuses'),
    named('grants'),
    named('nonces'),
    named('history'),
  ];
  const admit = async (request: SignedRequest) =>
    verify(request, await read(documents, keys.tableName, { pk: keyId, sk: 'KEY' }));
  const readUser = () => read(documents, users.tableName, { pk: userId, sk: 'USER' });
  const readStatus = () => read(documents, statuses.tableName, { pk: userId, sk: appId });
  const put = (table: TableModel, Item: Record<string, unknown>) =>
    documents.send(new PutCommand({ TableName: table.tableName, Item }));
  return {
    name: 'one item per setting, a table per kind',
    getTrips: 2,
    tables: [keys, users, statuses, grants, nonces, history],
    seed: async () => {
      await put(keys, { pk: keyId, sk: 'KEY', appId, secret });
      await put(users, { pk: userId, sk: 'USER', status: 'active' });
      await put(statuses, { pk: userId, sk: appId, status: 'enabled' });
      await put(grants, { pk: `${userId}#${appId}`, sk: 'role-000' });
    },
    get: async (request) => {
      if (await admit(request)) await Promise.all([readUser(), readStatus(), readGrants(documents, grants.tableName)]);
      return 0;
    },
    change: async (request) => {
      if (!(await admit(request))) return 0;
      await Promise.all([readUser(), readStatus()]);
      await put(nonces, nonceItem());
      const status = randomBytes(4).toString('hex');
      await put(statuses, {
        pk: userId,
        sk: appId,
        status,
        gsi1pk: `APP#${appId}#USERS`,
        gsi1sk: `${status}#${userId}`,
      });
      await put(history, { pk: userId, ...historyItem() });
      return 0;
    },
    leave: async (request) => {
      if (!(await admit(request))) return 0;
      await Promise.all([readUser(), readStatus()]);
      await put(nonces, nonceItem());
      return 0;
    },
  };
}

async function read(documents: DynamoDBDocumentClient, TableName: string, Key: Record<string, string>) {
  const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item ?? {};
}

function readGrants(documents: DynamoDBDocumentClient, TableName: string) {
  return documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `${userId}#${appId}` },
      ConsistentRead: true,
    }),
  );
}

function nonceItem() {
  return { pk: `NONCE#${randomBytes(16).toString('base64url')}`, sk: 'NONCE', ttl: 1_800_000_000 };
}

/** As large as a Change of this service: who, what, before, after, why, when. */
function historyItem() {
  const id = createUlid(new Date());
  return { sk: `CHANGE#${id}`, gsi1pk: `APP#${appId}#CHANGES`, gsi1sk: id, detail: 'x'.repeat(400) };
}

function verify({ text, mac }: SignedRequest, key: Record<string, unknown>): boolean {
  return timingSafeEqual(mac, macOf(text, Buffer.from(key.secret as Uint8Array)));
}

function macOf(text: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
