import { isDeepStrictEqual } from 'node:util';
import { atMost, type Budget } from './budget.ts';
import { countCosts, type DesignCost, type OperationCost } from './count-costs.ts';
import { markdownTable } from './markdown.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import { computeDollars, dataDollars, priceSources, prices } from './prices.ts';

/** What a function of 1 GB runs for, as far as it is not measured here: by calculation from its CPU time, and DynamoDB's usual answer. */
const assumed = { computeMilliseconds: 4, tripMilliseconds: 4 } as const;

/** Requests, request units and dollars of each operation, next to three common designs on the same database. */
export async function measureCost(context: BenchContext): Promise<Measurement> {
  const { operations, designs } = await countCosts(context);
  return {
    title: 'Requests and money',
    budgets: [...operationBudgets(operations), ...designBudgets(designs)],
    samples: { operations, designs, prices },
    report: [
      introduction,
      operationTable(operations),
      'Next to three common designs, each built on the same database with the same kind of items, all of them read strongly consistent. A forged request passes no key lookup here, so it cannot run up a bill.',
      designTable(designs),
      remarks,
      {
        kind: 'bars',
        file: 'performance-cost.svg',
        title: 'A million GETs, by design: DynamoDB, KMS, Lambda and API Gateway',
        unit: '$',
        bars: designs.map((design) => {
          const dollars = dataDollars(design.get) + requestDollars(design.getTrips);
          return { label: design.design, lower: dollars, median: dollars, upper: dollars };
        }),
      },
    ],
  };
}

function operationBudgets(operations: readonly OperationCost[]): Budget[] {
  const most = (kind: RegExp) =>
    Math.max(...operations.filter(({ operation }) => kind.test(operation)).map(({ measured }) => measured.requests));
  const unlike = operations.filter(({ measured, designed }) => !isDeepStrictEqual(measured, designed));
  return [
    atMost('requests to DynamoDB per GET of an access', most(/^GET access/), 1, ''),
    atMost('requests to DynamoDB per write', most(/^(?:PUT|POST|DELETE)/), 2, ''),
    atMost('requests to DynamoDB per forged request', most(/^forged/), 0, ''),
    atMost('operations that take other units than designed', unlike.length, 0, ''),
  ];
}

function designBudgets([own, ...rivals]: readonly DesignCost[]): Budget[] {
  if (own === undefined) return [];
  return rivals.map(({ design, get }) =>
    atMost(`dollars of a GET / ${design}`, dataDollars(own.get) / dataDollars(get), 1, '×'),
  );
}

const introduction = `Counted on the wire, between the deployed bundles and the database, from what DynamoDB answers to
\`ReturnConsumedCapacity\`. The local engine follows DynamoDB's published rules in all cases that were checked. Dollars are
of ${prices.region}, on demand, read on ${prices.readOn}: ${priceSources.map((source) => `<${source}>`).join(', ')}.`;

function operationTable(operations: readonly OperationCost[]): string {
  const head = [
    'operation',
    'requests',
    'read units',
    'write units: table',
    'index',
    '$ per million',
    'with Lambda, API Gateway',
  ];
  return markdownTable(
    head,
    operations.map(({ operation, measured }) => [
      operation,
      measured.requests,
      measured.readUnits,
      measured.tableWriteUnits,
      measured.indexWriteUnits,
      money(dataDollars(measured)),
      // One after the other, in each of them.
      money(dataDollars(measured) + requestDollars(measured.requests)),
    ]),
  );
}

function designTable(designs: readonly DesignCost[]): string {
  const head = [
    'design',
    'GET: round trips, one after the other',
    'requests',
    '$ per million GETs: DynamoDB, KMS',
    'with Lambda, API Gateway',
    'a change',
    'what already holds',
    'forged',
  ];
  return markdownTable(
    head,
    designs.map(({ design, getTrips, get, change, leave, forged }) => [
      design,
      getTrips,
      get.requests + get.kmsRequests,
      money(dataDollars(get)),
      money(dataDollars(get) + requestDollars(getTrips)),
      money(dataDollars(change)),
      money(dataDollars(leave)),
      money(dataDollars(forged)),
    ]),
  );
}

const remarks = `The columns with Lambda and API Gateway assume ${assumed.computeMilliseconds} ms of computing and
${assumed.tripMilliseconds} ms for each round trip in a function of 1 GB; they are derived, not measured. One item per setting
writes for less because it promises less: its nonce, status and history are three writes without a transaction, and a
crash between them leaves a change without its record. Read eventually consistent, every design would pay half for its
reads, and a revoked key would go on opening doors for a moment. A write that meets a spent nonce is cancelled by
DynamoDB, which bills the transaction and does not say how much: reckon with a change's units.`;

/** Of one million requests that wait for so many round trips. */
function requestDollars(trips: number): number {
  return computeDollars(assumed.computeMilliseconds + trips * assumed.tripMilliseconds);
}

function money(dollars: number): string {
  return dollars.toFixed(2);
}
