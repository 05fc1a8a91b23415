import { hash } from 'node:crypto';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ChangeAction } from '#shared/contract/change.ts';
import { type ApiKey, type Clients, isTransient } from './clients.ts';
import type { Processes, StreamReaderName } from './processes.ts';
import type { Commit, SimulatedDynamoDb } from './simulated-dynamodb.ts';
import type { StoredChange } from './stored-state.ts';
import { currentProcess, type World, wait } from './virtual-time.ts';

const firstInterval = 2000;
/** While clients make calls, each interval is twice the previous one, up to this length; afterwards eight times. */
const usualInterval = 16_000;
const longestInterval = 6 * 3_600_000;

/** A time in which a follower read until there was nothing more. */
interface Pass {
  readonly startedAt: number;
  readonly endedAt: number;
  /** The number of answers up to its end. */
  readonly answers: number;
}

interface FollowerOptions {
  /** Default: starts at the oldest change. */
  readonly cursor?: string;
  /** Default: all actions. */
  readonly actions?: readonly ChangeAction[] | undefined;
  /** Which of the changes without a number. Default: all. */
  readonly pending?: 'all' | 'new';
}

/** An application that polls `/changes` from its cursor. */
export class Follower {
  readonly appId: string;
  /** The changes of each answer. */
  readonly answers: (readonly StoredChange[])[] = [];
  readonly passes: Pass[] = [];
  /** Whether it started at the oldest change. */
  readonly isFromBeginning: boolean;
  /** When it began to read what is new; undefined while there is nothing more. */
  #passStartedAt: number | undefined;
  readonly #known = new Set<string>();
  /** The actions that it asks for; undefined for all. */
  readonly actions: readonly ChangeAction[] | undefined;
  /** The error that ended it: the key was revoked or the application deleted. */
  refusal: string | undefined;
  /** How long it waits before the next poll while there is nothing new. */
  #interval = firstInterval;
  #cursor: string | undefined;
  #isDone = false;
  readonly #pending: 'all' | 'new';
  readonly #key: ApiKey;
  readonly #clients: Clients;
  readonly #world: World;

  constructor(world: World, clients: Clients, key: ApiKey, { cursor, actions, pending = 'all' }: FollowerOptions = {}) {
    this.#pending = pending;
    this.#world = world;
    this.#clients = clients;
    this.#key = key;
    this.#cursor = cursor;
    this.isFromBeginning = cursor === undefined;
    this.actions = actions;
    this.appId = key.appId;
  }

  get isRefused(): boolean {
    return this.refusal !== undefined;
  }

