import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Item } from '../../local/memory/memory-table.ts';
import { backlogOf } from './backlog.ts';
import { type CallRecord, Clients, calmClients } from './clients.ts';
import { calmStream, connectBus, Events, Follower, replaceBus } from './feeds.ts';
import { finishDeletions } from './finish-deletions.ts';
import { gatewayOf } from './gateway.ts';
import { type Code, loadCode } from './load-code.ts';
import { followForMonths } from './months-later.ts';
import { type Connection, calmNetwork, connect } from './network.ts';
import { operatorsOf } from './operators.ts';
import { type Actor, Actors, adaptSwarm } from './option-parts.ts';
import { connectOutside, replaceOutside } from './outside.ts';
import { calmProcesses, Processes } from './processes.ts';
import { ListReader, type ReadList } from './read-lists.ts';
import { resetClients } from './sdk-handler.ts';
import { SdkReplica } from './sdk-replica.ts';
import { replaceSend } from './sdk-send.ts';
import { type Commit, calmTable, SimulatedDynamoDb } from './simulated-dynamodb.ts';
import { SnapshotReader } from './snapshot-reader.ts';
import { type CommittedChange, committedChanges } from './stored-state.ts';
import { drawSwarm, type Outage, type Swarm } from './swarm.ts';
import { Tour } from './tour.ts';
import { enterWorld, newProcess, runIn, World, wait } from './virtual-time.ts';
import { Workload } from './workload.ts';

/** The results of a run, for the checks. */
export interface Run {
  readonly seed: number;
  /** Undefined if nothing was random. */
  readonly swarm: Swarm | undefined;
  readonly calls: readonly CallRecord[];
  /** What the options did, each with what it has seen. */
  readonly actors: readonly Actor[];
  readonly commits: readonly Commit[];
  readonly changes: readonly CommittedChange[];
  /** When the run ended, with nothing left to do. */
  readonly items: readonly Item[];
  readonly followers: readonly Follower[];
  readonly snapshotReaders: readonly SnapshotReader[];
  readonly replicas: readonly SdkReplica[];
  readonly events: Events;
  readonly lists: readonly ReadList[];
  readonly lateSends: readonly string[];
  /** When the faults began. */
  readonly faultsFrom: number;
  /** The ids of the calls that were repeated after the faults, because their outcome was unknown. */
  readonly repeated: readonly string[];
  readonly endedAt: number;
  readonly tasks: number;
  /** What went wrong in the months after the run. */
  readonly monthsLater: readonly string[];
}

const copies = 6;
/** Reading the lists takes a third of a run's time, and few faults affect their content. */
const listEvery = 3;
/** A tour performs the same calls in each run, one after the other. */
const tourEvery = 20;
/** Three months take as long as the whole run. */
const monthsEvery = 25;
/** The calls whose outcome is unknown are repeated after the faults, the last ones. */
const maxRepeated = 5;
/** Real requests take five times as long. */
const belowSdkEvery = 16;

/** Loads the code under test; call it before the first run. */
export async function prepareRuns({ processCopies = copies } = {}): Promise<void> {
  if (!isPrepared) {
    replaceSend();
    replaceBus();
    replaceOutside();
    isPrepared = true;
  }
  for (const code of await loadCode(processCopies)) await warmUp(code);
  loadedCopies = processCopies;
}

/** The SDK's first request waits for something that is not simulated: the files with settings and credentials. */
async function warmUp(code: Code): Promise<void> {
  const world = new World(0);
  enterWorld(world);
  connect({ dynamoDb: new SimulatedDynamoDb(world), network: calmNetwork, isBelowSdk: true, lateSends: [] });
  const [operator] = operatorsOf([]);
  const request = { operation: 'get-user', input: { userId: 'nobody' }, operator, milliseconds: 10_000 } as const;
  for (let tries = 1; tries <= maxWarmUps; tries++) {
    const answered = runIn(newProcess('warm-up', 0), () => code.receive({ ...request, ...unnamed }));
    await setTimeout(10);
    await world.run();
    const answer = await answered;
    if (answer.kind === 'refused' && answer.code === 'user_not_found') return;
  }
  throw new Error('The SDK sends no request');
}

const unnamed = { requestId: '', callId: '', nonce: '', signatureId: '', created: 0 };
const maxWarmUps = 100;

let isPrepared = false;
let loadedCopies = copies;

