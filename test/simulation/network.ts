import { hash } from 'node:crypto';
import type { OperationName, SimulatedDynamoDb, TableAnswer } from './simulated-dynamodb.ts';
import { here } from './virtual-time.ts';

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
  /** Of the answers, that they cannot be read or break off; only below the SDK. */
  unreadable: number;
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
  unreadable: 0,
};

/** What the client and the table of a run have between them. */
export interface Connection {
  readonly dynamoDb: SimulatedDynamoDb;
  network: NetworkFaults;
  /** Whether the SDK itself writes requests, repeats them and reads answers; else its `send` is modelled. */
  readonly isBelowSdk?: boolean;
  /** What was sent below the SDK although its request had ended. */
  readonly lateSends: string[];
}

/** As `awsClientOptions` has it. */
const requestTimeoutMilliseconds = 2000;

let connection: Connection | undefined;

/** The table that requests go to from now on. */
export function connect(to: Connection): void {
  connection = to;
}

/** What requests go to now. */
export function connected(): Connection {
  if (connection === undefined) throw new Error('No table is connected');
  return connection;
}

/** One request: it leaves the process, takes effect at the table, and its answer comes back, unless either is lost. */
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
    // At once: no process stands still between its last look at the clock and the first byte.
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

/** An error as the SDK's handler of requests makes it. */
export function namedError(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