  async run(): Promise<void> {
    while (!this.#isDone && !this.isRefused) {
      const page = await this.#readPage();
      this.#interval = page === 'full' || page === 'last' ? firstInterval : longer(this.#interval);
      if (page !== 'full') await wait(this.#interval * (0.5 + this.#world.random() / 2));
    }
  }

  /** Stops polling after reading everything available; `checkFeeds` notices what never gets a number. */
  async finish(): Promise<void> {
    this.#isDone = true;
    await this.catchUp();
  }

  /** Reads until there is nothing more. */
  async catchUp(): Promise<void> {
    for (let page = 1; page <= maxLastPages && (await this.#readPage()) !== 'empty'; page++);
  }

  /** The last page may have something new, only what is still pending, or nothing. */
  async #readPage(): Promise<'full' | 'last' | 'repeated' | 'empty'> {
    const limit = 1 + Math.floor(this.#world.random() * 20);
    const input = { appId: this.appId, limit, after: this.#cursor, actions: this.actions, pending: this.#pending };
    this.#passStartedAt ??= this.#world.time;
    const { outcome } = await this.#clients.call('list-changes', input, this.#key);
    if (outcome?.kind === 'refused' && !isTransient(outcome)) this.refusal = outcome.code;
    if (outcome?.kind !== 'done') return 'empty';
    const { items, more, cursor } = outcome.body as unknown as FeedPage;
    this.answers.push(items);
    this.#cursor = cursor;
    if (more) return 'full';
    this.passes.push({ startedAt: this.#passStartedAt, endedAt: this.#world.time, answers: this.answers.length });
    this.#passStartedAt = undefined;
    const news = items.filter(({ id }) => !this.#known.has(id));
    for (const { id } of news) this.#known.add(id);
    if (items.length === 0) return 'empty';
    return news.length === 0 ? 'repeated' : 'last';
  }
}

const maxLastPages = 1000;

interface FeedPage {
  readonly items: readonly StoredChange[];
  readonly more: boolean;
  readonly cursor: string;
}

function longer(interval: number): number {
  return Math.min(longestInterval, interval * (interval < usualInterval ? 2 : 8));
}

interface StreamRecord {
  readonly dynamodb: { readonly SequenceNumber: string; readonly Keys: object; readonly NewImage: object };
}

export interface EventOptions {
  readonly busFailure: number;
  readonly eventDelayMilliseconds: number;
  /** How long records wait in the stream, at most. */
  readonly streamDelayMilliseconds: number;
  /** The probability that a batch is delivered once more. */
  readonly repeatedBatch: number;
}

/** The stream and the bus without faults. */
export const calmStream = { busFailure: 0, streamDelayMilliseconds: 200, repeatedBatch: 0 };

/** A shard of the table's stream for one reader: delivered in batches, retried from the first failed record. */
class Reading {
  readonly errors: string[] = [];
  #waiting: StreamRecord[] = [];
  #isReading = false;
  /** Identifies the next read, so that an earlier one replaces it. */
  #planned = 0;
  readonly #world: World;
  readonly #processes: Processes;
  readonly #reader: StreamReaderName;
  readonly #options: () => EventOptions;

  constructor(world: World, processes: Processes, reader: StreamReaderName, options: () => EventOptions) {
    this.#world = world;
    this.#processes = processes;
    this.#reader = reader;
    this.#options = options;
  }

  add(record: StreamRecord): void {
    this.#waiting.push(record);
    this.#readSoon();
  }

  /** Reads what waits without the delay of the stream. */
  hurry(): void {
    if (this.#waiting.length > 0) this.#plan(200);
  }

  #readSoon(milliseconds = this.#options().streamDelayMilliseconds): void {
    if (!this.#isReading && this.#planned === 0) this.#plan(milliseconds);
  }

  #plan(milliseconds: number): void {
    if (this.#isReading) return;
    const planned = ++plans;
    this.#planned = planned;
    this.#world.schedule(this.#world.random() * milliseconds, () => {
      if (this.#planned === planned) this.#read();
    });
  }

  #read(): void {
    this.#planned = 0;
    this.#isReading = true;
    const batch = this.#waiting.slice(0, 1 + Math.floor(this.#world.random() * 20));
    this.#processes.read(this.#reader, batch, (from) => this.#goOn(batch, from));
    if (this.#world.random() >= this.#options().repeatedBatch) return;
    this.#world.schedule(this.#world.random() * 60_000, () => this.#processes.read(this.#reader, batch, () => {}));
  }

  #goOn(batch: readonly StreamRecord[], from: string | undefined | Error): void {
    this.#isReading = false;
    if (from instanceof Error && !/timed out/.test(from.message)) this.errors.push(String(from.stack));
    const first = from instanceof Error ? batch[0]?.dynamodb.SequenceNumber : from;
    const last = batch.at(-1)?.dynamodb.SequenceNumber ?? '';
    this.#waiting = this.#waiting.filter(({ dynamodb: { SequenceNumber: number } }) =>
      first === undefined ? number > last : number >= first,
    );
    if (this.#waiting.length > 0) this.#readSoon(first === undefined ? undefined : 5000);
  }
}

let plans = 0;

/** Records of one item stay in one shard, in order. */
const shards = 3;

/** The table's stream with its readers, the bus, and the consumer's events, in any order and possibly twice. */
export class Events {
  readonly received: StoredChange[] = [];
  options: EventOptions;
  #records = 0;
  readonly #world: World;
  readonly #readings: readonly (readonly Reading[])[];

  constructor(world: World, processes: Processes, dynamoDb: SimulatedDynamoDb, options: EventOptions) {
    this.#world = world;
    this.options = options;
    this.#readings = Array.from({ length: shards }, () => [
      new Reading(world, processes, 'publisher', () => this.options),
      new Reading(world, processes, 'numberer', () => this.options),
    ]);
    dynamoDb.observers.push((commit) => this.#observe(commit));
  }

  /** Commits by the readers themselves, whose writes answer no request. */
  get errors(): readonly string[] {
    return this.#readings.flat().flatMap(({ errors }) => errors);
  }

  /** Ends the delays of the stream. */
  hurry(): void {
    for (const reading of this.#readings.flat()) reading.hurry();
  }

  #observe({ mutations }: Commit): void {
    for (const { pk, sk, before, after } of mutations) {
      if (before !== undefined || after === undefined || !/^(CHANGE|REQUEST)#/.test(sk)) continue;
      const SequenceNumber = String(++this.#records).padStart(12, '0');
      const image = (item: object) => marshall(item, { convertClassInstanceToMap: true });
      const record = { dynamodb: { SequenceNumber, Keys: image({ pk, sk }), NewImage: image(after) } };
      const [publisher, numberer] = this.#readings[shardOf(pk)] ?? [];
      // As the event source mappings filter.
      if (sk.startsWith('CHANGE#')) publisher?.add(record);
      numberer?.add(record);
    }
  }

  /** Answers a call of the bus; accepted events arrive later. */
  put(entries: readonly BusEntry[]): object {
    if (this.#fails()) throw Object.assign(new Error('The bus did not answer'), { name: 'TimeoutError' });
    const Entries = entries.map((entry) => (this.#fails() ? { ErrorCode: 'InternalFailure' } : this.#accept(entry)));
    return { Entries };
  }

  #fails(): boolean {
    return this.#world.random() < this.options.busFailure;
  }

  #accept({ Detail }: BusEntry): object {
    const deliver = () => {
      this.#world.schedule(this.#world.random() * this.options.eventDelayMilliseconds, () => {
        this.received.push(JSON.parse(Detail) as StoredChange);
      });
    };
    deliver();
    if (this.#world.random() < 0.1) deliver();
    return { EventId: '1' };
  }
}

function shardOf(pk: string): number {
  return hash('sha256', pk, 'buffer').readUInt8() % shards;
}

interface BusEntry {
  readonly Detail: string;
}

let events: Events | undefined;

/** Sets the bus that receives calls from now on. */
export function connectBus(to: Events): void {
  events = to;
}

interface PutEvents {
  readonly input: { readonly Entries: readonly BusEntry[] };
}

/** Makes the event bus client of a simulated process send to the simulated bus. */
export function replaceBus(): void {
  const { prototype } = EventBridgeClient as unknown as {
    prototype: { send: (this: unknown, command: PutEvents) => Promise<object> };
  };
  const real = prototype.send;
  prototype.send = async function send(command) {
    if (currentProcess() === undefined) return real.call(this, command);
    await wait(Math.random() * 20);
    if (events === undefined) throw new Error('No bus is connected');
    return events.put(command.input.Entries);
  };
}
