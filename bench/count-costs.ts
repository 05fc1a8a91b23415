import './environment.ts';
import { createTable } from '../local/create-table.ts';
import { type Operation, operationsOf, times } from './cost-operations.ts';
import { add, type CapacityCounter, countCapacity, nothing } from './count-capacity.ts';
import { type OpenFunctions, openFunctions } from './open-functions.ts';
import type { Consumption } from './prices.ts';
import { rivalDesigns, rivalRequest } from './rival-designs.ts';
import { openStage, type Stage, type StageContext } from './stage.ts';

const tableName = 'cost';

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
  context: StageContext,
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

async function countOperations(stage: Stage, counter: CapacityCounter): Promise<OperationCost[]> {
  const key = stage.keys.get(tableName);
  if (key === undefined) throw new Error('The table has no key');
  const opened: OpenFunctions[] = [];
  const open = (environment: Readonly<Record<string, string>> = {}) => {
    const functions = openFunctions({ bundles: stage.bundles, dynamodb: counter.endpoint, tableName, environment });
    opened.push(functions);
    return functions;
  };
  try {
    const usual = open();
    const counted: OperationCost[] = [];
    for (const operation of operationsOf(key)) {
      const functions = operation.environment === undefined ? usual : open(operation.environment);
      counted.push(await countOperation(operation, functions, counter));
    }
    return counted;
  } finally {
    await Promise.all(opened.map((each) => each.close()));
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
