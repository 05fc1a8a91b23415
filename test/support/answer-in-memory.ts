import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { isItemOperation, OperationError, runItemOperation, wireOutput } from '../../local/memory/item-operations.ts';
import type { MemoryTable } from '../../local/memory/memory-table.ts';
import type { SdkRequest } from './watch-sdk.ts';

/** The answer of a table in memory to a request of the SDK; throws its errors. */
export function answerInMemory(table: MemoryTable, { command, input }: SdkRequest): object {
  const operation = command.replace(/Command$/, '');
  if (!isItemOperation(operation)) throw new Error(`${command} is not answered`);
  try {
    return runItemOperation(table, operation, input);
  } catch (error) {
    throw error instanceof OperationError ? sdkError(error) : error;
  }
}

function sdkError({ name, message, details }: OperationError): Error {
  const given = { message, $metadata: {}, ...wireOutput(details) };
  return name === 'TransactionCanceledException'
    ? new TransactionCanceledException(given)
    : new ConditionalCheckFailedException(given);
}
