import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { changeSettlingSeconds } from '#shared/contract/time-bounds.ts';
import type { SeededExample } from '../local/seed-example.ts';
import { createManageClient } from '../local/sigv4-client.ts';
import { type Agreement, compareHistory, type LoadTarget } from './compare-history.ts';
import { atMost, type BenchContext, type Budget, type Measurement, markdownTable } from './measurement.ts';
import type { LinePicture } from './pictures.ts';
import { kinds, type LoadTally, sendLoad } from './send-load.ts';
import { median, quantile, quartiles } from './statistics.ts';

const users = 200;
const plan = [
  { connections: 10, seconds: 10 },
  { connections: 1, seconds: 15 },
  { connections: 50, seconds: 15 },
  { connections: 10, seconds: 180 },
] as const;

/** `npm start` in a process of its own. */
export interface LocalService {
  readonly example: SeededExample;
  /** Its process, and that of the database, which leads a group. */
  readonly processes: readonly number[];
  /** Megabytes of resident memory of its process and of the database's. */
  memory(): { readonly service: number; readonly database: number };
  stop(): Promise<void>;
}

interface MemorySample {
  readonly second: number;
  readonly service: number;
  readonly database: number;
}

interface Run {
  readonly connections: number;
  readonly tally: LoadTally;
  readonly memory: readonly MemorySample[];
}

