import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request has cost at the table until now. */
export interface Usage {
  /** Requests on the wire, the SDK's retries among them. */
  dynamoDbRequests: number;
  /** Capacity units, as far as DynamoDB told them: a transaction that was cancelled tells none. */
  consumedCapacity: number;
}

const current = new AsyncLocalStorage<Usage>();

/** Counts what the requests to the table cost that are made within. */
export function countingUsage<T>(run: () => T): T {
  return current.run({ dynamoDbRequests: 0, consumedCapacity: 0 }, run);
}

/** The count of the request in whose course this is called; undefined outside of one. */
export function usage(): Usage | undefined {
  return current.getStore();
}
