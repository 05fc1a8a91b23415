import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { documentClient } from './document-client.ts';
import { requestIdOf } from './expect-problem.ts';
import type { Answer } from './send-request.ts';
import type { TestService } from './start-service.ts';

/** Returns the changes that a request recorded, as stored, oldest first. */
export async function changesOf({ endpoint }: TestService, answer: Answer): Promise<Record<string, unknown>[]> {
  const scan = {
    TableName: process.env.TABLE_NAME,
    FilterExpression: '#requestId = :requestId AND begins_with(#sk, :change)',
    ExpressionAttributeNames: { '#requestId': 'requestId', '#sk': 'sk' },
    ExpressionAttributeValues: { ':requestId': requestIdOf(answer), ':change': 'CHANGE#' },
  };
  const found: Record<string, unknown>[] = [];
  for await (const page of paginateScan({ client: documentClient(endpoint) }, scan)) found.push(...(page.Items ?? []));
  return found.sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
}
