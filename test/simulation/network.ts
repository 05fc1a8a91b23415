import { hash } from 'node:crypto';
import type { OperationName, SimulatedDynamoDb, TableAnswer } from './simulated-dynamodb.ts';
import { here } from './virtual-time.ts';

/** The faults of the network between a process and the table; probabilities from 0 to 1, times in milliseconds. */
export interface NetworkFaults {
  lostRequest: number;
  /** Additional loss of transactions. */
  lostTransaction: number;
  lostAnswer: number;
  /** The probability that a request or response takes up to `slowMilliseconds` instead of `usualMilliseconds`. */
  slow: number;
  slowMilliseconds: number;
  usualMilliseconds: number;
  /** The probability that a response is unreadable or truncated; only below the SDK. */
  unreadable: number;
  /** Each request takes effect and is answered at one instant; only the order varies. */
  instant?: boolean;
}

export const calmNetwork: NetworkFaults = {
  lostRequest: 0,
  lostTransaction: 0,
  lostAnswer: 0,
  slow: 0,
  slowMilliseconds: 0,
  usualMilliseconds: 4,
  unreadable: 0,
};

/** The connection between the clients and the table of a run. */
export interface Connection {
  dynamoDb: SimulatedDynamoDb;
  network: NetworkFaults;
  /** Whether the SDK itself serializes, retries and parses; otherwise its `send` is modelled. */
  readonly isBelowSdk?: boolean;
  /** Requests sent below the SDK after their deadline. */
  readonly lateSends: string[];
}

/** As in `awsClientOptions`. */
const requestTimeoutMilliseconds = 2000;

let connection: Connection | undefined;

/** Sets the table that receives requests from now on. */
export function connect(to: Connection): void {
  connection = to;
}

/** Returns the current connection. */
export function connected(): Connection {
  if (connection === undefined) throw new Error('No table is connected');
  return connection;
}

/**
 * Exchanges one request: it leaves the process, takes effect at the table, and its response returns, unless either is
 * lost.
 */
export function exchange(
  operation: OperationName,
  input: object,
  abortSignal: AbortSignal | undefined,
): Promise<TableAnswer> {
  const { world, process } = here();
  const { dynamoDb, network } = connected();
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
      world.schedule(travelTime(world.random, network), () => settle(() => resolve(result)), process);
    };
    const leave = () => {
      if (world.random() < network.lostRequest) return;
      if (operation === 'TransactWriteItems' && world.random() < network.lostTransaction) return;
      world.schedule(travelTime(world.random, network), () => dynamoDb.receive(operation, input, answer));
    };
    // Sends immediately: a process cannot stall between its last reading of the clock and the first byte.
    leave();
  });
}

function sendAtOnce(operation: OperationName, input: object): Promise<TableAnswer> {
  const { world, process } = here();
  const request = `${process.name} ${process.learned} ${operation} ${JSON.stringify(input)}`;
  return new Promise((resolve) => {
    const answer = (result: TableAnswer) => {
      process.learned = hash('sha1', `${process.learned} ${request} ${JSON.stringify(result)}`);
      resolve(result);
    };
    world.schedule(0, () => connected().dynamoDb.receive(operation, input, answer), undefined, request);
  });
}

function travelTime(random: () => number, { slow, slowMilliseconds, usualMilliseconds }: NetworkFaults): number {
  return random() * (random() < slow ? slowMilliseconds : usualMilliseconds);
}

/** Creates an error like those of the SDK's request handler. */
export function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
