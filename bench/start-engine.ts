import { type DynamodbProcess, startDynamodb } from '../local/dynamodb-process.ts';

/** The local engine with what a file holds, or empty and in memory; the bench ends when it cannot be kept running. */
export function startEngine(file?: string): Promise<DynamodbProcess> {
  return startDynamodb({ file, log: console.error, onGiveUp: fail });
}

function fail(error: Error): never {
  throw error;
}
