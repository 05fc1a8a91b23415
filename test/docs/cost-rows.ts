import type { Operation } from '../../bench/costed-operation.ts';
import { assumed, dataDollars, numberingUnits, prices } from '../../bench/prices.ts';

/** What a million of an operation asks of everything that is paid by use. */
export interface CostedOperation {
  readonly name: string;
  readonly readUnits: number;
  /** Of table and indexes, without the numbering. */
  readonly writeUnits: number;
  /** Round trips to DynamoDB, one after the other. */
  readonly trips: number;
  /** Whether it makes a change, and so an event. */
  readonly changes: boolean;
  /** Whether its log is the one short line of a read that succeeds. */
  readonly isBrief: boolean;
}

/** A row of the table of operations. */
export function costRow(operation: CostedOperation): string {
  const { name, readUnits, writeUnits, changes } = operation;
  const parts = partsOf(operation);
  const dollars = [parts.data, parts.api, parts.lambda, parts.event, parts.logs + parts.transfer];
  const units = [readUnits, writeUnits, changes ? numberingUnits.write : 0];
  return row([name, ...units, ...dollars.map(money), bold(dollarsOf(operation))]);
}

/** Dollars for a million of an operation, in all. */
export function dollarsOf(operation: CostedOperation): number {
  return Object.values(partsOf(operation)).reduce((total, part) => total + part, 0);
}

/** An operation of a connection, by what it is designed to consume; each change is in an index. */
export function costedOf({ operation, designed, isBrief = false }: Operation): CostedOperation {
  const { requests, readUnits, tableWriteUnits, indexWriteUnits } = designed;
  const writeUnits = tableWriteUnits + indexWriteUnits;
  return { name: operation, readUnits, writeUnits, trips: requests, changes: indexWriteUnits > 0, isBrief };
}

/** A row of the table of what runs for webhooks. */
export function webhookRow(operation: Operation): string {
  const { readUnits, tableWriteUnits, kmsRequests } = operation.designed;
  const { data, lambda, kms, logs } = webhookParts(operation);
  const dollars = [data, lambda, kms, logs].map(money);
  return row([
    operation.operation,
    readUnits,
    tableWriteUnits,
    kmsRequests,
    ...dollars,
    bold(webhookDollars(operation)),
  ]);
}

/** Dollars for a million of what runs for webhooks. */
export function webhookDollars(operation: Operation): number {
  return Object.values(webhookParts(operation)).reduce((total, part) => total + part, 0);
}

/** Each post writes metrics, and is answered. */
function webhookParts({ designed, posts = 0 }: Operation) {
  const { computeMilliseconds, tripMilliseconds, receiverMilliseconds, logBytes, answerBytes } = assumed;
  const waits = designed.requests * tripMilliseconds + posts * receiverMilliseconds;
  return {
    data: dataDollars(designed),
    lambda: deliveryDollars(computeMilliseconds + waits),
    kms: designed.kmsRequests * prices.perMillion.kmsRequests,
    logs: posts * (logDollars(logBytes) + transferDollars(answerBytes)),
  };
}

/** Dollars a month for what runs each minute. */
export function eachMinuteDollars(operation: Operation): number {
  return (minutesPerMonth * webhookDollars(operation)) / 1e6;
}

/** The parts of a GET's price and what each setting adds to them, in the order of the page. */
export function partRows(get: CostedOperation): string[] {
  const { data, api, lambda, logs, transfer } = partsOf(get);
  const cached = partsOf({ ...get, readUnits: get.readUnits - 1 });
  const running = computeMillisecondsOf(get) * 1000 * prices.provisionedGigabyteSecond.running;
  return [
    row(['API Gateway', money(api)]),
    row(['Lambda', money(lambda)]),
    row(['DynamoDB', money(data)]),
    row(['one log line', money(logs)]),
    row(['transfer', money(transfer)]),
    row(['`tracing` = `on`', added(assumed.tracedShare * prices.perMillion.traces)]),
    row(['`accessLog` = `on`', added(logDollars(assumed.accessLogBytes))]),
    row(['stage `dev`: log level INFO of Lambda', added(logDollars(assumed.systemLogBytes))]),
    row(['`keyStateCacheSeconds`', added(cached.data - data)]),
    row(['`provisionedConcurrency`', added(prices.perMillion.lambdaRequests + running - lambda)]),
  ];
}

