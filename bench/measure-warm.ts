import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFunction } from '../lib/bundle-function.ts';
import { atLeast, atMost, type Budget } from './budget.ts';
import { buildVariant } from './cold-variants.ts';
import { readProfile, sharesOf } from './cpu-profile.ts';
import { startLocalTable } from './local-table.ts';
import { markdownTable } from './markdown.ts';
import type { BenchContext, Measurement } from './measurement.ts';
import type { BarPlot } from './plot.ts';
import { median, pairedRatios, quartiles } from './statistics.ts';
import { startTlsEndpoint } from './tls-endpoint.ts';
import { startWarmProcess, type WarmProcess, type WarmRun } from './warm-process.ts';

const rounds = 21;
const raw = join(import.meta.dirname, 'raw-post.cjs');

/** Where and how many at a time, and what a read may cost there. */
const settings = [
  { where: 'one core', pinned: true, inFlight: 1, cpuLimit: 4 },
  { where: 'one core', pinned: true, inFlight: 20, cpuLimit: 6 },
  { where: 'two cores', pinned: false, inFlight: 1, cpuLimit: 4 },
  { where: 'two cores', pinned: false, inFlight: 20, cpuLimit: 6 },
] as const;

type Setting = (typeof settings)[number];

/** Samples of the raw call and of the function, by round. */
interface Pair {
  readonly setting: Setting;
  readonly raw: readonly WarmRun[];
  readonly handler: readonly WarmRun[];
}

/** A warm GET through the real handler, next to one raw HTTPS call to the same local table. */
export async function measureWarm({ directory, progress }: BenchContext): Promise<Measurement> {
  const table = await startLocalTable();
  const endpoint = await startTlsEndpoint(directory, table.endpoint);
  try {
    const handler = join(bundleFunction('get-access', directory).directory, 'index.js');
    const pairs: Pair[] = [];
    for (const setting of settings) {
      progress(`${setting.where}, ${setting.inFlight} in flight: the function and a raw call in turn`);
      pairs.push(await measurePair(setting, handler, endpoint.url));
    }
    progress('Profiling the function');
    const shares = await profile(directory, endpoint.url);
    return {
      title: 'Warm',
      budgets: pairs.flatMap(budgetsOf),
      samples: { pairs, profile: Object.fromEntries(shares) },
      report: [introduction, pairTable(pairs), ...profileReport(shares)],
    };
  } finally {
    endpoint.close();
    await table.stop();
  }
}

async function measurePair(setting: Setting, handlerFile: string, url: string): Promise<Pair> {
  const { pinned, inFlight } = setting;
  const requests = inFlight === 1 ? 300 : 1000;
  const processes = [raw, handlerFile].map((file) => startWarmProcess(file, url, { pinned }));
  for (const each of processes) await each.run(2000, 20);
  const samples = processes.map((): WarmRun[] => []);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of order) samples[index]?.push(await (processes[index] as WarmProcess).run(requests, inFlight));
  }
  for (const each of processes) await each.close();
  return { setting, raw: samples[0] ?? [], handler: samples[1] ?? [] };
}

function budgetsOf(pair: Pair): Budget[] {
  const { where, inFlight, cpuLimit } = pair.setting;
  const cpu = atMost(`CPU per GET / raw call, ${inFlight} in flight, ${where}`, ratio(pair, cpuOf), cpuLimit, '×');
  if (inFlight === 1) return [cpu];
  return [cpu, atLeast(`GETs a second / raw calls, 20 in flight, ${where}`, ratio(pair, rateOf), 0.45, '×')];
}

function cpuOf({ cpuMicroseconds }: WarmRun): number {
  return cpuMicroseconds;
}

function rateOf({ requestsPerSecond }: WarmRun): number {
  return requestsPerSecond;
}

function ratio({ handler, raw }: Pair, value: (run: WarmRun) => number): number {
  return median(pairedRatios(handler.map(value), raw.map(value)));
}

const introduction = `A GET of the deployed bundle, from the event to the answer with verification, log and metrics, and a bare
\`node:https\` request of the same size; both to the local table behind TLS, on connections that are kept. CPU is all that the
process used, with its garbage collection and compilation; the table and its TLS have the last core.`;

function pairTable(pairs: readonly Pair[]): string {
  const head = ['', 'GET, µs of CPU', 'raw, µs of CPU', 'ratio', 'GETs/s', 'raw/s', 'ratio'];
  const rows = pairs.map((pair) => [
    `${pair.setting.where}, ${pair.setting.inFlight} in flight`,
    spread(pair.handler.map(cpuOf)),
    spread(pair.raw.map(cpuOf)),
    ratio(pair, cpuOf).toFixed(2),
    spread(pair.handler.map(rateOf)),
    spread(pair.raw.map(rateOf)),
    ratio(pair, rateOf).toFixed(2),
  ]);
  return markdownTable(head, rows);
}

/** The median, and between which values the middle half lies. */
function spread(values: readonly number[]): string {
  const { lower, median: middle, upper } = quartiles(values);
  return `${middle.toFixed(0)} (${lower.toFixed(0)}–${upper.toFixed(0)})`;
}

/** Of the same function, not minified, so that the profile can tell its modules apart. */
async function profile(directory: string, url: string): Promise<[string, number][]> {
  const { file } = await buildVariant({ label: 'profiled', options: { minify: false }, codeCache: 'none' }, directory);
  const folder = join(directory, 'profile');
  const execArgv = ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '200'];
  const process = startWarmProcess(file, url, { pinned: true, execArgv });
  await process.run(15_000, 20);
  await process.close();
  return sharesOf(readProfile(folder), readFileSync(join(dirname(file), 'function.js'), 'utf8'));
}

function profileReport(shares: readonly [string, number][]): (string | BarPlot)[] {
  const bars = shares.map(([label, share]) => {
    const percent = share * 100;
    return { label, lower: percent, median: percent, upper: percent };
  });
  return [
    'Where the time of a GET goes, by V8’s sampling profiler (`--cpu-prof`), 20 in flight, 15,000 requests:',
    { kind: 'bars', file: 'performance-warm.svg', title: 'CPU of a warm GET', unit: '%', bars },
  ];
}
