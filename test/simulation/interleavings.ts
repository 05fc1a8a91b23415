import { hash } from 'node:crypto';
import { Clients, calmClients } from './clients.ts';
import { calmStream, Events } from './feeds.ts';
import { finishDeletions } from './finish-deletions.ts';
import { findViolations } from './invariants/every-check.ts';
import { loadCode } from './load-code.ts';
import { calmNetwork, connect } from './network.ts';
import { calmProcesses, Processes } from './processes.ts';
import type { Run } from './run-seed.ts';
import { calmTable, SimulatedDynamoDb } from './simulated-dynamodb.ts';
import { committedChanges } from './stored-state.ts';
import { currentProcess, enterWorld, type Task, World, wait } from './virtual-time.ts';

/** Concurrent calls: all start together, and their requests take effect in every possible order. */
export interface Scenario {
  readonly name: string;
  readonly prepare: (clients: Clients) => Promise<void>;
  readonly calls: readonly ((clients: Clients) => Promise<unknown>)[];
  readonly isLong?: boolean;
}

export interface Exploration {
  /** The number of orders explored to the end. */
  readonly orders: number;
  /** The number of distinct states of the table and the processes. */
  readonly states: number;
  /** The first order after which a check failed, which stops the exploration. */
  readonly failed: { readonly run: Run; readonly violations: ReturnType<typeof findViolations> } | undefined;
}

/** How the items of a batch are read: all at one instant, or separately in this order. */
export type BatchReads = 'at once' | 'forward' | 'backward';

/** How long after sending a request can take effect; less than the SDK's timeout, which therefore never fires. */
const openMilliseconds = 1400;

/**
 * Explores every order in which the requests to the table can take effect, each at one instant, and checks the
 * invariants after each. A state that was seen before is not explored again: table and processes continue from it as
 * before, because everything they do depends on the time, the stored items and the responses received.
 */
export async function explore(scenario: Scenario, reads: BatchReads): Promise<Exploration> {
  const prepared = await prepare(scenario);
  const seen = new Set<string>();
  const open: (readonly number[])[] = [[]];
  let orders = 0;
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    const run = await new OneOrder(prepared, prefix, seen, open).follow(scenario, reads);
    if (run === 'seen before') continue;
    orders++;
    const violations = findViolations(run);
    if (violations.length > 0) return { orders, states: seen.size, failed: { run, violations } };
  }
  return { orders, states: seen.size, failed: undefined };
}

interface Prepared {
  readonly dynamoDb: SimulatedDynamoDb;
  readonly clients: Clients;
  readonly time: number;
}

async function prepare({ prepare: work }: Scenario): Promise<Prepared> {
  const { world, dynamoDb, clients } = await assemble();
  await runWhole(world, clients, () => work(clients));
  return { dynamoDb, clients, time: world.time + 60_000 };
}

/** Runs until the work is done, without waiting for later tasks such as the expiry of an item. */
async function runWhole(world: World, clients: Clients, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  const whole = clients.start('one after the other', 0, work).finally(() => {
    isDone = true;
  });
  await world.run(() => isDone);
  await whole;
}

async function assemble(as?: Prepared) {
  const world = new World(0);
  world.random = chanceOfProcess;
  world.time = as?.time ?? world.time;
  enterWorld(world);
  const dynamoDb = new SimulatedDynamoDb(world, as?.dynamoDb);
  connect({ dynamoDb, network: { ...calmNetwork, instant: true }, lateSends: [] });
  const [code] = await loadCode(1);
  if (code === undefined) throw new Error('No code is loaded');
  const processes = new Processes(world, { ...calmProcesses, codes: [code] });
  const clients = new Clients(world, processes, { ...calmClients, travelMilliseconds: 0 });
  clients.calls.push(...(as?.clients.calls ?? []));
  return { world, dynamoDb, processes, clients };
}

