import { connect, createServer, type Server, type Socket } from 'node:net';
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
  const way = await openWay(service.url);
  try {
    const polls: number[] = [];
    const replica = await createAccessReplica({
      client: new AuthServiceClient({
        baseUrl: way.url,
        ...benchKey,
        hooks: { onRequest: () => polls.push(Date.now()) },
      }),
      pollSeconds: 5,
      whenStale: 'goOn',
    });
    context.progress(`The service is away for ${outageSeconds} s`);
    await way.close();
    const load = decideUntil(replica, Date.now() + outageSeconds * 1000);
    await blockSome(new AuthServiceClient({ baseUrl: service.url, ...benchKey }));
    const { decisions, failures } = await load;
    await way.open();
    const returnedAt = Date.now();
    while (replica.check(userIdAt(blockedMeanwhile - 1)).effectiveStatus === 'enabled') await wait(10);
    const seconds = (Date.now() - returnedAt) / 1000;
    const pollsNeeded = countPolls(polls.filter((at) => at >= returnedAt));
    const missing = blockedOf(replica);
    await replica.close();
    return report({ decisions, failures, seconds, pollsNeeded, missing });
  } finally {
    await way.close();
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

function blockedOf(replica: AccessReplica): number {
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

/** The way to a service, which can be closed: connections are then refused. */
async function openWay(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let ownPort = 0;
  async function open(): Promise<void> {
    const opened = createServer((from) => {
      const to = connect(Number(port), hostname);
      for (const socket of [from, to]) {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      }
      from.pipe(to).pipe(from);
    });
    await new Promise<void>((resolve) => opened.listen(ownPort, '127.0.0.1', resolve));
    ownPort = (opened.address() as { readonly port: number }).port;
    server = opened;
  }
  async function close(): Promise<void> {
    const closing = server;
    server = undefined;
    for (const socket of sockets) socket.destroy();
    if (closing) await new Promise((resolve) => closing.close(resolve));
  }
  await open();
  return { url: `http://127.0.0.1:${ownPort}`, open, close };
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
    title: 'An outage',
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
