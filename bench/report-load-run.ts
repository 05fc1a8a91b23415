import { atMost, type Budget } from './budget.ts';
import { markdownTable } from './markdown.ts';
import type { Measurement } from './measurement.ts';
import type { Plot } from './plot.ts';
import type { Agreement } from './read-back.ts';
import { kinds, type LoadTally } from './send-load.ts';
import { median, quantile, quartiles } from './statistics.ts';

/** Resident memory, in megabytes. */
export interface MemorySample {
  readonly second: number;
  readonly service: number;
  readonly database: number;
}

/** What a run has found. */
export interface LoadFindings {
  /** Of the sustained run. */
  readonly plan: { readonly users: number; readonly connections: number; readonly seconds: number };
  readonly runs: readonly { readonly connections: number; readonly tally: LoadTally }[];
  readonly sustained: LoadTally;
  readonly memory: readonly MemorySample[];
  readonly agreement: Agreement;
  readonly signingMicroseconds: number;
  /** All of them, the warm-up too. */
  readonly tallies: readonly LoadTally[];
}

/** What the bench reports of it. */
export function reportLoad(findings: LoadFindings): Measurement {
  const { plan, runs, sustained, memory, agreement, tallies, signingMicroseconds } = findings;
  return {
    title: 'Load',
    budgets: budgets(findings),
    samples: {
      runs: runs.map(({ connections, tally }) => ({ connections, ...summary(tally) })),
      sustained: summary(sustained),
      errors: tallies.flatMap(({ errors }) => errors).slice(0, 100),
      memory,
      agreement,
      signingMicroseconds,
    },
    report: [
      `\`npm start\`, with its gateway, functions, publisher and database on the same ${plan.users} users: 90 % GET, 8 % PUT, 2 % of roles given and taken, each request with a signature and nonce of its own. The load comes from the same machine, which here has to sign, send, route, answer, store and publish; so this shows that nothing fails or leaks, and not what AWS does. The service's own share is under _Warm_.`,
      loadTable([...runs, { connections: plan.connections, tally: sustained }]),
      `Of the generator's CPU time ${signingMicroseconds.toFixed(0)} µs a request go into signing it.`,
      {
        kind: 'bars',
        file: 'performance-load-run.svg',
        title: 'Latency of all requests, by connections',
        unit: 'ms',
        bars: runs.map(({ connections, tally }) => ({
          label: `${connections} at once`,
          ...quartiles(tally.milliseconds),
        })),
      },
      historyText(agreement, tallies),
      "Memory rises with what V8 has not collected yet, and falls again; the database's own grows with what it stores, as the local engine keeps every record of its stream.",
      memoryPlot(memory, plan.seconds),
    ],
  };
}

function budgets({ plan, tallies, memory, agreement }: LoadFindings): Budget[] {
  const errors = tallies.reduce((sum, tally) => sum + tally.errors.length, 0);
  return [
    atMost('load: requests that failed', errors, 0, ''),
    atMost('load: memory, last minute / second minute', growth(memory, plan.seconds), 1.1, '×'),
    atMost('load: changes missing in the history, or too many', Math.abs(agreement.changes - changed(tallies)), 0, ''),
    atMost('load: accesses that their history does not lead to', agreement.disagreeing.length, 0, ''),
  ];
}

/** Of the service and its database; the first minute is the heap's to find its size. */
function growth(memory: readonly MemorySample[], seconds: number): number {
  const of = (from: number, to: number) =>
    median(
      memory.filter(({ second }) => second >= from && second < to).map(({ service, database }) => service + database),
    );
  return of(seconds - 60, seconds) / of(60, 120);
}

function changed(tallies: readonly LoadTally[]): number {
  return tallies.reduce((sum, tally) => sum + tally.changed, 0);
}

function summary({ milliseconds, byKind, errors, changed: changes, seconds, cpuSeconds }: LoadTally) {
  return {
    requests: milliseconds.length,
    byKind,
    changes,
    errors: errors.length,
    seconds,
    perSecond: milliseconds.length / seconds,
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
    percentiles: percentiles(milliseconds),
    generatorMicroseconds: (cpuSeconds * 1e6) / milliseconds.length,
  };
}

/** From the least to the most, in hundredths: every sample would be a hundred thousand numbers. */
function percentiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other);
  return Array.from({ length: 101 }, (_, at) => sorted[Math.round((at / 100) * (sorted.length - 1))] ?? Number.NaN);
}

function loadTable(runs: LoadFindings['runs']): string {
  const head = [
    'connections',
    'seconds',
    ...kinds,
    'requests a second',
    'p50, ms',
    'p99, ms',
    'errors',
    "generator's CPU, µs a request",
  ];
  const rows = runs.map(({ connections, tally }) => {
    const { byKind, seconds, perSecond, p50, p99, errors, generatorMicroseconds } = summary(tally);
    const counts = kinds.map((kind) => byKind[kind]);
    const latencies = [p50.toFixed(1), p99.toFixed(1)];
    return [
      connections,
      seconds.toFixed(0),
      ...counts,
      perSecond.toFixed(0),
      ...latencies,
      errors,
      generatorMicroseconds.toFixed(0),
    ];
  });
  return markdownTable(head, rows);
}

function historyText({ changes, accesses, disagreeing }: Agreement, tallies: readonly LoadTally[]): string {
  return `Afterwards the whole history was read through \`GET /api/service/changes\`: ${changes} changes, where the answers had told of ${changed(tallies)}. Folded change by change, each leading on from the version before it, they end in the state of ${accesses - disagreeing.length} of ${accesses} accesses.`;
}

function memoryPlot(memory: readonly MemorySample[], seconds: number): Plot {
  const halfMinutes = Array.from({ length: seconds / 30 }, (_, at) => at * 30);
  const points = (part: 'service' | 'database') =>
    halfMinutes.map((from) => {
      const samples = memory.filter(({ second }) => second >= from && second < from + 30);
      return { x: from + 15, ...quartiles(samples.map((sample) => sample[part])) };
    });
  return {
    kind: 'lines',
    file: 'performance-memory.svg',
    title: `Memory under load for ${seconds / 60} minutes`,
    xLabel: 'seconds',
    yLabel: 'MB',
    series: [
      { label: 'gateway, functions and publisher', points: points('service') },
      { label: 'database', points: points('database') },
    ],
  };
}