/** Random numbers that depend only on the process and on how many it has drawn, not on concurrent processes. */
function chanceOfProcess(): number {
  const process = currentProcess();
  if (process === undefined) return 0.5;
  process.drawn = (process.drawn ?? 0) + 1;
  return Number.parseInt(hash('sha1', `${process.name} ${process.drawn}`).slice(0, 8), 16) / 2 ** 32;
}

/** One order of the requests: the given choices, then always the first possible one. */
class OneOrder {
  readonly #choices: number[] = [];
  #isSeen = false;
  readonly #prepared: Prepared;
  readonly #prefix: readonly number[];
  readonly #seen: Set<string>;
  readonly #open: (readonly number[])[];

  constructor(prepared: Prepared, prefix: readonly number[], seen: Set<string>, open: (readonly number[])[]) {
    this.#prepared = prepared;
    this.#prefix = prefix;
    this.#seen = seen;
    this.#open = open;
  }

  async follow(scenario: Scenario, reads: BatchReads): Promise<Run | 'seen before'> {
    const { world, dynamoDb, processes, clients } = await assemble(this.#prepared);
    dynamoDb.faults = { ...calmTable, ...(reads !== 'at once' && { splitReads: reads }) };
    world.choose = (pending) => this.#choose(pending, dynamoDb, world.time);
    let running = scenario.calls.length;
    for (const [n, call] of scenario.calls.entries()) {
      const work = async () => {
        await call(clients);
        running--;
      };
      void clients.start(`client-${n}`, 0, work);
    }
    await world.run(() => this.#isSeen || running === 0);
    if (this.#isSeen) return 'seen before';
    world.choose = undefined;
    dynamoDb.faults = calmTable;
    await runWhole(world, clients, async () => {
      await wait(60_000);
      await finishDeletions(dynamoDb.table, clients);
    });
    return finishedRun(world, dynamoDb, processes, clients);
  }

  #choose(pending: readonly Task[], dynamoDb: SimulatedDynamoDb, time: number): number {
    const possible = possibleNow(pending);
    if (possible.length === 1) return possible[0] ?? 0;
    const depth = this.#choices.length;
    const chosen = this.#prefix[depth] ?? 0;
    if (depth >= this.#prefix.length) {
      const state = stateOf(pending, dynamoDb, time);
      this.#isSeen = this.#seen.has(state);
      this.#seen.add(state);
      if (!this.#isSeen) for (let n = 1; n < possible.length; n++) this.#open.push([...this.#choices, n]);
    }
    this.#choices.push(chosen);
    return possible[chosen] ?? 0;
  }
}

/** Returns the tasks due before the first that cannot wait: requests can wait, a process's own timers cannot. */
function possibleNow(pending: readonly Task[]): number[] {
  const latest = Math.min(...pending.map(({ at, process }) => at + (process === undefined ? openMilliseconds : 0)));
  return pending.flatMap(({ at }, position) => (at <= latest ? [position] : []));
}

/** Everything that determines the rest of the run. */
function stateOf(pending: readonly Task[], { table }: SimulatedDynamoDb, time: number): string {
  const tasks = pending.map(({ at, process, label }) => `${at} ${process?.name} ${process?.learned} ${label}`);
  return hash('sha1', JSON.stringify([time, tasks.sort(), table.items()]));
}

function finishedRun(world: World, dynamoDb: SimulatedDynamoDb, processes: Processes, clients: Clients): Run {
  const changes = committedChanges(dynamoDb.commits);
  const events = new Events(world, processes, dynamoDb, { ...calmStream, eventDelayMilliseconds: 0 });
  // The worst order for a consumer.
  events.received.push(...changes.map(({ change }) => change).reverse());
  return {
    seed: 0,
    swarm: undefined,
    calls: clients.calls,
    actors: [],
    commits: dynamoDb.commits,
    changes,
    items: dynamoDb.table.items(),
    followers: [],
    snapshotReaders: [],
    replicas: [],
    events,
    lists: [],
    lateSends: [],
    faultsFrom: 0,
    repeated: [],
    endedAt: world.time,
    tasks: world.executed,
    monthsLater: [],
  };
}
