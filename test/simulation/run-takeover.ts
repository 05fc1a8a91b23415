import { Clients, calmClients } from './clients.ts';
import { Draw } from './draw.ts';
import { calmStream, connectBus, Events, Follower } from './feeds.ts';
import { loadCode } from './load-code.ts';
import { type Connection, calmNetwork, connect } from './network.ts';
import { operatorsOf } from './operators.ts';
import { calmProcesses, Processes } from './processes.ts';
import { ListReader } from './read-lists.ts';
import { GlobalTable } from './regions.ts';
import { SdkReplica } from './sdk-replica.ts';
import { calmTable } from './simulated-dynamodb.ts';
import { drawSwarm } from './swarm.ts';
import { enterWorld, World, wait } from './virtual-time.ts';
import { Workload } from './workload.ts';

export type TakeoverRun = Awaited<ReturnType<typeof runTakeover>>;

/**
 * Simulates the takeover of a Region while clients make calls: the first Region is gone with what it had not copied yet, so that
 * transactions arrive in part. The second one answers from then on; nothing repairs its table.
 */
export async function runTakeover(seed: number) {
  const world = new World(seed);
  enterWorld(world);
  const suffix = `t${seed}`;
  const swarm = drawSwarm(suffix, world.random);
  const draw = new Draw(world.random);
  const { regions, separate } = globalTable(world, draw.oneOf(50, 1000, 20_000));
  const connection: Connection = { dynamoDb: regions[0], network: calmNetwork, lateSends: [] };
  connect(connection);
  const codes = await loadCode(processCopies);
  const half = Math.floor(processCopies / 2);
  const processes = new Processes(world, { ...calmProcesses, codes: codes.slice(0, half) });
  const clients = new Clients(world, processes, calmClients, operatorsOf(swarm.apps));
  const streams = [new Events(world, processes, regions[0], { ...calmStream, eventDelayMilliseconds: 10 })];
  connectBus(streams[0] as Events);
  const workload = new Workload(world, clients, swarm);
  const lists = new ListReader(clients, world.random);
  let takenOverAt = Number.POSITIVE_INFINITY;

  const takeOver = () => {
    takenOverAt = world.time;
    separate();
    connection.dynamoDb = regions[1];
    // The processes of the lost Region end with it, and those of the other have caches of their own.
    processes.endAll();
    processes.options = { ...calmProcesses, codes: codes.slice(half) };
    const second = new Events(world, processes, regions[1], { ...calmStream, eventDelayMilliseconds: 10 });
    streams.push(second);
    connectBus(second);
  };

  let isDone = false;
  const drive = clients.start('driver', 0, async () => {
    await workload.prepare();
    connection.network = { ...calmNetwork, usualMilliseconds: swarm.network.usualMilliseconds };
    for (const table of regions) table.faults = { ...calmTable, transactionMilliseconds: 5 };
    const [code] = codes;
    if (code === undefined) throw new Error('No code is loaded');
    const followers = [...workload.followerKeys.values()].map((key) => new Follower(world, clients, key));
    const replicas = [...workload.followerKeys.values()].map(
      (key) => new SdkReplica(world, clients, key, { replica: code.replica, users: swarm.users }),
    );
    const longest = swarm.callsPerClient * Math.max(swarm.pauseMilliseconds, 100);
    world.schedule(longest * draw.random(), takeOver);
    const following = [
      ...followers.map((follower) => clients.start('follower', 0, () => follower.run())),
      ...replicas.map((replica) => clients.start('replica', 0, () => replica.run(0))),
    ];
    const working = Array.from({ length: swarm.clients }, (_, n) =>
      clients.start(`client ${n + 1}`, 0, () => workload.run()),
    );
    await Promise.all(working);
    if (takenOverAt === Number.POSITIVE_INFINITY) takeOver();
    await wait(60_000);
    await lists.readAll(swarm);
    for (const reader of [...followers, ...replicas]) await reader.finish();
    await Promise.race([Promise.all(following), wait(7 * 3_600_000)]);
    isDone = true;
  });
  await world.run(() => isDone);
  await drive;
  return { seed, swarm, calls: clients.calls, regions, streams, takenOverAt, endedAt: world.time };
}

const processCopies = 6;

function globalTable(world: World, lagMilliseconds: number) {
  const table = new GlobalTable(world, lagMilliseconds);
  return { regions: table.regions, separate: () => table.separate() };
}
