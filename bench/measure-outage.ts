import { setTimeout as wait } from 'node:timers/promises';
import { AuthServiceClient } from '../client/index.ts';
import { type AccessReplica, createAccessReplica } from '../client/replica.ts';
import { atMost, type BenchContext, type Measurement } from './measurement.ts';
import { benchKey, type Population, userIdAt } from './populations.ts';
import { startReplicaService } from './replica-service.ts';

/** Ten minutes, unless the environment says otherwise. */
const outageSeconds = Number(process.env.OUTAGE_SECONDS ?? 600);
const users = 1000;
const population: Population = { users, accesses: users, applications: 1, keysPerApplication: 1, rolesPerUser: 1 };
const blockedMeanwhile = 250;

/** What a replica answers under load while its service is away, and how soon it has caught up after that. */
export async function measureOutage(context: BenchContext): Promise<Measurement> {
  const service = await startReplicaService(population, context);
  try {
    const [replicaApi, otherApi] = [await service.serve(0), await service.serve(0)];
    const { url } = replicaApi;
    const polls: number[] = [];
    const hooks = { onRequest: () => polls.push(Date.now()) };
    const client = new AuthServiceClient({ baseUrl: url, ...benchKey, hooks });
    const replica = await createAccessReplica({ client, pollSeconds: 5, whenStale: 'goOn' });
    context.progress(`The service is away for ${outageSeconds} s`);
    await replicaApi.close();
    const load = decideUntil(replica, Date.now() + outageSeconds * 1000);
    await blockSome(new AuthServiceClient({ baseUrl: otherApi.url, ...benchKey }));
    const { decisions, failures } = await load;
    const back = await service.serve(Number(new URL(url).port));
    const returnedAt = Date.now();
    while (replica.check(userIdAt(blockedMeanwhile - 1)).effectiveStatus === 'enabled') await wait(10);
    const seconds = (Date.now() - returnedAt) / 1000;
    const pollsNeeded = countPolls(polls.filter((at) => at >= returnedAt));
    const missing = missingBlocks(replica);
    await replica.close();
    await Promise.all([back.close(), otherApi.close()]);
    return report({ decisions, failures, seconds, pollsNeeded, missing });
  } finally {
    await service.close();
  }
}

/** Each page of 100 is asked for at once after the one before it; what comes a second later is another poll. */
function countPolls(times: readonly number[]): number {
  return times.filter((at, index) => index === 0 || at - (times[index - 1] ?? 0) > 1000).length;
}

async function blockSome(client: AuthServiceClient): Promise<void> {
  for (let at = 0; at < blockedMeanwhile; at++) await client.setAccess(userIdAt(at), { status: 'disabled' });
}

function missingBlocks(replica: AccessReplica): number {
  const known = Array.from({ length: blockedMeanwhile }, (_, at) => replica.check(userIdAt(at)));
  return known.filter(({ effectiveStatus }) => effectiveStatus === 'enabled').length;
}

/** 1,000 decisions every 10 ms. */
async function decideUntil(replica: AccessReplica, end: number) {
  let decisions = 0;
  let failures = 0;
  while (Date.now() < end) {
    for (let at = 0; at < users; at++) {
      const { effectiveStatus, code } = replica.check(userIdAt(at));
      decisions++;
      if (effectiveStatus !== 'enabled' || code !== null) failures++;
    }
    await wait(10);
  }
  return { decisions, failures };
}

interface Outage {
  readonly decisions: number;
  readonly failures: number;
  readonly seconds: number;
  readonly pollsNeeded: number;
  readonly missing: number;
}

function report({ decisions, failures, seconds, pollsNeeded, missing }: Outage): Measurement {
  return {
    budgets: [
      atMost('decisions of a replica that fail while the service is away', failures, 0, ''),
      atMost('polls until it has caught up after that', pollsNeeded, 1, ''),
      atMost('blocks that it has not then', missing, 0, ''),
    ],
    samples: { outageSeconds, decisions, failures, seconds, pollsNeeded, missing },
    report: [
      `A replica of 1,000 users made ${decisions.toLocaleString('en-US')} decisions while connections to its service were refused for ${outageSeconds} seconds. Meanwhile ${blockedMeanwhile} users were blocked. It had all blocks ${seconds.toFixed(1)} seconds after the service came back, with its first poll.`,
    ],
  };
}