/**
 * Simulates one run: preparation without faults, clients with faults, then no faults until nothing is left to do. The
 * names of users, applications and roles end in `suffix`, because processes keep their caches from one run to the next.
 */
export async function runSeed(seed: number, suffix = String(seed)): Promise<Run> {
  const world = new World(seed);
  enterWorld(world);
  const swarm = adaptSwarm(seed, drawSwarm(suffix, world.random));
  world.clockStepMilliseconds = swarm.clockStepMilliseconds;
  const dynamoDb = new SimulatedDynamoDb(world);
  const isBelowSdk = seed % belowSdkEvery === 0;
  const connection: Connection = { dynamoDb, network: calmNetwork, isBelowSdk, lateSends: [] };
  if (isBelowSdk) await resetClients();
  connect(connection);
  const codes = await loadCode(loadedCopies);
  const [code] = codes;
  if (code === undefined) throw new Error('No code is loaded');
  const skewMilliseconds = Math.max(swarm.skewMilliseconds, swarm.clockErrorMilliseconds);
  const calm = { ...calmProcesses, codes, skewMilliseconds };
  const processes = new Processes(world, calm);
  const clients = new Clients(world, processes, calmClients, operatorsOf(swarm.apps));
  const calmBus = { ...calmStream, eventDelayMilliseconds: swarm.eventDelayMilliseconds };
  const events = new Events(world, processes, dynamoDb, calmBus);
  connectBus(events);
  const workload = new Workload(world, clients, swarm);
  const gateway = gatewayOf(seed, suffix, clients, swarm);
  const backlog = isBelowSdk ? undefined : backlogOf(clients, swarm, { seed, world, events });
  const actors = new Actors(seed, { world, clients, processes, swarm, code, suffix });
  connectOutside(actors.answer);
  await actors.load(codes);
  const start = (name: string, work: () => Promise<void>) =>
    clients.start(name, (world.random() * 2 - 1) * swarm.skewMilliseconds, work);
  let followers: Follower[] = [];
  let snapshotReaders: SnapshotReader[] = [];
  let replicas: SdkReplica[] = [];
  const reader = new ListReader(clients, world.random);
  let repeated: string[] = [];
  let faultsFrom = world.time;

  let hasFaults = false;
  const beginFaults = () => {
    const { recycled, crashed, stalled, stallMilliseconds } = swarm;
    processes.options = { ...calm, recycled, crashed, stalled, stallMilliseconds };
    const { maxAttempts, lostCallAnswer: lostAnswer, replayed } = swarm;
    const { replayMilliseconds, retryMilliseconds, createdErrorSeconds } = swarm;
    const times = { replayMilliseconds, retryMilliseconds, createdErrorSeconds };
    clients.options = { ...calmClients, maxAttempts, lostAnswer, replayed, ...times };
    events.options = { ...calmBus, ...swarm.stream };
    connection.network = swarm.network;
    dynamoDb.faults = { ...swarm.table };
    actors.hasFaults = true;
    hasFaults = true;
    for (const outage of swarm.outages) scheduleOutage(world, connection, swarm, { outage, isOver: () => !hasFaults });
  };
  const endFaults = () => {
    hasFaults = false;
    actors.hasFaults = false;
    processes.options = calm;
    clients.options = calmClients;
    events.options = calmBus;
    events.hurry();
    connection.network = calmNetwork;
    dynamoDb.faults = { ...calmTable, ttlDelayMilliseconds: swarm.table.ttlDelayMilliseconds };
  };

  const askAsGateway = () => gateway && start('gateway', () => gateway.run());

  let isDone = false;
  const drive = start('driver', async () => {
    await workload.prepare();
    await actors.prepare();
    await gateway?.prepare();
    if (seed % tourEvery === 1) await new Tour(clients, swarm, workload, () => world.time).run();
    const followerKeys = [...workload.followerKeys.values()];
    const actions = swarm.followedActions;
    const pending = seed % 2 === 0 ? 'new' : 'all';
    followers = followerKeys.map((key) => new Follower(world, clients, key, { actions, pending }));
    if (seed % 2 === 0) snapshotReaders = followerKeys.map((key) => new SnapshotReader(world, clients, key));
    else
      replicas = followerKeys.map(
        (key) => new SdkReplica(world, clients, key, { replica: code.replica, users: swarm.users }),
      );
    await backlog?.accumulate(followers);
    faultsFrom = world.time;
    beginFaults();
    backlog?.numberLater();
    const longest = swarm.callsPerClient * Math.max(swarm.pauseMilliseconds, 100);
    const following = [
      ...followers.map((follower) => start('follower', () => follower.run())),
      ...[...snapshotReaders, ...replicas].map((reader) => start('reader', () => reader.run(world.random() * longest))),
    ];
    const working = Array.from({ length: swarm.clients }, (_, n) => start(`client ${n + 1}`, () => workload.run()));
    const clientsOfOptions = actors.startClients(start);
    const scheduled = actors.runSchedules(start);
    await Promise.all([...working, ...clientsOfOptions, ...actors.operate(start), askAsGateway()]);
    endFaults();
    if (swarm.endsAtOnce) {
      connection.network = { ...calmNetwork, instant: true };
      await workload.setAllAccesses();
      connection.network = calmNetwork;
    }
    // Unfinished work in frozen processes continues after readers have read past its time.
    await wait(Math.max(40_000, swarm.replayMilliseconds));
    processes.thawAll();
    await wait(40_000);
    repeated = await clients.repeatUnknown(maxRepeated);
    await finishDeletions(dynamoDb.table, clients);
    await actors.operateAlone();
    await actors.finish(dynamoDb.table, maxRepeated);
    await wait(60_000 + swarm.eventDelayMilliseconds);
    await actors.settle(dynamoDb.table);
    for (const reader of [...followers, ...snapshotReaders, ...replicas]) await reader.finish();
    await Promise.race([Promise.all([...following, ...scheduled]), wait(7 * 3_600_000)]);
    const readsLists = seed % listEvery === 0 && !swarm.isIndexLost;
    if (seed % listEvery === 0) followers.push(...(await followFromTheBeginning(world, clients, workload)));
    await wait(60_000 + swarm.eventDelayMilliseconds);
    if (readsLists) await reader.readAll(swarm);
    isDone = true;
  });
  // Its error ends the run, instead of the process.
  void drive.catch(() => {
    isDone = true;
  });
  await world.run(() => isDone);
  await drive;
  const run = {
    seed,
    swarm,
    calls: [...clients.calls],
    actors: actors.all,
    commits: [...dynamoDb.commits],
    changes: committedChanges(dynamoDb.commits),
    items: dynamoDb.table.items(),
    followers,
    snapshotReaders,
    replicas,
    events,
    lists: reader.lists,
    lateSends: connection.lateSends,
    faultsFrom,
    repeated,
    endedAt: world.time,
    tasks: world.executed,
  };
  const isFollowed = seed % monthsEvery === 0;
  return { ...run, monthsLater: isFollowed ? await later(world, clients, suffix) : [] };
}

