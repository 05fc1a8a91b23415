import './bench-environment.ts';
import { join } from 'node:path';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { startDynamodb } from '../local/dynamodb-process.ts';
import { runStack } from '../local/run-stack.ts';
import { synthesize } from '../local/synthesize.ts';
import { root } from './bench-environment.ts';
import type { BenchContext } from './measurement.ts';
import { type Item, itemsOf, type Population } from './populations.ts';

const tableName = 'replica';

/** What `npm start` runs, with a filled table. */
export interface ReplicaService {
  readonly url: string;
  close(): Promise<void>;
}

export async function startReplicaService(
  population: Population,
  { directory, progress }: BenchContext,
): Promise<ReplicaService> {
  progress('Starting the stack');
  const assembly = await synthesize({ folder: join(directory, 'cdk.out') });
  const onGiveUp = (error: Error) => {
    throw error;
  };
  const dynamodb = await startDynamodb({ log: console.error, onGiveUp });
  const stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName, root: root.toString('base64') });
  progress('Filling the table');
  await writeAll(itemsOf(population), dynamodb.endpoint);
  return {
    url: stack.url,
    close: async () => {
      await stack.close();
      await dynamodb.stop();
    },
  };
}

/** Items of one request. */
const batchSize = 25;
const writers = 8;

/** No replica reads the lists of the roles' members. */
function* withoutMembers(items: Iterable<Item>): Generator<Item, undefined> {
  for (const item of items) if (!String(item.pk).includes('#ROLE#')) yield item;
}

async function writeAll(items: Iterable<Item>, endpoint: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  const left = withoutMembers(items);
  const next = () => Array.from({ length: batchSize }, () => left.next().value).filter((item) => item !== undefined);
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let batch = next(); batch.length > 0; batch = next()) {
        const requests = batch.map((item) => ({ PutRequest: { Item: marshall(item) } }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }));
      }
    }),
  );
  client.destroy();
}
