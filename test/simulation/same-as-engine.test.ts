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
import { seededRandom } from '../support/seeded-random.ts';
import { randomCommands, type TableCommand } from './random-commands.ts';
import { SimulatedDynamoDb, type TableAnswer } from './simulated-dynamodb.ts';
import { World } from './virtual-time.ts';

const commandsPerSeed = 60;
const seeds = Array.from({ length: 25 }, (_, n) => n + 1);

let engine: DynamodbProcess;
let documents: DynamoDBDocumentClient;

beforeAll(async () => {
  engine = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  const client = new DynamoDBClient({ endpoint: engine.endpoint, ...localAccess });
  documents = DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
  });
});
afterAll(() => engine.stop());

test.each(seeds)('the simulated table answers the random commands of seed %i as the engine does', async (seed) => {
  const tableName = `commands-${seed}`;
  await createTable(tableName);
  const world = new World(seed);
  const simulated = new SimulatedDynamoDb(world);
  const next = randomCommands(tableName, seededRandom(seed));
  for (let n = 0; n < commandsPerSeed; n++) {
    const command = next();
    const [actual, expected] = [answerOf(simulated, command), await askEngine(command)];
    expect({ n, command, answer: actual }).toEqual({ n, command, answer: expected });
  }
});

async function createTable(TableName: string): Promise<void> {
  const keys = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ];
  await documents.send(
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

async function askEngine({ operation, input }: TableCommand): Promise<Comparable> {
  try {
    return comparable(operation, await documents.send(sdkCommand(operation, input)));
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
