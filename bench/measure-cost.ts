import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { directoryOperations, questionOperations } from './bearer-operations.ts';
import { type CostBench, type Operation, times } from './costed-operation.ts';
import { type CapacityCounter, countCapacity, nothing } from './count-capacity.ts';
import { atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';
import { openFunctions } from './open-functions.ts';
import { type Consumption, dataDollars, priceSources, prices } from './prices.ts';
import { serviceOperations } from './service-operations.ts';
import { startWebhookNeighbours, webhookOperations } from './webhook-operations.ts';
import { writeTable } from './written-table.ts';

/** An operation and its usual consumption. */
type OperationCost = Awaited<ReturnType<typeof countOperation>>;

/** The operations of each part of the service, in the order in which they run: some start from the state that others leave. */
const costedOperations = [...serviceOperations, ...questionOperations, ...webhookOperations, ...directoryOperations];

/** Requests and request units of each operation of the Service API, of connections and of webhooks. */
export async function measureCost(context: BenchContext): Promise<Measurement> {
  const costs = await countCosts(context);
  const unlike = costs.filter(({ measured, designed }) => !isDeepStrictEqual(measured, designed));
  return {
    budgets: [atMost('operations whose requests or units differ from the design', unlike.length, 0)],
    samples: { costs },
    report: [introduction, tableOf(costs)],
  };
}

/** Invokes every operation through the functions' assets and counts its consumption. */
export async function countCosts(context: BenchContext): Promise<OperationCost[]> {
  const { kms, close, ...neighbours } = await startWebhookNeighbours();
  const table = await writeTable(context, { users: 3 * times, accesses: 2 * times, ...neighbours });
  const counter = await countCapacity(table.dynamodb, { kms, except: recordedEachMinute });
  const { endpoint } = counter;
  const endpoints = { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_ENDPOINT_URL_KMS: endpoint };
  const usual = { ...endpoints, ...neighbours.environment };
  const plain = openFunctions({ ...table, environment: usual });
  const caching = openFunctions({ ...table, environment: { ...usual, KEY_STATE_CACHE_SECONDS: '60' } });
  context.progress('Invoking each operation');
  try {
    const costs: OperationCost[] = [];
    for (const operation of costedOperations) {
      const bench = { ...table, functions: operation.isCached ? caching : plain };
      costs.push(await countOperation(operation, bench, counter));
    }
    return costs;
  } finally {
    await Promise.all([plain.close(), caching.close()]);
    await counter.close();
    await Promise.all([table.close(), close()]);
  }
}

/** The record of a directory's requests, which a process writes at most once a minute: one unit. */
const recordedEachMinute = /#ACTIVITY"/;

/**
 * The first may have to do what earlier operations left, and the second to read what the first has written. A process tries to
 * record the use of its key in up to three requests, and not while it still tries.
 */
const warmUps = 6;

async function countOperation(each: Operation, bench: CostBench, counter: CapacityCounter) {
  const counts: Consumption[] = [];
  for (let at = 0; at < times; at++) {
    await each.prepare?.(at, bench);
    const invocation = await each.invoke(at, bench);
    const isFirst = !bench.functions.loaded.has(invocation.name);
    counter.take();
    await bench.functions.run([invocation], each.expected);
    // The function records in the background that the key was used today.
    if (isFirst) await untilQuiet(counter);
    if (at >= warmUps) counts.push(counter.take());
  }
  const { operation, designed } = each;
  return { operation, measured: mostFrequent(counts), designed };
}

/** What most invocations consume: on a busy machine one may retry a request, or save later what it has delivered. */
function mostFrequent(counts: readonly Consumption[]): Consumption {
  const groups = Map.groupBy(counts, (count) => JSON.stringify(count));
  const [first = []] = [...groups.values()].sort((one, other) => other.length - one.length);
  return first[0] ?? nothing;
}

async function untilQuiet(counter: CapacityCounter): Promise<void> {
  do await pause(600);
  while (counter.take().requests > 0);
}

const introduction = `Counted between the functions and the database, as DynamoDB's \`ReturnConsumedCapacity\` reports it. The local
engine follows DynamoDB's published rules in all cases that were checked; they do not say [what the indexes take in a transaction](../operate/costs.md#units-of-the-indexes). Dollars are DynamoDB's on-demand prices; [costs](../operate/costs.md) adds API Gateway, Lambda, logs, transfer and events. They are those of ${prices.region}, read on ${prices.readOn}: <${priceSources[0]}>. Not counted is what a process writes at most once a minute: the record of a directory's requests. DynamoDB cancels a write with a used nonce and bills the transaction without saying how much: assume the units of a change.`;

function tableOf(costs: readonly OperationCost[]): string {
  const head = ['operation', 'requests', 'read units', 'write units', 'of which indexes', '$ per million'];
  const rows = costs.map(({ operation, measured }) => {
    const { requests, readUnits, tableWriteUnits, indexWriteUnits } = measured;
    return [operation, requests, readUnits, tableWriteUnits, indexWriteUnits, dataDollars(measured).toFixed(2)];
  });
  return markdownTable(head, rows);
}
