import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { createUlid } from '#shared/core/ids.ts';

interface WhichChange {
  readonly secondsAgo: number;
  /** The time from which it is counted. Default: now. */
  readonly from?: number;
  readonly userId: string;
  readonly appId: string;
  /** By default an operator without a reason. */
  readonly caller?: object;
  readonly sourceIp?: string;
  readonly reason?: string;
}

/**
 * Puts a change of an application into the table as if the service had written it this many seconds ago; returns what
 * the application reads.
 */
export async function putChange(
  endpoint: string,
  { secondsAgo, from = Date.now(), userId, appId, ...rest }: WhichChange,
) {
  const at = new Date(from - secondsAgo * 1000);
  const change = {
    id: createUlid(at),
    at: at.toISOString(),
    action: 'access.changed',
    appId,
    userId,
    caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'test' },
    requestId: 'test',
    sourceIp: '127.0.0.1',
    before: { status: 'enabled', version: 1 },
    after: { status: 'disabled', version: 2 },
    reason: null,
    ...rest,
    integrity: { root: 'k1', previous: null, salt: 'S', mac: 'MAC' },
  };
  const keys = { pk: `USER#${userId}`, sk: `CHANGE#${change.id}`, gsi1pk: `APP#${appId}#CHANGES`, gsi1sk: change.id };
  const Item = { ...keys, ...change, ttl: 2_000_000_000 };
  const client = new DynamoDBClient({ endpoint });
  await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName: process.env.TABLE_NAME, Item }));
  client.destroy();
  const { integrity: _, ...shown } = change;
  return shown;
}