/** Dollars for a million checks of 100 users, which take longer and have a longer answer than a GET. */
export function checkDollars({ designed: { readUnits }, isBrief = false }: Operation): number {
  const { computeMilliseconds, answerBytes } = { computeMilliseconds: 40, answerBytes: 15_000 };
  const get = { name: '', readUnits, writeUnits: 0, trips: 1, changes: false, isBrief };
  const longer = (computeMilliseconds - assumed.computeMilliseconds) * 1000 * prices.lambdaGigabyteSecond;
  return dollarsOf(get) + longer + transferDollars(answerBytes - assumed.answerBytes);
}

const monthSeconds = 730 * 3600;

/** Dollars a month for a replica that polls so often. */
export function pollingDollars(feed: CostedOperation, everySeconds: number): number {
  return (monthSeconds / everySeconds / 1e6) * dollarsOf(feed);
}

/** The same for one whose requests wait in a function of 1 GB, up to 20 seconds each, which reads the feed every second. */
export function waitingDollars({ readUnits }: CostedOperation): number {
  const { httpApiRequests, lambdaRequests, readRequestUnits } = prices.perMillion;
  const each =
    prices.lambdaGigabyteSecond + (readUnits * readRequestUnits + (httpApiRequests + lambdaRequests) / 20) / 1e6;
  return monthSeconds * each;
}

/** Dollars a month for one environment of 1 GB that is always ready. */
export const readyMonthDollars = monthSeconds * prices.provisionedGigabyteSecond.ready;

/** A million decisions before tokens: the reads and the time of a GET, without an API, and without a log line. */
export function decisionDollars(get: CostedOperation): number {
  const { data, lambda } = partsOf(get);
  return data + lambda;
}

/** A row of the page's table about the login, for people who are active within a month. */
export function loginRow(people: number, get: CostedOperation): string {
  const { person, freePeople, freeFederatedPeople } = prices.cognito;
  const paid = (free: number) => Math.max(0, people - free) * person;
  const decisions = ((people * assumed.decisionsOfPerson) / 1e6) * decisionDollars(get);
  const dollars = [paid(freePeople), paid(freeFederatedPeople), decisions];
  return row([people, ...dollars].map((each) => each.toLocaleString('en-US', { maximumFractionDigits: 0 })));
}

/** A row of the page's table about the indexes: the dollars with one and with two units for each of their items. */
export function indexRow(operation: CostedOperation, index: number): string {
  const table = operation.writeUnits - index;
  const [from, to] = [table + index, table + 2 * index].map((writeUnits) =>
    money(dollarsOf({ ...operation, writeUnits })),
  );
  return row([operation.name, table, index, 2 * index, `${from} – ${to}`]);
}

/** The parts of a stack that cost the same each month, without any request but the canary's. */
export interface IdleStack {
  readonly alarmMetrics: number;
  readonly dashboards: number;
  /** KMS keys: root keys, and keys that sign. */
  readonly keys: number;
  /** Whether the canary runs each minute. */
  readonly canary: boolean;
}

/** What a run of the canary asks: twice an access, once to block, and once the feed. */
const canaryRun = (get: CostedOperation, put: CostedOperation, feed: CostedOperation) =>
  2 * dollarsOf(get) + dollarsOf(put) + dollarsOf(feed);
const canaryMetrics = 6;
const minutesPerMonth = 43_200;

