import { computeDollars, dataDollars, prices } from '../../bench/prices.ts';

/** What a million of an operation asks of everything that is paid by use. */
export interface CostedOperation {
  readonly name: string;
  readonly readUnits: number;
  /** Of table and index. */
  readonly writeUnits: number;
  /** Round trips to DynamoDB, one after the other. */
  readonly trips: number;
  /** Whether it makes a change, and so an event. */
  readonly changes: boolean;
}

/** What is assumed where nothing is measured; the page says the same. */
export const assumed = {
  computeMilliseconds: 4,
  tripMilliseconds: 4,
  publisherMilliseconds: 10,
  logBytes: 1300,
  publisherLogBytes: 400,
  answerBytes: 1000,
  tracedShare: 0.05,
} as const;

/** A row of the page's table. */
export function costRow(operation: CostedOperation): string {
  const { name, readUnits, writeUnits } = operation;
  const parts = partsOf(operation);
  return `| ${[name, readUnits, writeUnits, ...parts.map(money), `**${money(sumOf(parts))}**`].join(' | ')} |`;
}

/** Write units of one operation on two engines, as `bench/engines.json` has them. */
export interface EngineUnits {
  readonly emulator: { readonly tableWriteUnits: number; readonly indexWriteUnits: number };
  readonly other: { readonly indexWriteUnits: number };
}

/** A row of the page's table about the index: the dollars with one and with two units for each of its items. */
export function indexRow(operation: CostedOperation, { emulator, other }: EngineUnits): string {
  const { tableWriteUnits: table, indexWriteUnits: index } = emulator;
  const [from, to] = [table + index, table + 2 * index].map((writeUnits) =>
    money(sumOf(partsOf({ ...operation, writeUnits }))),
  );
  return `| ${[operation.name, table, index, other.indexWriteUnits, 2 * index, `${from} – ${to}`].join(' | ')} |`;
}

/** Dollars for DynamoDB, API Gateway, Lambda, the event and the rest. */
function partsOf({ readUnits, writeUnits, trips, changes }: CostedOperation): readonly number[] {
  const { httpApiRequests, busEvents, traces } = prices.perMillion;
  const data = dataDollars({ readUnits, tableWriteUnits: writeUnits, indexWriteUnits: 0, requests: 0, kmsRequests: 0 });
  const lambda = lambdaDollars(assumed.computeMilliseconds + trips * assumed.tripMilliseconds);
  const event = changes ? busEvents + lambdaDollars(assumed.publisherMilliseconds) : 0;
  const logBytes = assumed.logBytes + (changes ? assumed.publisherLogBytes : 0);
  const rest =
    gigabytes(logBytes) * prices.logGigabyte +
    assumed.tracedShare * traces +
    gigabytes(assumed.answerBytes) * prices.transferGigabyte;
  return [data, httpApiRequests, lambda, event, rest];
}

function sumOf(parts: readonly number[]): number {
  return parts.reduce((total, part) => total + part, 0);
}

function lambdaDollars(milliseconds: number): number {
  return computeDollars(milliseconds) - prices.perMillion.httpApiRequests;
}

/** Of a million times so many bytes. */
function gigabytes(bytes: number): number {
  return bytes / 1000;
}

function money(dollars: number): string {
  return dollars.toFixed(2);
}
