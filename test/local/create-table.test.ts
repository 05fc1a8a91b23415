import { createServer } from 'node:http';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTable } from '../../local/create-table.ts';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { listenOn } from '../../local/listen.ts';
import { localAccess } from '../../local/local-credentials.ts';
import { LocalError } from '../../local/local-error.ts';
import { readStack } from '../../local/read-stack.ts';
import type { TableModel } from '../../local/read-table.ts';
import { writeAssembly } from './write-assembly.ts';

let dynamodb: DynamodbProcess;
let client: DynamoDBClient;
beforeAll(async () => {
  dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
  client = new DynamoDBClient({ endpoint: dynamodb.endpoint, ...localAccess });
});
afterAll(() => dynamodb.stop());

async function model(tableName: string): Promise<TableModel> {
  return readStack(await writeAssembly({ 'GET /a': '' }), { tableName }).table;
}

describe('the table', () => {
  test('has the keys, the indexes, the stream and the TTL of the template', async () => {
    await createTable(await model('whole'), dynamodb.endpoint);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'whole' }));
    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: ['gsi1', 'gsi2'].map((IndexName) => ({
        IndexName,
        Projection: { ProjectionType: 'ALL' },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    });
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: 'whole' }));
    expect(TimeToLiveDescription).toMatchObject({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
  });

  test('keeps its items if it already exists', async () => {
    const table = await model('kept');
    await createTable(table, dynamodb.endpoint);
    const Item = { pk: { S: 'p' }, sk: { S: 's' }, gsi1pk: { S: 'g' }, gsi1sk: { S: '1' } };
    await client.send(new PutItemCommand({ TableName: 'kept', Item }));
    await createTable(table, dynamodb.endpoint);
    const { Items } = await client.send(
      new QueryCommand({
        TableName: 'kept',
        IndexName: 'gsi1',
        KeyConditionExpression: '#pk = :pk',
        ExpressionAttributeNames: { '#pk': 'gsi1pk' },
        ExpressionAttributeValues: { ':pk': { S: 'g' } },
      }),
    );
    expect(Items).toEqual([Item]);
  });

  test('causes an error with both definitions and a hint if it differs from the template', async () => {
    const table = await model('different');
    await createTable({ ...table, indexes: [], attributes: table.attributes.slice(0, 2) }, dynamodb.endpoint);
    const again = createTable(table, dynamodb.endpoint);
    await expect(again).rejects.toThrow(
      'The table different has keys pk (S) + sk (S); the stack defines keys pk (S) + sk (S), index gsi1 by gsi1pk (S) + gsi1sk (S) of ALL, index gsi2 by gsi2pk (S) + gsi2sk (S) of ALL.',
    );
    await expect(again).rejects.toThrow('npm start -- --reset');
  });

  test('causes an error that says what to do if this version does not know its format', async () => {
    await createTable(await model('newer'), dynamodb.endpoint);
    const Item = { pk: { S: 'FORMAT' }, sk: { S: 'FORMAT' }, format: { N: '3' } };
    await client.send(new PutItemCommand({ TableName: 'newer', Item }));
    await expect(createTable(await model('newer'), dynamodb.endpoint)).rejects.toThrow(
      /^The table has format 3, .* To start with an empty table: npm start -- --reset\.$/,
    );
  });

  test('causes a one-line error if it cannot be created', async () => {
    const server = createServer((_, response) => response.end('<h1>Welcome</h1>\n<p>A web server</p>'));
    const port = await listenOn(server, 0);
    const creating = createTable(await model('nowhere'), `http://127.0.0.1:${port}`);
    await expect(creating).rejects.toThrow(LocalError);
    await expect(creating).rejects.toThrow(/^DynamoDB at http:\S+ cannot create the table nowhere: .+$/);
    server.close();
  });

  test('is the same with attributes and indexes listed in another order', async () => {
    const table = await model('ordered');
    await createTable(table, dynamodb.endpoint);
    await createTable({ ...table, attributes: table.attributes.toReversed() }, dynamodb.endpoint);
  });
});
