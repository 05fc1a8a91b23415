import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from './bench-environment.ts';
import { invokeService } from './create-events.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { median } from './statistics.ts';
import { compareWarm, processes, requestsPerProcess, type WarmKind, warmRatios, warmTable } from './warm-processes.ts';
import { userIdAt, type WrittenTable, writeTable } from './written-table.ts';

const users = 100_000;
const [small, large] = ['1 user', `${users.toLocaleString('en-US')} users`] as const;

/** Measures a GET in a small table and in a large one. */
export async function measureGrowth(context: BenchContext): Promise<Measurement> {
  const content = { users: 1, accesses: 1 };
  const tables = await Promise.all([writeTable(context, content), writeTable(context, content)]);
  try {
    context.progress(`Writing ${users} users`);
    await growTable(tables[1], users);
    const kinds = [readsOf(small, tables[0], 1), readsOf(large, tables[1], users)];
    const samples = await compareWarm(kinds, context);
    const ratio = median(warmRatios(samples, large, small));
    return {
      budgets: [atMost('CPU per GET in the large table / in the small one', ratio, 1.1, '×')],
      samples,
      report: [
        `For each table, ${processes} processes, one after the other and in turns with those of the other table, make ${requestsPerProcess} GETs for random users. This does not measure how DynamoDB scales; it shows that the service asks no more of a large table than of a small one.`,
        warmTable(samples),
      ],
    };
  } finally {
    await Promise.all(tables.map((table) => table.close()));
  }
}

/** Gives many other users what a GET reads of the first one. */
export async function growTable({ dynamodb: endpoint }: Pick<WrittenTable, 'dynamodb'>, count: number): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  const documents = DynamoDBDocumentClient.from(client);
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: tableName }));
  const [first, perRequest] = [userIdAt(0), 12];
  const items = Items.filter(({ pk, sk }) => pk === `USER#${first}` && /^(?:USER|ACCESS#\S+)$/.test(sk));
  for (let at = 1; at < count; at += perRequest) {
    const userIds = Array.from({ length: Math.min(perRequest, count - at) }, (_, next) => userIdAt(at + next));
    const copies = userIds.flatMap((id) => JSON.parse(JSON.stringify(items).replaceAll(first, id)));
    const requests = copies.map((Item) => ({ PutRequest: { Item } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
  }
  client.destroy();
}

/** GETs for random users of a table. */
function readsOf(label: string, { fileOf, key, dynamodb }: WrittenTable, count: number): WarmKind {
  return {
    label,
    file: fileOf('get-access'),
    environment: { AWS_ENDPOINT_URL_DYNAMODB: dynamodb },
    invoke: () => invokeService('get-access', { path: { userId: userIdAt(Math.floor(Math.random() * count)) } }, key),
  };
}
