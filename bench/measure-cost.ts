import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type CapacityCounter, countCapacity, nothing } from './count-capacity.ts';
import { type Invocation, invokeService } from './create-events.ts';
import { type FillContext, fillDatabase } from './filled-database.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { benchKey, userIdAt } from './populations.ts';
import { type Consumption, computeDollars, dataDollars, priceSources, prices } from './prices.ts';

/** What a function of 1 GB runs for, derived from its CPU time and DynamoDB's usual latency. */
const assumed = { computeMilliseconds: 4, tripMilliseconds: 4, checkMilliseconds: 40 } as const;

/** How often each operation is invoked, each time for another user. */
const times = 20;
const quietMilliseconds = 200;
const tableName = 'cost';

/** An operation, and what it takes on average. */
export interface OperationCost {
  readonly operation: string;
  readonly measured: Consumption;
  readonly designed: Consumption;
}

interface Operation {
  readonly operation: string;
  readonly invoke: (at: number) => Invocation;
  /** Default: 200. */
  readonly expected?: number;
  /** Whether the function keeps the state of keys. Default: false. */
  readonly isCached?: boolean;
  readonly designed: Consumption;
}

/** Requests, request units and dollars of each operation of the Service API. */
export async function measureCost(context: BenchContext): Promise<Measurement> {
  const costs = await countCosts(context);
  return {
    title: 'Requests and cost',
    budgets: budgetsOf(costs),
    samples: { costs, prices },
    report: [introduction, table(costs), remarks],
  };
}

/** Invokes every operation through the deployed bundles and counts what it takes. */
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
      costs.push(await countOperation(operation, operation.isCached ? caching : plain, counter));
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
  const [first, ...rest] = Array.from({ length: times }, (_, at) => invoke(at));
  if (first !== undefined) await functions.run([first], { expected });
  await settle(counter);
  await functions.run(rest, { expected });
  return { operation, measured: average(counter.take(), rest.length), designed };
}

/** After its first invocation a function records in the background that the key was used today; that is not counted. */
async function settle(counter: CapacityCounter): Promise<void> {
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

const access = (at: number) => `/api/service/users/${userIdAt(at)}/access`;
const get = (at: number) => invokeService({ method: 'GET', target: access(at) });
const put = (at: number, status: string, key = benchKey) =>
  invokeService({ method: 'PUT', target: access(at), body: { status }, key });
const assign = (at: number) =>
  invokeService({
    method: 'POST',
    target: `/api/service/roles/${userIdAt(at)}/assign`,
    body: { role: 'role-000' },
  });
const revoke = (at: number) =>
  invokeService({ method: 'DELETE', target: `/api/service/users/${userIdAt(at)}/revoke?role=role-000` });
const changes = () => invokeService({ method: 'GET', target: '/api/service/changes?limit=25' });
const check = (at: number) =>
  invokeService({
    method: 'POST',
    target: '/api/service/access/check',
    body: { userIds: Array.from({ length: 100 }, (_, n) => userIdAt(at + n)) },
  });
const unknown = (at: number) => at + 9000;
/** The last third of the users has no access item yet. */
const untouched = (at: number) => at + 2 * times;
const forger = { ...benchKey, secret: 'svs_guessed' };

/** In this order: some begin in the state in which others have ended. */
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
  { operation: 'GET changes, nothing new', invoke: changes, designed: takes(3, 2) },
  // Outcome of the call, Access, User, Change: each twice in a transaction. In the index: Access, User and Change.
  {
    operation: 'PUT access, the first status',
    invoke: (at) => put(untouched(at), 'disabled'),
    designed: takes(2, 3, 8, 3),
  },
  { operation: 'PUT access, another status', invoke: (at) => put(at, 'disabled'), designed: takes(2, 3, 8, 3) },
  { operation: 'PUT access, what already holds', invoke: (at) => put(at, 'disabled'), designed: takes(2, 3, 1) },
  {
    operation: 'PUT access of an unknown user (404)',
    invoke: (at) => put(unknown(at), 'disabled'),
    expected: 404,
    designed: takes(2, 3, 1),
  },
  // Beside those of a status: the Role is read, the Member is written.
  { operation: 'DELETE revoke', invoke: revoke, designed: takes(2, 3, 10, 3) },
  { operation: 'POST assign', invoke: assign, designed: takes(2, 4, 10, 3) },
  { operation: 'POST assign, what is held already', invoke: assign, designed: takes(2, 4, 1) },
  { operation: 'forged PUT (401)', invoke: (at) => put(at, 'enabled', forger), expected: 401, designed: takes(0, 0) },
];

function takes(requests: number, readUnits: number, tableWriteUnits = 0, indexWriteUnits = 0): Consumption {
  return { ...nothing, requests, readUnits, tableWriteUnits, indexWriteUnits };
}

function budgetsOf(costs: readonly OperationCost[]): Budget[] {
  const most = (kind: RegExp) =>
    Math.max(...costs.filter(({ operation }) => kind.test(operation)).map(({ measured }) => measured.requests));
  const dollarsOf = (name: string) => costs.filter(({ operation }) => operation === name).map(dollarsInAll)[0] ?? 0;
  const unlike = costs.filter(({ measured, designed }) => !isDeepStrictEqual(measured, designed));
  return [
    atMost('requests to DynamoDB per GET of an access', most(/^GET access/), 1, ''),
    atMost('requests to DynamoDB per write', most(/^(?:PUT|POST assign|DELETE)/), 2, ''),
    atMost(
      'cost of a user of a check of 100 / of a GET',
      dollarsOf('POST check of 100 users') / 100 / dollarsOf('GET access'),
      0.25,
      '×',
    ),
    atMost('requests to DynamoDB per forged request', most(/^forged/), 0, ''),
    atMost('operations that take other units than designed', unlike.length, 0, ''),
  ];
}

const introduction = `Counted between the deployed bundles and the database, as DynamoDB's \`ReturnConsumedCapacity\` states it. The local
engine follows DynamoDB's published rules in all cases that were checked; they leave open [what the index takes in a
transaction](operations.md#units-of-the-index). Dollars are of ${prices.region}, on demand, read on
${prices.readOn}: ${priceSources.map((source) => `<${source}>`).join(', ')}.`;

function table(costs: readonly OperationCost[]): string {
  const head = ['operation', 'requests', 'read units', 'write units', 'of the index', '$ per million', 'in all'];
  const rows = costs.map(({ operation, measured }) => {
    const { requests, readUnits, tableWriteUnits, indexWriteUnits } = measured;
    const dollars = [dataDollars(measured), dollarsInAll({ operation, measured })];
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

/** A check decides for many users, and runs longer for it; the others' requests follow one after the other. */
function dollarsInAll({ operation, measured }: Pick<OperationCost, 'operation' | 'measured'>): number {
  const milliseconds = operation.startsWith('POST check')
    ? assumed.checkMilliseconds + assumed.tripMilliseconds
    : assumed.computeMilliseconds + measured.requests * assumed.tripMilliseconds;
  return dataDollars(measured) + computeDollars(milliseconds);
}

const remarks = `The last column adds Lambda and API Gateway, for ${assumed.computeMilliseconds} ms of computing, ${assumed.checkMilliseconds} for a check of 100 users, and ${assumed.tripMilliseconds} ms for
each request to DynamoDB that waits for the one before, in a function of 1 GB; it is derived, not measured. The costs of logs, events and a month are in [operations](operations.md#costs). A write that repeats a
used nonce is cancelled by DynamoDB, which bills the transaction without saying how much: calculate with a change's units.`;
