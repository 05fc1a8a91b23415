import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { AuthServiceClient } from '../client/index.ts';
import { type AccessReplica, createAccessReplica } from '../client/replica.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { benchKey, type Population, userIdAt } from './populations.ts';
import { startReplicaService } from './replica-service.ts';
import { median } from './statistics.ts';

const entries = 100_000;
const population: Population = {
  users: entries,
  accesses: entries,
  applications: 1,
  keysPerApplication: 1,
  rolesPerUser: 1,
};
const checksPerRound = 200_000;
const rounds = 15;

/** How large a replica is, how long it takes to load, and how fast it decides. */
export async function measureReplica(context: BenchContext): Promise<Measurement> {
  const service = await startReplicaService(population, context);
  try {
    const api = await service.serve(0);
    const client = new AuthServiceClient({ baseUrl: api.url, ...benchKey });
    context.progress(`Loading ${entries} entries`);
    collectGarbage();
    const heapBefore = process.memoryUsage().heapUsed;
    const startedAt = performance.now();
    const replica = await createAccessReplica({ client });
    const seconds = (performance.now() - startedAt) / 1000;
    collectGarbage();
    const heapMegabytes = (process.memoryUsage().heapUsed - heapBefore) / 1e6;
    context.progress(`${rounds} rounds of ${checksPerRound} checks`);
    const microseconds = Array.from({ length: rounds }, () => timeChecks(replica));
    await replica.close();
    await api.close();
    return report({ seconds, heapMegabytes, microseconds, bytes: await measureEntries() });
  } finally {
    await service.close();
  }
}

/** Every other user is one of whom the replica knows nothing. In CPU time, which other processes do not lengthen. */
function timeChecks(replica: AccessReplica): number {
  const userIds = Array.from({ length: checksPerRound }, (_, at) => userIdAt(at));
  const before = process.cpuUsage();
  for (const userId of userIds) replica.check(userId);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / checksPerRound;
}

interface Found {
  readonly seconds: number;
  readonly heapMegabytes: number;
  readonly microseconds: readonly number[];
  readonly bytes: Readonly<Record<string, number>>;
}

function report({ seconds, heapMegabytes, microseconds, bytes }: Found): Measurement {
  const { main = Number.NaN, replica = Number.NaN, file = Number.NaN } = bytes;
  return {
    budgets: [
      atMost('a check of a replica, CPU', median(microseconds), 1, 'µs'),
      atMost('heap of a replica with 100,000 entries', heapMegabytes, 40, 'MB'),
      atMost('loading 100,000 entries from the local run', seconds, 10, 's'),
      atMost('the main entry of the SDK, minified', main / 1000, 8.4, 'KB'),
      atMost('the replica beyond it, minified', replica / 1000, 9.2, 'KB'),
    ],
    figures: { checkMicroseconds: median(microseconds), heapMegabytes, loadSeconds: seconds },
    samples: { seconds, heapMegabytes, microseconds, bytes },
    report: [
      'A check decides in memory. Half of the users are known, each with a status and a role; the others are decided by default. The file of a replica is a module of its own, which is loaded only with the option `file`. ' +
        `Minified, the main entry of the SDK has ${kilobytes(main)} KB, the replica ${kilobytes(replica)}, its file ${kilobytes(file)}. Both limits of size were 6 KB at first; [decision 25](decisions/0025-replica.md) says why they are not.`,
    ],
  };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

async function measureEntries(): Promise<Record<string, number>> {
  const main = await minifiedBytes('client/index.ts');
  const replica = await minifiedBytes('client/replica.ts', ['./replica-file.ts']);
  return { main, replica, file: (await minifiedBytes('client/replica.ts')) - replica };
}

async function minifiedBytes(entryPoint: string, external: string[] = []): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    external,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  return outputFiles[0]?.contents.byteLength ?? Number.NaN;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
