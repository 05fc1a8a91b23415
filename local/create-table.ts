import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { isRepairedFormat, tableFormatKey, tableFormatProblem } from '#shared/contract/table-format.ts';
import { localAccess } from './local-credentials.ts';
import { LocalError } from './local-error.ts';
import type { TableModel } from './read-table.ts';

/** Creates the stack's table unless it exists; throws a LocalError if it exists with different keys or indexes. */
export async function createTable(table: TableModel, endpoint: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint, ...localAccess });
  try {
    await createUnlessExists(client, table);
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw new LocalError(`DynamoDB at ${endpoint} cannot create the table ${table.tableName}: ${firstLine(error)}`);
  } finally {
    client.destroy();
  }
}

async function createUnlessExists(client: DynamoDBClient, table: TableModel): Promise<void> {
  const request = toRequest(table);
  const existing = await describe(client, table.tableName);
  if (existing === undefined) await create(client, request);
  else {
    requireSameKeys(outline(existing), outline(request), table.tableName);
    await requireFormat(client, table.tableName);
  }
  if (table.ttlAttribute) await enableTimeToLive(client, table.tableName, table.ttlAttribute);
}

function toRequest(table: TableModel) {
  const { tableName, keySchema, attributes, indexes, streamViewType } = table;
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema,
    AttributeDefinitions: attributes,
    // DynamoDB rejects an empty list (Amazon DynamoDB API reference, CreateTable).
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    ...(streamViewType && { StreamSpecification: { StreamEnabled: true, StreamViewType: streamViewType } }),
  } satisfies CreateTableCommandInput;
}

async function describe(client: DynamoDBClient, tableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function create(client: DynamoDBClient, request: CreateTableCommandInput): Promise<void> {
  await client.send(new CreateTableCommand(request));
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: request.TableName });
}

function requireSameKeys(found: string, expected: string, tableName: string): void {
  if (found === expected) return;
  throw new LocalError(
    `The table ${tableName} has ${found}; the stack defines ${expected}. To start with an empty table: npm start -- --reset (with DYNAMODB_ENDPOINT: delete the table there).`,
  );
}

async function requireFormat(client: DynamoDBClient, tableName: string): Promise<void> {
  const Key = { pk: { S: tableFormatKey.pk }, sk: { S: tableFormatKey.sk } };
  const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key }));
  const format = Item && Number(Item.format?.N);
  const problem = Item && tableFormatProblem(format);
  // Until then the service answers only a repair, and its log says so.
  if (isRepairedFormat(format)) return;
  if (problem !== undefined) throw new LocalError(`${problem} To start with an empty table: npm start -- --reset.`);
}

/** Keys and indexes in one line, independent of their order. */
function outline({ KeySchema, AttributeDefinitions, GlobalSecondaryIndexes }: TableDescription): string {
  const types = new Map(AttributeDefinitions?.map((entry) => [entry.AttributeName, entry.AttributeType]));
  const keys = (schema: TableDescription['KeySchema'] = []) =>
    schema.map(({ AttributeName }) => `${AttributeName} (${types.get(AttributeName)})`).join(' + ');
  const indexes = (GlobalSecondaryIndexes ?? []).map(
    (index) => `index ${index.IndexName} by ${keys(index.KeySchema)} of ${index.Projection?.ProjectionType}`,
  );
  return [`keys ${keys(KeySchema)}`, ...indexes.sort()].join(', ');
}

/** DynamoDB rejects enabling TTL twice, and some local engines do not support it. */
async function enableTimeToLive(client: DynamoDBClient, tableName: string, attribute: string): Promise<void> {
  const TimeToLiveSpecification = { AttributeName: attribute, Enabled: true };
  try {
    const { TimeToLiveDescription: now } = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
    if (now?.TimeToLiveStatus === 'ENABLED' || now?.TimeToLiveStatus === 'ENABLING') return;
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
  } catch (error) {
    if (error instanceof DynamoDBServiceException && error.name === 'UnknownOperationException') return;
    throw error;
  }
}

function firstLine(error: unknown): string {
  return String(error).split('\n', 1).join();
}
