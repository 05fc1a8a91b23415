import { join } from 'node:path';
import { AuthServiceClient } from '../client/index.ts';
import { createUsers, type LocalService, startLocalService } from './local-service.ts';
import { atMost, type BenchContext, type Measurement, markdownTable } from './measurement.ts';
import { kinds, type LoadTally, type LoadTarget, sendLoad } from './send-load.ts';
import { median, quantile } from './statistics.ts';

const users = 200;
const plan = [
  { connections: 10, seconds: 10 },
  { connections: 1, seconds: 15 },
  { connections: 50, seconds: 15 },
  { connections: 10, seconds: 180 },
] as const;

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

/** Sends a mix of requests to `npm start` with different numbers of connections, and checks the resulting history. */
export async function measureLoad({ directory, progress }: BenchContext): Promise<Measurement> {
  progress('Starting npm start');
  const service = await startLocalService(join(directory, 'data'));
  try {
    const target = await createUsers(service.example, users);
    const runs: Run[] = [];
    for (const { connections, seconds } of plan) {
      progress(`${seconds} s with ${connections} connections`);
      runs.push(await sendWatched(service, target, connections, seconds));
    }
    progress('Reading the history');
    return report(runs, await countChanges(target));
  } finally {
    await service.stop();
  }
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

/** Counts the changes of these users' accesses in the feed of the service. */
export async function countChanges({ userIds, baseUrl, keyId, secret }: LoadTarget): Promise<number> {
  const counted = new Set(userIds);
  // The feed repeats a change until it has a number, so the ids are counted, not the items.
  const found = new Set<string>();
  for await (const { items } of new AuthServiceClient({ baseUrl, keyId, secret }).changes()) {
    for (const change of items) {
      if ('appId' in change && 'userId' in change && counted.has(change.userId)) found.add(change.id);
    }
  }
  return found.size;
}

function report(runs: readonly Run[], changes: number): Measurement {
  const memory = runs.at(-1)?.memory ?? [];
  const errors = runs.flatMap(({ tally }) => tally.errors);
  const changed = runs.reduce((sum, { tally }) => sum + tally.changed, 0);
  const [second, last] = [memoryIn(memory, 60), memoryIn(memory, 120)];
  return {
    budgets: [
      atMost('load: requests that failed', errors.length, 0, ''),
      atMost('load: memory, last minute / second minute', sumOf(last) / sumOf(second), 1.1, '×'),
      atMost('load: missing or surplus changes in the history', Math.abs(changes - changed), 0, ''),
    ],
    samples: { runs: runs.map(summary), errors: errors.slice(0, 100), memory, changes },
    report: [
      `\`npm start\` with its gateway, functions, publisher and database, and ${users} users: 90 % GET, 8 % PUT, 2 % roles assigned and revoked, each request with its own signature and nonce. The load comes from the same machine, so this shows that nothing fails or leaks; it says nothing about AWS.`,
      loadTable(runs.slice(1)),
      `Afterwards the history was read through \`GET /api/service/changes\`: ${changes} changes; the responses had reported ${changed}. With 10 connections, gateway, functions and publisher took ${second.service.toFixed(0)} MB and the database ${second.database.toFixed(0)} MB in the second minute, ${last.service.toFixed(0)} and ${last.database.toFixed(0)} MB in the third.`,
    ],
  };
}

/** The medians of one minute. In the first minute the heap is still growing. */
function memoryIn(memory: readonly MemorySample[], from: number) {
  const samples = memory.filter(({ second }) => second >= from && second < from + 60);
  return {
    service: median(samples.map(({ service }) => service)),
    database: median(samples.map(({ database }) => database)),
  };
}

function sumOf({ service, database }: ReturnType<typeof memoryIn>): number {
  return service + database;
}

function summary({ connections, tally: { milliseconds, byKind, errors, seconds } }: Run) {
  const [p50, p99] = [quantile(milliseconds, 0.5), quantile(milliseconds, 0.99)];
  const perSecond = milliseconds.length / seconds;
  return { connections, seconds, byKind, perSecond, p50, p99, errors: errors.length };
}

function loadTable(runs: readonly Run[]): string {
  const head = ['connections', 'seconds', ...kinds, 'requests per second', 'p50, ms', 'p99, ms', 'errors'];
  const rows = runs
    .map(summary)
    .map(({ connections, seconds, byKind, perSecond, p50, p99, errors }) => [
      connections,
      seconds.toFixed(0),
      ...kinds.map((kind) => byKind[kind]),
      perSecond.toFixed(0),
      p50.toFixed(1),
      p99.toFixed(1),
      errors,
    ]);
  return markdownTable(head, rows);
}