/** A mix of requests against `npm start`, with several numbers of connections, and the history that they leave. */
export async function measureLoad({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Starting npm start');
  const service = await startLocalService(join(directory, 'data'));
  try {
    const target = await createUsers(service);
    const runs: Run[] = [];
    for (const { connections, seconds } of plan) {
      progress(`${seconds} s with ${connections} connections`);
      runs.push(await sendWatched(service, target, connections, seconds));
    }
    progress('Reading the history');
    await pause((changeSettlingSeconds + 1) * 1000);
    return report(runs, await compareHistory(target));
  } finally {
    await service.stop();
  }
}

/** On free ports, with its data in a new folder or in the engine at an endpoint, once it is ready. */
export async function startLocalService(folder: string, dynamodb?: string): Promise<LocalService> {
  const script = join(import.meta.dirname, '../local/start.ts');
  const ownAddresses = { PORT: '0', MANAGE_PORT: undefined, OIDC_PORT: undefined, DYNAMODB_ENDPOINT: dynamodb };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, `--data=${folder}`], {
    env: { ...process.env, ...ownAddresses },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  createInterface(child.stdout).on('line', (line) => line.startsWith('Ready after') && resolve());
  const code = await Promise.race([ready, exited]);
  if (code !== undefined) throw new Error(`npm start ended with ${code}`);
  const pid = child.pid ?? 0;
  return {
    example: JSON.parse(readFileSync(join(folder, 'example.json'), 'utf8')),
    processes: [pid, childOf(pid)],
    memory: () => ({ service: megabytesOf(pid), database: megabytesOf(childOf(pid)) }),
    stop: async () => {
      child.kill('SIGINT');
      await exited;
    },
  };
}

/** The emulator, the only child process of a started service. */
function childOf(pid: number): number {
  const [first = '0'] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return Number(first);
}

/** Resident memory (proc(5)). */
function megabytesOf(pid: number): number {
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

/** Users for a load, in the example application. */
export async function createUsers({ example }: LocalService): Promise<LoadTarget> {
  const send = createManageClient(example.manageUrl, example);
  const userIds = Array.from({ length: users }, (_, at) => `load-${at}`);
  for (const userId of userIds) {
    const { status } = await send('PUT', `/users/${userId}`, {});
    if (status !== 201) throw new Error(`Creating ${userId} got ${status}`);
  }
  return { ...example, userIds };
}

async function sendWatched(
  service: LocalService,
  target: LoadTarget,
  connections: number,
  seconds: number,
): Promise<Run> {
  const startedAt = Date.now();
  const memory: MemorySample[] = [];
  const timer = setInterval(() => {
    memory.push({ second: (Date.now() - startedAt) / 1000, ...service.memory() });
  }, 1000);
  const tally = await sendLoad(target, connections, seconds);
  clearInterval(timer);
  return { connections, tally, memory };
}

function report(runs: readonly Run[], agreement: Agreement): Measurement {
  const { changes, accesses, disagreeing } = agreement;
  const memory = runs.at(-1)?.memory ?? [];
  return {
    budgets: budgetsOf(runs, memory, agreement),
    samples: { runs: runs.map(summary), errors: errorsOf(runs).slice(0, 100), memory, agreement },
    report: [
      `\`npm start\` with its gateway, functions, publisher and database, and ${users} users: 90 % GET, 8 % PUT, 2 % roles assigned and revoked, each request with a signature and nonce of its own. The load comes from the same machine, so this shows that nothing fails or leaks, and not what AWS does.`,
      loadTable(runs.slice(1)),
      `Afterwards the history was read through \`GET /api/service/changes\`: ${changes} changes, ${changedBy(runs)} by the answers. Applied one after the other, they lead to the current state of ${accesses - disagreeing.length} of ${accesses} accesses.`,
      memoryPicture(memory),
    ],
  };
}

function budgetsOf(runs: readonly Run[], memory: readonly MemorySample[], agreement: Agreement): Budget[] {
  return [
    atMost('load: requests that failed', errorsOf(runs).length, 0, ''),
    atMost('load: memory, last minute / second minute', memoryIn(memory, 120) / memoryIn(memory, 60), 1.1, '×'),
    atMost('load: changes missing in the history, or too many', Math.abs(agreement.changes - changedBy(runs)), 0, ''),
    atMost('load: accesses that their history does not lead to', agreement.disagreeing.length, 0, ''),
  ];
}

/** Of the service and its database, in one minute. In the first one the heap still finds its size. */
function memoryIn(memory: readonly MemorySample[], from: number): number {
  const samples = memory.filter(({ second }) => second >= from && second < from + 60);
  return median(samples.map(({ service, database }) => service + database));
}

function errorsOf(runs: readonly Run[]): string[] {
  return runs.flatMap(({ tally }) => tally.errors);
}

function changedBy(runs: readonly Run[]): number {
  return runs.reduce((sum, { tally }) => sum + tally.changed, 0);
}

function summary({ connections, tally: { milliseconds, byKind, errors, seconds } }: Run) {
  const [p50, p99] = [quantile(milliseconds, 0.5), quantile(milliseconds, 0.99)];
  const perSecond = milliseconds.length / seconds;
  return { connections, seconds, byKind, perSecond, p50, p99, errors: errors.length };
}

function loadTable(runs: readonly Run[]): string {
  const head = ['connections', 'seconds', ...kinds, 'requests a second', 'p50, ms', 'p99, ms', 'errors'];
  const rows = runs
    .map(summary)
    .map(({ connections, seconds, byKind, perSecond, p50, p99, errors }) => [
      ...[connections, seconds.toFixed(0), ...kinds.map((kind) => byKind[kind])],
      ...[perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), errors],
    ]);
  return markdownTable(head, rows);
}

function memoryPicture(memory: readonly MemorySample[]): LinePicture {
  const halfMinutes = Array.from({ length: Math.floor((memory.at(-1)?.second ?? 0) / 30) }, (_, at) => at * 30);
  const points = (part: 'service' | 'database') =>
    halfMinutes.map((from) => {
      const samples = memory.filter(({ second }) => second >= from && second < from + 30);
      return { x: from + 15, ...quartiles(samples.map((sample) => sample[part])) };
    });
  return {
    kind: 'lines',
    file: 'performance-memory.svg',
    title: 'Memory under load with 10 connections',
    xLabel: 'seconds',
    yLabel: 'MB',
    series: [
      { label: 'gateway, functions and publisher', points: points('service') },
      { label: 'database', points: points('database') },
    ],
  };
}
