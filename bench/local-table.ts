import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { warmUpItems } from '../lib/warm-up-server.ts';
import { startDynamodb } from '../local/dynamodb-process.ts';
import { localAccess } from '../local/local-credentials.ts';

/** The local DynamoDB with the items of a warm-up in the table that a warm-up names. */
export async function startLocalTable() {
  const dynamodb = await startDynamodb({
    log: console.error,
    onGiveUp: (error) => {
      throw error;
    },
  });
  // The first processor is left to what is measured.
  if (cpus().length > 1) execFileSync('taskset', ['-cp', String(cpus().length - 1), String(dynamodb.pid())]);
  const client = new DynamoDBClient({ endpoint: dynamodb.endpoint, ...localAccess });
  const [hash, range] = ['pk', 'sk'] as const;
  await client.send(
    new CreateTableCommand({
      TableName: 'warm-up',
      AttributeDefinitions: [hash, range].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: hash, KeyType: 'HASH' },
        { AttributeName: range, KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  for (const Item of warmUpItems) await client.send(new PutItemCommand({ TableName: 'warm-up', Item }));
  client.destroy();
  return dynamodb;
}
