import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

const clients = new Map<string, DynamoDBDocumentClient>();

/** A client of a local table that looks behind the service's back; one for each table, as making one takes a while. */
export function documentClient(endpoint: string): DynamoDBDocumentClient {
  const client = clients.get(endpoint) ?? DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  clients.set(endpoint, client);
  return client;
}