/** The rows of the page about what an idle stack costs a month, one column for each stack, with the total. */
export function idleRows(stacks: readonly IdleStack[], operations: readonly CostedOperation[]): string[] {
  const [get, put, , , , feed] = operations as [CostedOperation, CostedOperation, ...CostedOperation[]] & {
    5: CostedOperation;
  };
  const { alarmMetric, dashboard, metric, key } = prices.monthly;
  // A second with half a gigabyte for each run.
  const runs = minutesPerMonth * (canaryRun(get, put, feed) / 1e6 + 0.5 * prices.lambdaGigabyteSecond);
  const parts = stacks.map((stack) => [
    stack.alarmMetrics * alarmMetric,
    stack.dashboards * dashboard,
    stack.keys * key,
    stack.canary ? runs : 0,
    stack.canary ? canaryMetrics * metric : 0,
  ]);
  const totals = parts.map((each) => each.reduce((sum, one) => sum + one, 0));
  const names = ['alarms', 'dashboard', 'KMS keys', "the canary's requests", "the canary's metrics"];
  const rows = names.map((name, at) => row([name, ...parts.map((each) => money(each[at] ?? 0))]));
  return [...rows, row(['**together**', ...totals.map(bold)])];
}

function partsOf({ readUnits, writeUnits, changes, isBrief, ...operation }: CostedOperation) {
  const { httpApiRequests, busEvents } = prices.perMillion;
  const logBytes = (isBrief ? assumed.briefLogBytes : assumed.logBytes) + (changes ? assumed.publisherLogBytes : 0);
  return {
    data:
      dataDollars({ readUnits, tableWriteUnits: writeUnits, indexWriteUnits: 0 }) + (changes ? numberingDollars : 0),
    api: httpApiRequests,
    lambda: lambdaDollars(computeMillisecondsOf(operation)),
    event: changes ? busEvents + readersDollars : 0,
    logs: logDollars(logBytes),
    transfer: transferDollars(assumed.answerBytes),
  };
}

function computeMillisecondsOf({ trips }: Pick<CostedOperation, 'trips'>): number {
  return assumed.computeMilliseconds + trips * assumed.tripMilliseconds;
}

function lambdaDollars(milliseconds: number): number {
  return computeDollars(milliseconds) - prices.perMillion.httpApiRequests;
}

/** Dollars per million of changes that get their numbers. */
const numberingDollars =
  numberingUnits.read * prices.perMillion.readRequestUnits + numberingUnits.write * prices.perMillion.writeRequestUnits;

/** The publisher and `number-changes`, each run for one change alone. */
const readersDollars = lambdaDollars(assumed.publisherMilliseconds) + lambdaDollars(assumed.numberingMilliseconds);

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

function added(dollars: number): string {
  return dollars < 0 ? `−${money(-dollars)}` : `+${money(dollars)}`;
}

function bold(dollars: number): string {
  return `**${money(dollars)}**`;
}

function money(dollars: number): string {
  return dollars.toFixed(2);
}

/** Dollars per million requests to a function of 1 GB behind the HTTP API that runs for this time. */
function computeDollars(milliseconds: number): number {
  const { httpApiRequests, lambdaRequests } = prices.perMillion;
  return httpApiRequests + lambdaRequests + milliseconds * 1000 * prices.lambdaGigabyteSecond;
}

/** Dollars for a million invocations for webhooks that run for this time: no HTTP API, and less memory. */
function deliveryDollars(milliseconds: number): number {
  const gigabyteSeconds = (milliseconds / 1000) * assumed.deliveryGigabytes;
  return prices.perMillion.lambdaRequests + gigabyteSeconds * 1e6 * prices.lambdaGigabyteSecond;
}

/** Dollars for a million log entries of this size. */
function logDollars(bytes: number): number {
  return (bytes / 1000) * prices.logGigabyte;
}

/** Dollars for a million responses of this size. */
function transferDollars(bytes: number): number {
  return (bytes / 1000) * prices.transferGigabyte;
}
