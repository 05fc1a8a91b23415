import crypto, { hash } from 'node:crypto';
import * as sdk from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { OperationName, SimulatedDynamoDb, TableAnswer, TableError } from './simulated-dynamodb.ts';
import { currentProcess, here, wait } from './virtual-time.ts';

/** What the network does between a process and the table; chances are from 0 to 1, times in milliseconds. */
export interface NetworkFaults {
  lostRequest: number;
  /** Of transactions, besides. */
  lostTransaction: number;
  lostAnswer: number;
  /** Of a request or an answer, that it takes up to `slowMilliseconds` instead of `usualMilliseconds`. */
  slow: number;
  slowMilliseconds: number;
  usualMilliseconds: number;
  /** Each request takes effect and is answered at one instant; only their order is left open. */
  instant?: boolean;
}

export const calmNetwork: NetworkFaults = {
  lostRequest: 0,
  lostTransaction: 0,
  lostAnswer: 0,
  slow: 0,
  slowMilliseconds: 0,
  usualMilliseconds: 4,
};

/** What the client and the table of a run have between them. */
export interface Connection {
  readonly dynamoDb: SimulatedDynamoDb;
  network: NetworkFaults;
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** As `awsClientOptions` has it. */
const maxAttempts = 3;
const requestTimeoutMilliseconds = 2000;

let connection: Connection | undefined;

/** The table that requests go to from now on. */
export function connect(to: Connection): void {
  connection = to;
}

type Send = (this: unknown, command: Command, options?: SendOptions) => Promise<object>;

interface Command {
  readonly input: object;
}

/**
 * Makes the document client of a simulated process send to the simulated table, with the SDK's own time-out, retries and
 * token modelled.
 */
export function replaceSend(): void {
  const { prototype } = DynamoDBDocumentClient as unknown as { prototype: { send: Send } };
  const real = prototype.send;
  prototype.send = async function send(command, options = {}) {
    if (currentProcess() === undefined) return real.call(this, command, options);
    const operation = operationOf(command);
    const { TransactItems } = command.input as { TransactItems?: unknown };
    const input = TransactItems ? { ClientRequestToken: crypto.randomUUID(), ...command.input } : command.input;
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(operation, input, options);
      } catch (error) {
        if (attempt === maxAttempts || !(error instanceof Error) || !isRetried(error)) throw error;
        await wait(backoff(error, attempt));
      }
    }
  };
}

function operationOf(command: object): OperationName {
  if (command instanceof BatchGetCommand) return 'BatchGetItem';
  if (command instanceof QueryCommand) return 'Query';
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

/** As the SDK's standard strategy waits. */
function backoff(error: Error, attempt: number): number {
  const base = isThrottlingError(error as SdkError) ? 1000 : 50;
  return Math.floor(Math.random() * base * 2 ** (attempt - 1));
}

/** One request: it leaves the process, takes effect at the table, and its answer comes back, unless either is lost. */
function sendOnce(operation: OperationName, input: object, { abortSignal }: SendOptions): Promise<object> {
  const { world, process } = here();
  if (connection === undefined) throw new Error('No table is connected');
  const { dynamoDb, network } = connection;
  if (network.instant) return sendAtOnce(operation, input);
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const settle = (finish: () => void) => {
      if (isSettled) return;
      isSettled = true;
      timeout.cancelled = true;
      finish();
    };
    const timeout = world.schedule(
      requestTimeoutMilliseconds,
      () => settle(() => reject(namedError('TimeoutError', 'The request timed out'))),
      process,
    );
    const abort = () => settle(() => reject(namedError('AbortError', 'Request aborted')));
    if (abortSignal?.aborted) return abort();
    abortSignal?.addEventListener('abort', abort, { once: true });
    const answer = (result: TableAnswer) => {
      if (world.random() < network.lostAnswer) return;
      world.schedule(travelTime(world.random, network), () => settle(() => deliver(result, resolve, reject)), process);
    };
    const leave = () => {
      if (world.random() < network.lostRequest) return;
      if (operation === 'TransactWriteItems' && world.random() < network.lostTransaction) return;
      world.schedule(travelTime(world.random, network), () => dynamoDb.receive(operation, input, answer));
    };
    // At once: no process stands still between its last look at the clock and the first byte.
    leave();
  });
}

function sendAtOnce(operation: OperationName, input: object): Promise<object> {
  const { world, process } = here();
  const request = `${process.name} ${process.learned} ${operation} ${JSON.stringify(input)}`;
  return new Promise((resolve, reject) => {
    const answer = (result: TableAnswer) => {
      process.learned = hash('sha1', `${process.learned} ${request} ${JSON.stringify(result)}`);
      deliver(result, resolve, reject);
    };
    world.schedule(0, () => connection?.dynamoDb.receive(operation, input, answer), undefined, request);
  });
}

function travelTime(random: () => number, { slow, slowMilliseconds, usualMilliseconds }: NetworkFaults): number {
  return random() * (random() < slow ? slowMilliseconds : usualMilliseconds);
}

function deliver(answer: TableAnswer, resolve: (output: object) => void, reject: (error: Error) => void): void {
  if ('output' in answer) resolve(answer.output);
  else reject(sdkError(answer.error));
}

function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** The error as the SDK makes it; it leaves the items of errors in DynamoDB's own form. */
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
