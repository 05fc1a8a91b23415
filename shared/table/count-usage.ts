import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { usage } from '#shared/core/usage.ts';

/** Has a client count each of its requests, and what DynamoDB says that it consumed. */
export function countUsage({ middlewareStack }: DynamoDBClient): void {
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const counted = usage();
      if (counted !== undefined) counted.consumedCapacity += unitsOf(result.output);
      return result;
    },
    { step: 'initialize', name: 'countCapacity' },
  );
  middlewareStack.add(
    (next) => (args) => {
      const counted = usage();
      if (counted !== undefined) counted.dynamoDbRequests += 1;
      return next(args);
    },
    // Behind the retries.
    { step: 'finalizeRequest', priority: 'low', name: 'countRequests' },
  );
}

/** One table's or, of a batch or transaction, those of each. */
function unitsOf(output: object): number {
  const { ConsumedCapacity = [] } = output as { ConsumedCapacity?: Capacity | readonly Capacity[] };
  return [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

interface Capacity {
  readonly CapacityUnits?: number;
}
