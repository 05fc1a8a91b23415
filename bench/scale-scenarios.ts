import { type Flow, initialPartitions, partitionLimits, simulatePartitions } from './simulate-partitions.ts';

/** Units of an operation, as `npm run bench -- --only cost` counts them. */
const units = {
  /** The application's item, read with every request unless its state is kept for a while. */
  readApplication: 1,
  /** User and Access. */
  readUser: 2,
  /** Nonce, Access, check of the User and Change, each twice. */
  writeTable: 8,
  /** The Access in its application's list. */
  writeAccessIndex: 1,
} as const;

/** How long a request keeps a Lambda environment busy; a conservative estimate. */
const requestSeconds = 0.01;

const hour = 3600;
/** Averages are of the last minutes, when the splits have taken effect. */
const settled = { from: hour - 300, to: hour } as const;

/** Requests a second that are sent and served, in the steady state. */
export interface Served {
  readonly rate: number;
  readonly served: number;
}

/** GETs of one application, by its `keyStateCacheSeconds`. */
export function hotApplication(keyStateCacheSeconds: number): Served[] {
  return [1000, 2000, 3000, 4000, 6000, 8000, 10_000].map((rate) => {
    const flows = [applicationReads(rate, keyStateCacheSeconds), userReads(rate)];
    return { rate, served: rate * servedShare(flows, settled) };
  });
}

/** GETs of a thousand applications, of which the k-th sends 1/k as many as the first. */
export interface ManyApplications {
  readonly rate: number;
  /** Of the largest application. */
  readonly topRate: number;
  /** Applications whose reads alone exceed the limit of one item. */
  readonly beyond: number;
  /** The read units of all, as a multiple of what a new table takes. */
  readonly ofNewTable: number;
  /** Share of all requests that are throttled, in the steady state. */
  readonly throttled: number;
}

const applications = 1000;
/** The others are too small to reach a limit, and are simulated as one flow. */
const ownFlows = 20;

export function manyApplications(keyStateCacheSeconds: number): ManyApplications[] {
  const weights = Array.from({ length: applications }, (_, at) => 1 / (at + 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return [5000, 10_000, 20_000, 40_000].map((rate) => {
    const rates = weights.map((weight) => (rate * weight) / whole);
    const large = rates.slice(0, ownFlows);
    const rest = rates.slice(ownFlows).reduce((sum, each) => sum + each, 0);
    const flows = [
      ...large.map((each) => applicationReads(each, keyStateCacheSeconds)),
      constant('read', 'many keys', rest * units.readApplication),
      userReads(rate),
    ];
    const result = simulatePartitions({ flows, seconds: hour });
    const users = shareOf(result.flows.at(-1), settled);
    const served = [...large, rest].reduce((sum, each, at) => sum + each * shareOf(result.flows[at], settled), 0);
    const [topRate = 0] = rates;
    return {
      rate,
      topRate,
      beyond: large.filter((each) => readsOf(each, keyStateCacheSeconds) > partitionLimits.read).length,
      ofNewTable: (rate * (units.readApplication + units.readUser)) / (initialPartitions * partitionLimits.read),
      // Sums of shares are not exact.
      throttled: Math.max(0, Number((1 - (served / rate) * users).toFixed(9))),
    };
  });
}

/** Changes of one application, whose records take so many units each in its history; beside it another one with 50 a second. */
export function hotHistory(unitsPerChange: number): (Served & { readonly neighbour: number })[] {
  return [250, 500, 1000, 1500, 2000, 3000].map((rate) => {
    const flows = [
      constant('write', 'ascending', rate * unitsPerChange),
      constant('write', 'one key', rate * units.writeAccessIndex),
      constant('write', 'many keys', rate * units.writeTable),
      constant('write', 'ascending', 50),
    ];
    const { flows: results } = simulatePartitions({ flows, seconds: hour });
    const [history, list, table, neighbour] = results.map((result) => shareOf(result, settled));
    return { rate, served: rate * Math.min(history ?? 0, list ?? 0, table ?? 0), neighbour: neighbour ?? 0 };
  });
}

/** Users created a second; all of them are in one list, in the order of their ids. */
export function importOfUsers(ids: 'ascending' | 'random'): Served[] {
  return [500, 1000, 2000, 4000].map((rate) => {
    const flows = [
      constant('write', ids === 'ascending' ? 'ascending' : 'one key', rate),
      constant('write', 'many keys', rate * 4),
    ];
    return { rate, served: rate * servedShare(flows, settled) };
  });
}

function applicationReads(rate: number, keyStateCacheSeconds: number): Flow {
  return constant('read', 'one item', readsOf(rate, keyStateCacheSeconds));
}

/** Each environment reads the application's item once in so many seconds. */
function readsOf(rate: number, keyStateCacheSeconds: number): number {
  if (keyStateCacheSeconds === 0) return rate * units.readApplication;
  return Math.min(rate, Math.ceil(rate * requestSeconds) / keyStateCacheSeconds) * units.readApplication;
}

function userReads(rate: number): Flow {
  return constant('read', 'many keys', rate * units.readUser);
}

function constant(kind: Flow['kind'], spread: Flow['spread'], unitsPerSecond: number): Flow {
  return { kind, spread, unitsPerSecond: () => unitsPerSecond };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Of requests that need something of every flow. */
function servedShare(flows: readonly Flow[], span: Span): number {
  const { flows: results } = simulatePartitions({ flows, seconds: hour });
  return Math.min(...results.map((result) => shareOf(result, span)));
}

function shareOf(
  result: { readonly asked: readonly number[]; readonly served: readonly number[] } | undefined,
  { from, to }: Span,
): number {
  const sum = (values: readonly number[] = []) => values.slice(from, to).reduce((total, value) => total + value, 0);
  const asked = sum(result?.asked);
  return asked === 0 ? 1 : sum(result?.served) / asked;
}
