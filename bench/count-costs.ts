import './environment.ts';
import { createTable } from '../local/create-table.ts';
import type { BenchKey } from './bench-keys.ts';
import { add, type CapacityCounter, countCapacity, nothing } from './count-capacity.ts';
import { type Ask, serviceAsk } from './create-events.ts';
import type { BenchContext } from './measurement.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import { userIdAt } from './populations.ts';
import type { Consumption } from './prices.ts';
import { rivalDesigns, rivalRequest } from './rival-designs.ts';
import { openStage, type Stage } from './stage.ts';

const tableName = 'cost';
const times = 20;

/** An operation, what it takes on average, and what it was designed to take. */
export interface OperationCost {
  readonly operation: string;
  readonly measured: Consumption;
  readonly designed: Consumption;
}

/** What the operations take in one design. */
export interface DesignCost {
  readonly design: string;
  /** Round trips of a GET that wait for each other. */
  readonly getTrips: number;
  readonly get: Consumption;
  readonly change: Consumption;
  readonly leave: Consumption;
  readonly forged: Consumption;
}

/** Of every operation of the Service API, and of three common designs on the same database; this service's is the first. */
export async function countCosts(
  context: BenchContext,
): Promise<{ readonly operations: OperationCost[]; readonly designs: DesignCost[] }> {
  const population = { users: 3 * times, accesses: 2 * times, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
  const stage = await openStage({ [tableName]: population }, context);
  const counter = await countCapacity(stage.dynamodb);
  try {
    context.progress('Asking each operation through the bundles, then three other designs');
    const operations = await countOperations(stage, counter);
    return { operations, designs: [ownDesign(operations), ...(await countRivals(stage, counter))] };
  } finally {
    await counter.close();
    await stage.close();
  }
}

interface Operation {
  readonly operation: string;
  readonly ask: (at: number) => Ask;
  readonly expected?: number;
  readonly designed: Consumption;
}

async function countOperations(stage: Stage, counter: CapacityCounter): Promise<OperationCost[]> {
  const key = stage.keys.get(tableName);
  if (key === undefined) throw new Error('The table has no key');
  const functions = openFunctions({ bundles: stage.bundles, dynamodb: counter.endpoint, tableName });
  try {
    const measured: OperationCost[] = [];
    for (const operation of operationsOf(key)) measured.push(await countOperation(operation, functions, counter));
    return measured;
  } finally {
    await functions.close();
  }
}

async function countOperation(
  { operation, ask, expected = 200, designed }: Operation,
  functions: OpenFunctions,
  counter: CapacityCounter,
): Promise<OperationCost> {
  // The first use of a key in a process is noted, once a day.
  await functions.run([ask(0)], [expected]);
  counter.take();
  await functions.run(
    Array.from({ length: times - 1 }, (_, at) => ask(at + 1)),
    [expected],
  );
  return { operation, measured: each(counter.take(), times - 1), designed };
}

/** In this order: some begin where others have ended. */
function operationsOf(key: BenchKey): Operation[] {
  const access = (at: number) => `/api/service/users/${userIdAt(at)}/access`;
  const get = (at: number) => serviceAsk({ method: 'GET', target: access(at), key });
  const put = (at: number, body: object, signedBy = key) =>
    serviceAsk({ method: 'PUT', target: access(at), body, key: signedBy });
  const assign = (at: number) =>
    serviceAsk({
      method: 'POST',
      target: `/api/service/roles/${userIdAt(at)}/assign`,
      body: { role: 'role-000' },
      key,
    });
  const revoke = (at: number) =>
    serviceAsk({ method: 'DELETE', target: `/api/service/users/${userIdAt(at)}/revoke?role=role-000`, key });
  const changes = () => serviceAsk({ method: 'GET', target: '/api/service/changes?limit=25', key });
  const forger = { ...key, secret: 'svs_guessed' };
  const untouched = (at: number) => at + 2 * times;
  return [
    { operation: 'GET access', ask: get, designed: designed(1, 3) },
    {
      operation: 'GET access of an unknown user (404)',
      ask: (at) => get(at + 9000),
      expected: 404,
      designed: designed(1, 3),
    },
    { operation: 'GET changes, nothing new', ask: changes, designed: designed(2, 1.5) },
    // Nonce, Access, check of the User, Change: each twice in a transaction. In the index: Access and Change.
    {
      operation: 'PUT access, the first status',
      ask: (at) => put(untouched(at), { status: 'disabled' }),
      designed: designed(2, 3, 8, 2),
    },
    // The status is part of the Access's place in the index: one deletion and one insertion.
    {
      operation: 'PUT access, another status',
      ask: (at) => put(at, { status: 'disabled' }),
      designed: designed(2, 3, 8, 3),
    },
    {
      operation: 'PUT access, what already holds',
      ask: (at) => put(at, { status: 'disabled' }),
      designed: designed(2, 3, 1),
    },
    {
      operation: 'PUT access of an unknown user (404)',
      ask: (at) => put(at + 9000, { status: 'disabled' }),
      expected: 404,
      designed: designed(2, 3, 1),
    },
    // Beside those of a status: the Role is read, the Member is written.
    { operation: 'DELETE revoke', ask: revoke, designed: designed(2, 3, 10, 2) },
    { operation: 'POST assign', ask: assign, designed: designed(2, 4, 10, 2) },
    { operation: 'POST assign, what is held already', ask: assign, designed: designed(2, 4, 1) },
    {
      operation: 'forged PUT (401)',
      ask: (at) => put(at, { status: 'enabled' }, forger),
      expected: 401,
      designed: designed(0, 0),
    },
  ];
}

function designed(requests: number, readUnits: number, tableWriteUnits = 0, indexWriteUnits = 0): Consumption {
  return { ...nothing, requests, readUnits, tableWriteUnits, indexWriteUnits };
}

function ownDesign(operations: readonly OperationCost[]): DesignCost {
  const of = (name: string) => operations.find(({ operation }) => operation === name)?.measured ?? nothing;
  return {
    design: 'this service',
    getTrips: 1,
    get: of('GET access'),
    change: of('PUT access, another status'),
    leave: of('PUT access, what already holds'),
    forged: of('forged PUT (401)'),
  };
}

async function countRivals({ tableNamed, dynamodb }: Stage, counter: CapacityCounter): Promise<DesignCost[]> {
  const designs = rivalDesigns(counter.endpoint, tableNamed);
  const measured: DesignCost[] = [];
  for (const design of designs) {
    for (const table of design.tables) await createTable(table, dynamodb);
    await design.seed();
    await design.change(rivalRequest({ forged: false }));
    counter.take();
    const measure = async (operation: typeof design.get, forged = false) => {
      let kmsRequests = 0;
      for (let at = 0; at < times; at++) kmsRequests += await operation(rivalRequest({ forged }));
      return each(add(counter.take(), { ...nothing, kmsRequests }), times);
    };
    measured.push({
      design: design.name,
      getTrips: design.getTrips,
      get: await measure(design.get),
      change: await measure(design.change),
      leave: await measure(design.leave),
      forged: await measure(design.change, true),
    });
  }
  return measured;
}

function each(sum: Consumption, count: number): Consumption {
  const share = (value: number) => value / count;
  return {
    requests: share(sum.requests),
    readUnits: share(sum.readUnits),
    tableWriteUnits: share(sum.tableWriteUnits),
    indexWriteUnits: share(sum.indexWriteUnits),
    kmsRequests: share(sum.kmsRequests),
  };
}
