import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { type MemoryTableServer, serveMemoryTables } from '../../local/serve-memory-tables.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { randomCommands, type TableCommand } from './random-commands.ts';
import { SimulatedDynamoDb, type TableAnswer } from './simulated-dynamodb.ts';
import { World } from './virtual-time.ts';

const commandsPerSeed = 60;
const seeds = Array.from({ length: 25 }, (_, n) => n + 1);

let engine: DynamodbProcess;
let inMemory: MemoryTableServer;
let documents: DynamoDBDocumentClient;
let served: DynamoDBDocumentClient;

beforeAll(async () => {
  engine = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  inMemory = await serveMemoryTables();
  documents = documentsAt(engine.endpoint);
  served = documentsAt(inMemory.endpoint);
});
afterAll(async () => {
  await engine.stop();
  await inMemory.close();
});

function documentsAt(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, ...localAccess }), {
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
}

test.each(seeds)('the tables in memory answer the random commands of seed %i as the engine does', async (seed) => {
  const tableName = `commands-${seed}`;
  await Promise.all([createTable(documents, tableName), createTable(served, tableName)]);
  const world = new World(seed);
  const simulated = new SimulatedDynamoDb(world);
  const next = randomCommands(tableName, seededRandom(seed));
  for (let n = 0; n < commandsPerSeed; n++) {
    const command = next();
    const [expected, ofServer] = await Promise.all([ask(documents, command), ask(served, command)]);
    expect({ n, command, answer: answerOf(simulated, command) }).toEqual({ n, command, answer: expected });
    expect({ n, command, answer: ofServer }).toEqual({ n, command, answer: expected });
  }
});

async function createTable(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys('pk', 'sk'),
      AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((name) => ({
        AttributeName: name,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [
        { IndexName: 'gsi1', KeySchema: keys('gsi1pk', 'gsi1sk'), Projection: { ProjectionType: 'ALL' } },
      ],
    }) as never,
  );
}

/** Returns both responses, without what only one of them has and the service does not read. */
interface Comparable {
  readonly items?: readonly unknown[];
  readonly next?: unknown;
  readonly error?: string;
  readonly item?: unknown;
  readonly reasons?: readonly unknown[];
}

function answerOf(simulated: SimulatedDynamoDb, { operation, input }: TableCommand): Comparable {
  let answer: TableAnswer | undefined;
  simulated.receive(operation, input, (given) => {
    answer = given;
  });
  if (answer === undefined) throw new Error('A calm table answers at once');
  if ('output' in answer) return comparable(operation, answer.output);
  const { name, item, reasons } = answer.error;
  return failure(
    name,
    item,
    reasons?.map(({ Code, Item }) => ({ Code, Item })),
  );
}

async function ask(client: DynamoDBDocumentClient, { operation, input }: TableCommand): Promise<Comparable> {
  try {
    return comparable(operation, await client.send(sdkCommand(operation, input)));
  } catch (error) {
    const { name, Item, CancellationReasons } = error as EngineError;
    const plain = (item: Marshalled) => (item === undefined ? undefined : unmarshall(item));
    return failure(
      name,
      plain(Item),
      CancellationReasons?.map(({ Code, Item: item }) => ({ Code, Item: plain(item) })),
    );
  }
}

type Marshalled = Parameters<typeof unmarshall>[0] | undefined;

interface EngineError extends Error {
  readonly Item?: Marshalled;
  readonly CancellationReasons?: readonly { readonly Code: string; readonly Item?: Marshalled }[];
}

function sdkCommand(operation: TableCommand['operation'], input: TableCommand['input']) {
  const commands = {
    BatchGetItem: BatchGetCommand,
    Query: QueryCommand,
    Scan: ScanCommand,
    PutItem: PutCommand,
    UpdateItem: UpdateCommand,
    DeleteItem: DeleteCommand,
    TransactWriteItems: TransactWriteCommand,
  };
  return new commands[operation](input as never) as QueryCommand;
}

function comparable(operation: TableCommand['operation'], output: object): Comparable {
  const { Responses, Items, LastEvaluatedKey } = output as {
    Responses?: Record<string, unknown[]>;
    Items?: unknown[];
    LastEvaluatedKey?: unknown;
  };
  if (operation === 'BatchGetItem') {
    const found = Object.values(Responses ?? {}).flat();
    return { items: found.map((item) => JSON.stringify(sorted(item))).sort() };
  }
  return operation === 'Query' ? { items: (Items ?? []).map(sorted), next: LastEvaluatedKey } : {};
}

function failure(error: string, item: unknown, reasons: readonly unknown[] | undefined): Comparable {
  return { error, ...(item !== undefined && { item }), ...(reasons !== undefined && { reasons }) };
}

function sorted(item: unknown): unknown {
  return Object.fromEntries(Object.entries(item as object).sort(([one], [other]) => (one < other ? -1 : 1)));
}
