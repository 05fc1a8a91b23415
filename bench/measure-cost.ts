import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AccessStatus } from '#shared/contract/access.ts';
import { directoryOperations, questionOperations } from './bearer-operations.ts';
import { type CostBench, type Operation, type PricedOperation, takes, times } from './costed-operation.ts';
import { addConsumption, type CapacityCounter, countCapacity, nothing } from './count-capacity.ts';
import { invokeService } from './create-events.ts';
import { type FillContext, fillDatabase } from './filled-database.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { openFunctions } from './open-functions.ts';
import { benchKey, userIdAt } from './populations.ts';
import {
  assumed,
  type Consumption,
  computeDollars,
  dataDollars,
  deliveryDollars,
  logDollars,
  numberingDollars,
  priceSources,
  prices,
  transferDollars,
} from './prices.ts';
import { startWebhookNeighbours, webhookOperations } from './webhook-operations.ts';

/** Computing time of a check of 100 users. */
const checkMilliseconds = 40;

const quietMilliseconds = 600;
const tableName = 'cost';

/** An operation and its average consumption. */
export interface OperationCost extends PricedOperation {
  readonly measured: Consumption;
  readonly designed: Consumption;
  /** Bytes of the body of a response. */
  readonly answerBytes: number;
}

/** The operations of each part of the service, in the order in which they run: some start from the state that others leave. */
export const costedOperations = () => [
  ...serviceOperations,
  ...questionOperations,
  ...webhookOperations,
  ...directoryOperations,
];

/** Requests, request units and dollars of each operation of the Service API, of connections and of webhooks. */
export async function measureCost(context: BenchContext): Promise<Measurement> {
  const costs = await countCosts(context);
  return {
    budgets: budgetsOf(costs),
    figures: {
      getDollars: dollarsOf(costs, 'GET access'),
      checkDollars: dollarsOf(costs, 'POST check of 100 users'),
      pollDollars: dollarsOf(costs, 'GET changes, nothing new'),
    },
    samples: { costs, prices },
    report: [introduction, table(costs), remarks],
  };
}

