import { config } from '#shared/core/config.ts';
import type { TransactEntry } from './client.ts';
import type { Key } from './keys.ts';

/** DynamoDB takes at most so many entries in one transaction. */
export const maxTransactEntries = 100;

/** Deletes an item; one that is not there is no error. */
export function deleteEntry({ pk, sk }: Key): TransactEntry {
  return { Delete: { TableName: config.tableName, Key: { pk, sk } } };
}

/** Deletes an item if one of its attributes is still what was read. */
export function deleteUnchangedEntry({ pk, sk }: Key, attribute: string, value: unknown): TransactEntry {
  return {
    Delete: {
      TableName: config.tableName,
      Key: { pk, sk },
      ConditionExpression: '#attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': value },
    },
  };
}
