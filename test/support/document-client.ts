import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const clients = new Map<string, DynamoDBDocumentClient>();

/** Returns a client that reads and writes a local table directly; one per table, because creating one is slow. */
export function documentClient(endpoint: string): DynamoDBDocumentClient {
  const client = clients.get(endpoint) ?? DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  clients.set(endpoint, client);
  return client;
}
