import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient } from './document-client.ts';
import { eventually } from './eventually.ts';
import type { TestService } from './start-service.ts';

/** Waits until all changes so far have their numbers in the feeds: those that have none are pending. */
export async function allNumbered({ endpoint }: Pick<TestService, 'endpoint'>): Promise<void> {
  const FilterExpression = 'begins_with(sk, :pending)';
  const ExpressionAttributeValues = { ':pending': 'PENDING#' };
  const input = { TableName: process.env.TABLE_NAME, FilterExpression, ExpressionAttributeValues };
  await eventually(
    () => documentClient(endpoint).send(new ScanCommand(input)),
    ({ Count }) => Count === 0,
  );
}
