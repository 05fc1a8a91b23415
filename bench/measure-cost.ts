import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AccessStatus } from '#shared/contract/access.ts';
import { type CapacityCounter, countCapacity, nothing } from './count-capacity.ts';
import { type Invocation, invokeService } from './create-events.ts';
import { type FillContext, fillDatabase } from './filled-database.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { benchKey, userIdAt } from './populations.ts';
import {
  assumed,
  type Consumption,
  computeDollars,
  dataDollars,
  logDollars,
  numberingDollars,
  priceSources,
  prices,
  transferDollars,
} from './prices.ts';

/** Computing time of a check of 100 users. */
const checkMilliseconds = 40;

/** How often each operation is invoked, each time for a different user. */
const times = 20;
const quietMilliseconds = 600;
const tableName = 'cost';

/** An operation and its average consumption. */
export interface OperationCost {
  readonly operation: string;
  readonly measured: Consumption;
  readonly designed: Consumption;
  /** Bytes of the body of a response. */
  readonly answerBytes: number;
}

interface Operation {
  readonly operation: string;
  readonly invoke: (at: number) => Invocation;
  /** Default: 200. */
  readonly expected?: number;
  /** Whether the function caches the state of keys. Default: false. */
  readonly isCached?: boolean;
  readonly designed: Consumption;
}

/** Requests, request units and dollars of each operation of the Service API. */
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
  const population = { users: 3 * times, accesses: 2 * times, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
  const { fileOf, dynamodb, close } = await fillDatabase({ [tableName]: population }, context);
  const counter = await countCapacity(dynamodb);
  const usual = { TABLE_NAME: tableName, AWS_ENDPOINT_URL_DYNAMODB: counter.endpoint };
  const plain = openFunctions({ fileOf, environment: usual });
  const caching = openFunctions({ fileOf, environment: { ...usual, KEY_STATE_CACHE_SECONDS: '60' } });
  context.progress('Invoking each operation');
  try {
    const costs: OperationCost[] = [];
    for (const operation of operations) {
      const functions = operation.isCached ? caching : plain;
      await warmUp(operation, functions, counter);
      costs.push(await countOperation(operation, functions, counter));
    }
    return costs;
  } finally {
    await Promise.all([plain.close(), caching.close()]);
    await counter.close();
    await close();
  }
}

async function countOperation(
  { operation, invoke, expected = 200, designed }: Operation,
  functions: OpenFunctions,
  counter: CapacityCounter,
): Promise<OperationCost> {
  const invocations = Array.from({ length: times - 1 }, (_, at) => invoke(at + 1));
  const { answers } = await functions.run(invocations, { expected });
  const bytes = answers.reduce((sum, { body = '' }) => sum + Buffer.byteLength(body), 0);
  return {
    operation,
    measured: average(counter.take(), invocations.length),
    designed,
    answerBytes: Math.round(bytes / invocations.length),
  };
}

/**
 * Invokes an operation once without counting it. After the first invocation of its function, waits until the function has
 * recorded in the background that the key was used today.
 */
async function warmUp({ invoke, expected = 200 }: Operation, functions: OpenFunctions, counter: CapacityCounter) {
  const invocation = invoke(0);
  const isWarm = functions.loaded.has(invocation.name);
  await functions.run([invocation], { expected });
  if (isWarm) counter.take();
  else await untilQuiet(counter);
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

/** In this order: some operations start from the state that others leave. */
const operations: readonly Operation[] = [
  { operation: 'GET access', invoke: get, designed: takes(1, 3) },
  {
    operation: 'GET access, with keyStateCacheSeconds',
    invoke: get,
    isCached: true,
    designed: takes(1, 2),
  },
  {
    operation: 'GET access of an unknown user (404)',
    invoke: (at) => get(unknown(at)),
    expected: 404,
    designed: takes(1, 3),
  },
  { operation: 'POST check of 100 users', invoke: check, designed: takes(3, 201) },
  { operation: 'GET changes, nothing new', invoke: changes, designed: takes(3, 3) },
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

function takes(requests: number, readUnits: number, tableWriteUnits = 0, indexWriteUnits = 0): Consumption {
  return { ...nothing, requests, readUnits, tableWriteUnits, indexWriteUnits };
}

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
    atMost('requests to DynamoDB per forged request', most(/^forged/), 0, ''),
    atMost('operations whose units differ from the design', unlike.length, 0, ''),
  ];
}

const introduction = `Counted between the functions and the database, as DynamoDB's \`ReturnConsumedCapacity\` reports it. The local
engine follows DynamoDB's published rules in all cases that were checked; they do not say [what the indexes take in a transaction](../operate/costs.md#units-of-the-indexes). Dollars are on-demand prices in ${prices.region}, read on ${prices.readOn}: ${priceSources.map((source) => `<${source}>`).join(', ')}.`;

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
export function dollarsInAll({ operation, measured, answerBytes }: Omit<OperationCost, 'designed'>): number {
  const isCheck = operation.startsWith('POST check');
  const isBrief = isCheck || /^GET [^(]*$/.test(operation);
  const trips = tripsOf(operation, measured);
  const compute = isCheck ? checkMilliseconds : assumed.computeMilliseconds;
  const logBytes = isBrief ? assumed.briefLogBytes : assumed.logBytes;
  return (
    dataDollars(measured) +
    computeDollars(compute + trips * assumed.tripMilliseconds) +
    logDollars(logBytes) +
    transferDollars(Math.max(assumed.answerBytes, answerBytes)) +
    (measured.indexWriteUnits > 0 ? eventDollars : 0)
  );
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
check, and ${assumed.tripMilliseconds} ms for each request to DynamoDB that waits for the previous one; derived, not measured on AWS), log, transfer and event. DynamoDB cancels a write with a used nonce and bills the transaction without saying how much: assume the units of a change.`;