/** What comes later is no longer part of the run. */
async function later(world: World, clients: Clients, suffix: string): Promise<string[]> {
  let found: string[] | undefined;
  const work = clients.start('months later', 0, async () => {
    found = await followForMonths(world, clients, suffix);
  });
  await world.run(() => found !== undefined);
  await work;
  return found ?? [];
}

/** Adds followers that start when everything has settled, so that they see no change twice. */
async function followFromTheBeginning(world: World, clients: Clients, { followerKeys }: Workload): Promise<Follower[]> {
  const followers = [...followerKeys.values()].map((key) => new Follower(world, clients, key));
  for (const follower of followers) await follower.finish();
  return followers;
}

/** Returns a digest of all events and their times; the same seed always gives the same digest. */
export function digestOf({ calls, commits, events }: Run): string {
  return hash('sha256', JSON.stringify([calls, commits, events.received])).slice(0, 16);
}

interface ScheduledOutage {
  readonly outage: Outage;
  /** Whether the faults have ended. */
  readonly isOver: () => boolean;
}

function scheduleOutage(world: World, connection: Connection, swarm: Swarm, { outage, isOver }: ScheduledOutage): void {
  const { dynamoDb } = connection;
  const { lostRequest, lostTransaction, lostAnswer, throttled, unprocessed, slow } = outage;
  world.schedule(outage.startMilliseconds, () => {
    if (isOver()) return;
    connection.network = { ...swarm.network, lostRequest, lostTransaction, lostAnswer, slow };
    dynamoDb.faults = { ...swarm.table, throttled, unprocessed };
    world.schedule(outage.lastsMilliseconds, () => {
      if (isOver()) return;
      connection.network = swarm.network;
      dynamoDb.faults = { ...swarm.table };
    });
  });
}
