import crypto from 'node:crypto';
import * as sdk from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { loadedCode } from './load-code.ts';
import { connected, exchange } from './network.ts';
import { type ClientConfig, replaceHandler } from './sdk-handler.ts';
import type { OperationName, TableAnswer, TableError } from './simulated-dynamodb.ts';
import { currentProcess, wait } from './virtual-time.ts';

/** Aborts what the current process sends; where one copy of the code handles a request, the others have no signal. */
function currentSignal(): AbortSignal | undefined {
  return loadedCode()
    .map((code) => code.currentSignal())
    .find((signal) => signal !== undefined);
}

/** As in `awsClientOptions`. */
const maxAttempts = 3;

type Send = (this: { readonly config: ClientConfig }, command: Command) => Promise<object>;

interface Command {
  readonly input: object;
}

/**
 * Makes the client of a simulated process send to the simulated table: HTTP requests if the run is below the
 * SDK, otherwise commands, with the SDK's timeout, retries and token modelled.
 */
export function replaceSend(): void {
  const { prototype } = sdk.DynamoDBClient as unknown as { prototype: { send: Send } };
  const real = prototype.send;
  prototype.send = function send(command) {
    if (currentProcess() === undefined) return real.call(this, command);
    replaceHandler(this.config);
    return connected().isBelowSdk ? real.call(this, command) : sendModelled(command);
  };
}

async function sendModelled(command: Command): Promise<object> {
  const operation = operationOf(command);
  const { TransactItems } = command.input as { TransactItems?: unknown };
  const input = TransactItems ? { ClientRequestToken: crypto.randomUUID(), ...command.input } : command.input;
  for (let attempt = 1; ; attempt++) {
    try {
      return outputOf(await exchange(operation, input, currentSignal()));
    } catch (error) {
      if (attempt === maxAttempts || !(error instanceof Error) || !isRetried(error)) throw error;
      await wait(backoff(error, attempt));
    }
  }
}

function operationOf(command: object): OperationName {
  if (command instanceof BatchGetCommand) return 'BatchGetItem';
  if (command instanceof QueryCommand) return 'Query';
  if (command instanceof ScanCommand) return 'Scan';
  if (command instanceof TransactWriteCommand) return 'TransactWriteItems';
  if (command instanceof PutCommand) return 'PutItem';
  if (command instanceof UpdateCommand) return 'UpdateItem';
  if (command instanceof DeleteCommand) return 'DeleteItem';
  throw new Error(`${command.constructor.name} is not simulated`);
}

type SdkError = Parameters<typeof isTransientError>[0];

function isRetried(error: Error): boolean {
  const failure = error as SdkError;
  return isTransientError(failure) || isThrottlingError(failure) || isServerError(failure);
}

/** Waits like the SDK's standard retry strategy. */
function backoff(error: Error, attempt: number): number {
  const base = isThrottlingError(error as SdkError) ? 1000 : 50;
  return Math.floor(Math.random() * base * 2 ** (attempt - 1));
}

function outputOf(answer: TableAnswer): object {
  if ('output' in answer) return answer.output;
  throw sdkError(answer.error);
}

/** Creates an error like the SDK's, which leaves items in errors in DynamoDB's format. */
function sdkError({ name, message, status, item, reasons }: TableError): Error {
  const $metadata = { httpStatusCode: status };
  const options = { message, $metadata };
  const marshalled = (one: object | undefined) => one && marshall(one, { convertClassInstanceToMap: true });
  switch (name) {
    case 'ConditionalCheckFailedException': {
      const Item = marshalled(item);
      return new sdk.ConditionalCheckFailedException({ ...options, ...(Item && { Item }) });
    }
    case 'TransactionCanceledException': {
      const CancellationReasons = reasons?.map((reason) => ({ ...reason, Item: marshalled(reason.Item) }));
      return new sdk.TransactionCanceledException({ ...options, ...(CancellationReasons && { CancellationReasons }) });
    }
    case 'TransactionInProgressException':
      return new sdk.TransactionInProgressException(options as never);
    case 'TransactionConflictException':
      return new sdk.TransactionConflictException(options);
    case 'IdempotentParameterMismatchException':
      return new sdk.IdempotentParameterMismatchException(options as never);
    case 'InternalServerError':
      return new sdk.InternalServerError(options);
    default:
      return new sdk.DynamoDBServiceException({ name, $fault: 'client', ...options });
  }
}
