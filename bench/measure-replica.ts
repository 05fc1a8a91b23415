import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AuthServiceClient } from '../client/index.ts';
import { type AccessReplica, createAccessReplica } from '../client/replica.ts';
import { createManageClient } from '../local/sigv4-client.ts';
import { type LocalService, startFilledService } from './local-service.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { appIdAt, type BenchKey, type Population, userIdAt } from './populations.ts';
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

/** Measures the size of a replica, the time that it takes to load, and the speed of its decisions. */
export async function measureReplica(context: BenchContext): Promise<Measurement> {
  const service = await startFilledService(population, context);
  try {
    const client = new AuthServiceClient({ baseUrl: service.example.baseUrl, ...(await issueKey(service)) });
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
    return report({ seconds, heapMegabytes, microseconds });
  } finally {
    await service.stop();
  }
}

/** A key of the application that has all users. */
async function issueKey({ example }: LocalService): Promise<BenchKey> {
  const send = createManageClient(example.manageUrl, example);
  const { status, body } = await send('POST', `/applications/${appIdAt(0)}/keys`, {});
  if (status !== 201) throw new Error(`Issuing a key got ${status}`);
  return body as BenchKey;
}

/** Half of the users are unknown to the replica. Measures CPU time, which does not depend on other processes. */
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
}

function report({ seconds, heapMegabytes, microseconds }: Found): Measurement {
  return {
    budgets: [
      atMost('a check of a replica, CPU', median(microseconds), 1, 'µs'),
      atMost('heap of a replica with 100,000 entries', heapMegabytes, 40, 'MB'),
      atMost('loading 100,000 entries from the local run', seconds, 10, 's'),
    ],
    figures: { checkMicroseconds: median(microseconds) },
    samples: { seconds, heapMegabytes, microseconds },
    report: [
      'A check decides in memory. Half of the users have an entry, each with a status and a role; the others get the default.',
    ],
  };
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
