import { createServer } from 'node:http';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { AccessStatus } from '#shared/contract/access.ts';
import { serveFunctions } from '../local/function-service.ts';
import { serveKeyService } from '../local/key-service.ts';
import { closeServer, listenOn } from '../local/listen.ts';
import { root, tableName } from './bench-environment.ts';
import { type CostBench, type Operation, takes } from './costed-operation.ts';
import { type Invocation, invokeService } from './create-events.ts';
import { numberingUnits } from './prices.ts';
import { appId, userIdAt } from './written-table.ts';

/** Starts a receiver that accepts everything, KMS with a key for security events, and Lambda, which does nothing here. */
export async function startWebhookNeighbours() {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(202).end());
  });
  const url = `http://127.0.0.1:${await listenOn(receiver, 0)}/`;
  const keys = await serveKeyService({ root: root.toString('base64') });
  const lambda = await serveFunctions(async () => ({ kind: 'failed' }));
  return {
    receivers: { standard: url, set: url },
    kms: keys.url,
    environment: {
      WEBHOOK_FORMATS: 'standard,set',
      WEBHOOK_LOOPBACK: 'allowed',
      API_URL: 'https://auth.example.com',
      EVENT_KEY_ARN: 'arn:aws:kms:eu-west-1:111122223333:key/events',
      DELIVER_WEBHOOK_FUNCTION: 'arn:aws:lambda:eu-west-1:111122223333:function:deliver-webhook',
      WAKE_WEBHOOKS_FUNCTION: 'arn:aws:lambda:eu-west-1:111122223333:function:wake-webhooks',
      AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    },
    close: async () => void (await Promise.all([closeServer(receiver), keys.close(), lambda.close()])),
  };
}

const delivering = { name: 'deliver-webhook', limitSeconds: 300 } as const;
const deliver = (webhookId: 'standard' | 'set'): Invocation => ({ ...delivering, event: { appId, webhookId } });

const wake: Invocation = { name: 'wake-webhooks', event: {} };

const changeAccess =
  (status: AccessStatus) =>
  async (at: number, { functions, key }: CostBench) => {
    const call = { path: { userId: userIdAt(at) }, body: { status } };
    await functions.run([invokeService('set-access', call, key)]);
  };

const changeAndNumber = (status: AccessStatus) => async (at: number, bench: CostBench) => {
  await changeAccess(status)(at, bench);
  await bench.functions.run([await numberLatest(at, bench)]);
};

const together = 5;

/** Changes several accesses, each time to the other status, and gives each change its number. */
async function changeSeveral(at: number, bench: CostBench): Promise<void> {
  const change = changeAndNumber(at % 2 === 0 ? 'disabled' : 'enabled');
  for (let user = 0; user < together; user++) await change(user, bench);
}

/** A batch of the table's stream with the last change of a user. */
async function numberLatest(at: number, { dynamodb }: CostBench): Promise<Invocation> {
  const client = new DynamoDBClient({ endpoint: dynamodb });
  const { Items: [NewImage] = [] } = await client.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: { ':pk': { S: `USER#${userIdAt(at)}` }, ':sk': { S: 'CHANGE#' } },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  client.destroy();
  return { name: 'number-changes', event: { Records: [{ dynamodb: { SequenceNumber: '1', NewImage } }] } };
}

/**
 * A delivery takes the lease, looks twice for something to deliver, saves twice how far it is, and gives the lease up. Each look
 * reads the application, what operators ask for, and both feeds; that of the users once more if the other one has a change.
 */
export const webhookOperations: readonly Operation[] = [
  {
    operation: 'number a change, and wake webhooks',
    prepare: changeAccess('enabled'),
    invoke: numberLatest,
    posts: 0,
    designed: takes(8, numberingUnits.read + 1, numberingUnits.write),
  },
  {
    operation: 'deliver a change, `set`',
    prepare: changeAndNumber('disabled'),
    invoke: () => deliver('set'),
    posts: 1,
    designed: { ...takes(16, 11, 5), kmsRequests: 1 },
  },
  {
    operation: 'deliver a change, `standard`',
    prepare: changeAndNumber('enabled'),
    invoke: () => deliver('standard'),
    posts: 1,
    designed: takes(16, 11, 5),
  },
  // Each further change is read, and its attempt is recorded.
  {
    operation: `deliver ${together} changes at once, \`standard\``,
    prepare: changeSeveral,
    invoke: () => deliver('standard'),
    posts: together,
    designed: takes(16 + 2 * (together - 1), 11 + together - 1, 5 + together - 1),
  },
  { operation: 'look for something to deliver', invoke: () => deliver('standard'), posts: 0, designed: takes(8, 5, 3) },
  { operation: 'wake all webhooks', invoke: () => wake, posts: 0, designed: takes(1, 1) },
];