/** Invokes every operation through the functions' assets and counts its consumption. */
export async function countCosts(context: FillContext): Promise<OperationCost[]> {
  const neighbours = await startWebhookNeighbours();
  const { receivers, kms } = neighbours;
  const numbers = { users: 3 * times, accesses: 2 * times, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
  const population = { ...numbers, connected: true, receivers };
  const { fileOf, dynamodb, close } = await fillDatabase({ [tableName]: population }, context);
  const counter = await countCapacity(dynamodb, { kms, except: recordedEachMinute });
  const { endpoint } = counter;
  const endpoints = { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL_KMS: endpoint };
  const usual = { TABLE_NAME: tableName, ...endpoints, ...neighbours.environment };
  const plain = openFunctions({ fileOf, environment: usual });
  const caching = openFunctions({ fileOf, environment: { ...usual, KEY_STATE_CACHE_SECONDS: '60' } });
  context.progress('Invoking each operation');
  try {
    const costs: OperationCost[] = [];
    for (const operation of costedOperations()) {
      const bench = { functions: operation.isCached ? caching : plain, dynamodb };
      await warmUp(operation, bench, counter);
      costs.push(await countOperation(operation, bench, counter));
    }
    return costs;
  } finally {
    await Promise.all([plain.close(), caching.close()]);
    await counter.close();
    await Promise.all([close(), neighbours.close()]);
  }
}

/** The record of a directory's requests, which a process writes at most once a minute: one unit. */
const recordedEachMinute = /#ACTIVITY"/;

async function countOperation(
  { invoke, prepare, expected = 200, designed, ...priced }: Operation,
  bench: CostBench,
  counter: CapacityCounter,
): Promise<OperationCost> {
  let sum = nothing;
  let bytes = 0;
  for (let at = warmUps; at < times; at++) {
    await prepare?.(at, bench);
    const invocation = await invoke(at, bench);
    counter.take();
    const { answers } = await bench.functions.run([invocation], { expected });
    sum = addConsumption(sum, counter.take());
    bytes += Buffer.byteLength(answers[0]?.body ?? '');
  }
  const count = times - warmUps;
  return { ...priced, measured: average(sum, count), designed, answerBytes: Math.round(bytes / count) };
}

/** The first may have to do what earlier operations left, and the second to read what the first has written. */
const warmUps = 2;

/**
 * Invokes an operation without counting it. After the first invocation of its function, waits until the function has recorded in
 * the background that the key was used today.
 */
async function warmUp({ invoke, prepare, expected = 200 }: Operation, bench: CostBench, counter: CapacityCounter) {
  for (let at = 0; at < warmUps; at++) {
    await prepare?.(at, bench);
    const invocation = await invoke(at, bench);
    const isWarm = bench.functions.loaded.has(invocation.name);
    await bench.functions.run([invocation], { expected });
    if (!isWarm) await untilQuiet(counter);
  }
}

async function untilQuiet(counter: CapacityCounter): Promise<void> {
  do await pause(quietMilliseconds);
  while (counter.take().requests > 0);
}

function average(sum: Consumption, count: number): Consumption {
  return {
    requests: sum.requests / count,
    readUnits: sum.readUnits / count,
    tableWriteUnits: sum.tableWriteUnits / count,
    indexWriteUnits: sum.indexWriteUnits / count,
    kmsRequests: sum.kmsRequests / count,
  };
}

const role = 'role-000';
const userAt = (at: number) => ({ path: { userId: userIdAt(at) } });
const get = (at: number) => invokeService('get-access', userAt(at));
const put = (at: number, status: AccessStatus, key = benchKey) =>
  invokeService('set-access', { ...userAt(at), body: { status } }, key);
const assign = (at: number) => invokeService('assign-role', { ...userAt(at), body: { role } });
const revoke = (at: number) => invokeService('revoke-role', { ...userAt(at), query: { role } });
const changes = () => invokeService('list-changes', { query: { limit: 25 } });
const check = (at: number) =>
  invokeService('check-access', { body: { userIds: Array.from({ length: 100 }, (_, n) => userIdAt(at + n)) } });
const unknown = (at: number) => at + 9000;
/** The last third of the users has no access item yet. */
const untouched = (at: number) => at + 2 * times;
const forger = { ...benchKey, secret: 'svs_guessed' };

const serviceOperations: readonly Operation[] = [
  { operation: 'GET access', invoke: get, isBrief: true, designed: takes(1, 3) },
  {
    operation: 'GET access, with keyStateCacheSeconds',
    invoke: get,
    isCached: true,
    isBrief: true,
    designed: takes(1, 2),
  },
  {
    operation: 'GET access of an unknown user (404)',
    invoke: (at) => get(unknown(at)),
    expected: 404,
    designed: takes(1, 3),
  },
  { operation: 'POST check of 100 users', invoke: check, isBrief: true, designed: takes(3, 201) },
  { operation: 'GET changes, nothing new', invoke: changes, isBrief: true, designed: takes(3, 3) },
  // Outcome of the call, Access, User, Change, pending entry of the feed: each twice in a transaction; the first time the
  // application's entry too. In the indexes: Access, and Change in both.
  {
    operation: 'PUT access, the first status',
    invoke: (at) => put(untouched(at), 'disabled'),
    designed: takes(2, 3, 12, 3),
  },
  { operation: 'PUT access, another status', invoke: (at) => put(at, 'disabled'), designed: takes(2, 3, 10, 3) },
  { operation: 'PUT access, no change', invoke: (at) => put(at, 'disabled'), designed: takes(2, 3, 1) },
  {
    operation: 'PUT access of an unknown user (404)',
    invoke: (at) => put(unknown(at), 'disabled'),
    expected: 404,
    designed: takes(2, 3, 1),
  },
  // In addition to those of a status: the Role is read, the Member is written.
  { operation: 'DELETE revoke', invoke: revoke, designed: takes(2, 3, 12, 3) },
  { operation: 'POST assign', invoke: assign, designed: takes(2, 4, 12, 3) },
  { operation: 'POST assign, no change', invoke: assign, designed: takes(2, 4, 1) },
  { operation: 'forged PUT (401)', invoke: (at) => put(at, 'enabled', forger), expected: 401, designed: takes(0, 0) },
];

function budgetsOf(costs: readonly OperationCost[]): Budget[] {
  const most = (kind: RegExp) =>
    Math.max(...costs.filter(({ operation }) => kind.test(operation)).map(({ measured }) => measured.requests));
  const unlike = costs.filter(({ measured, designed }) => !isDeepStrictEqual(measured, designed));
  return [
    atMost('requests to DynamoDB per GET of an access', most(/^GET access/), 1, ''),
    atMost('requests to DynamoDB per write', most(/^(?:PUT|POST assign|DELETE)/), 2, ''),
    atMost(
      'cost per user of a check of 100 / per GET',
      dollarsOf(costs, 'POST check of 100 users') / 100 / dollarsOf(costs, 'GET access'),
      0.25,
      '×',
    ),
    atMost(
      'requests to DynamoDB per question of a connection',
      Math.max(...questionOperations.map(({ operation }) => requestsOf(costs, operation))),
      1,
      '',
    ),
    atMost('requests to DynamoDB per forged request', most(/^forged/), 0, ''),
    atMost('operations whose units differ from the design', unlike.length, 0, ''),
  ];
}

function requestsOf(costs: readonly OperationCost[], name: string): number {
  return costs.find(({ operation }) => operation === name)?.measured.requests ?? Number.NaN;
}

const introduction = `Counted between the functions and the database, as DynamoDB's \`ReturnConsumedCapacity\` reports it. The local
engine follows DynamoDB's published rules in all cases that were checked; they do not say [what the indexes take in a transaction](../operate/costs.md#units-of-the-indexes). Dollars are on-demand prices in ${prices.region}, read on ${prices.readOn}: ${priceSources.map((source) => `<${source}>`).join(', ')}. Not counted is what a process writes at most once a minute: the record of a directory's requests.`;

function table(costs: readonly OperationCost[]): string {
  const head = ['operation', 'requests', 'read units', 'write units', 'of which indexes', '$ per million', 'in total'];
  const rows = costs.map((cost) => {
    const { operation, measured } = cost;
    const { requests, readUnits, tableWriteUnits, indexWriteUnits } = measured;
    const dollars = [dataDollars(measured), dollarsInAll(cost)];
    return [
      operation,
      requests,
      readUnits,
      tableWriteUnits,
      indexWriteUnits,
      ...dollars.map((each) => each.toFixed(2)),
    ];
  });
  return markdownTable(head, rows);
}

/** Total dollars per million invocations of an operation. */
function dollarsOf(costs: readonly OperationCost[], name: string): number {
  return costs.filter(({ operation }) => operation === name).map(dollarsInAll)[0] ?? Number.NaN;
}

/** As the cost page calculates them; a check runs longer, and its answer is longer too. */
export function dollarsInAll(cost: Omit<OperationCost, 'designed'>): number {
  const { operation, isBrief, posts, measured, answerBytes } = cost;
  if (posts !== undefined) return dollarsOfDelivery(posts, measured);
  const isCheck = operation.startsWith('POST check');
  const trips = tripsOf(operation, measured);
  const compute = isCheck ? checkMilliseconds : assumed.computeMilliseconds;
  return (
    dataDollars(measured) +
    computeDollars(compute + trips * assumed.tripMilliseconds) +
    logDollars(isBrief ? assumed.briefLogBytes : assumed.logBytes) +
    transferDollars(Math.max(assumed.answerBytes, answerBytes)) +
    (measured.indexWriteUnits > 0 ? eventDollars : 0)
  );
}

/** Without an API: DynamoDB, KMS, the time with that of the receiver, and for each post the metrics of the delivery. */
function dollarsOfDelivery(posts: number, measured: Consumption): number {
  const { computeMilliseconds, tripMilliseconds, receiverMilliseconds, logBytes, answerBytes } = assumed;
  const milliseconds = computeMilliseconds + measured.requests * tripMilliseconds + posts * receiverMilliseconds;
  const perPost = logDollars(logBytes) + transferDollars(answerBytes);
  const keys = measured.kmsRequests * prices.perMillion.kmsRequests;
  return dataDollars(measured) + deliveryDollars(milliseconds) + keys + posts * perPost;
}

/** Requests that wait for the previous one: those of a check are sent in parallel, and so are the two queries of the feed. */
function tripsOf(operation: string, { requests }: Consumption): number {
  if (operation.startsWith('POST check')) return 1;
  return operation.startsWith('GET changes') ? requests - 1 : requests;
}

/** A change's event and its number in its feed, with a run of each reader of the stream for it alone. */
const eventDollars =
  prices.perMillion.busEvents +
  computeDollars(assumed.publisherMilliseconds) +
  computeDollars(assumed.numberingMilliseconds) -
  2 * prices.perMillion.httpApiRequests +
  numberingDollars +
  logDollars(assumed.publisherLogBytes);

const remarks = `The last column is the price that [costs](../operate/costs.md) calculates: including API Gateway, Lambda (${assumed.computeMilliseconds} ms of computing, ${checkMilliseconds} for a
check, and ${assumed.tripMilliseconds} ms for each request to DynamoDB that waits for the previous one; derived, not measured on AWS), log, transfer and event. For webhooks, which nobody waits for, it includes no API Gateway, half the memory, and ${assumed.receiverMilliseconds} ms for each receiver; the format \`set\` one signature by KMS. DynamoDB cancels a write with a used nonce and bills the transaction without saying how much: assume the units of a change.`;
