import type { ApiKey, Clients } from './clients.ts';
import type { Code } from './load-code.ts';
import { type World, wait } from './virtual-time.ts';

type Replica = Code['replica'];
type State = ReturnType<Replica['beginSnapshot']>['state'];
export type ReplicaDecision = ReturnType<Replica['decideLocally']>;

/** What a replica decided at the end of a poll. */
export interface Poll {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly decisions: readonly ReplicaDecision[];
}

const longestInterval = 3_600_000;

/** An application that decides by the SDK's replica: its snapshot, its facts and its order of changes, without HTTP. */
export class SdkReplica {
  readonly appId: string;
  readonly polls: Poll[] = [];
  /** The error that ended it: the key was revoked or the application deleted. */
  refusal: string | undefined;
  readonly #knowledge: ReturnType<Replica['createKnowledge']>;
  #snapshot: ReturnType<Replica['beginSnapshot']> | undefined;
  #isDone = false;
  readonly #world: World;
  readonly #clients: Clients;
  readonly #key: ApiKey;
  readonly #code: Replica;
  readonly #users: readonly string[];

  constructor(
    world: World,
    clients: Clients,
    key: ApiKey,
    { replica, users }: { replica: Replica; users: readonly string[] },
  ) {
    this.#world = world;
    this.#clients = clients;
    this.#key = key;
    this.#code = replica;
    this.#users = users;
    this.appId = key.appId;
    this.#snapshot = replica.beginSnapshot(key.appId);
    this.#knowledge = replica.createKnowledge(
      () => [world.time, 0],
      () => undefined,
    );
  }

  async run(startMilliseconds: number): Promise<void> {
    await wait(startMilliseconds);
    for (let interval = 5000; !this.#isDone && this.refusal === undefined; ) {
      interval = (await this.#poll()) ? 5000 : Math.min(longestInterval, interval * 2);
      await wait(this.#world.random() * interval);
    }
  }

  /** Polls until it has everything. */
  async finish(): Promise<void> {
    this.#isDone = true;
    const known = this.polls.length;
    for (let tries = 1; tries <= 20 && this.polls.length === known && this.refusal === undefined; tries++)
      await this.#poll();
    this.#knowledge.stop();
  }

  /** Returns whether anything was new. */
  async #poll(): Promise<boolean> {
    const startedAt = this.#world.time;
    try {
      const { loadSnapshot, followChanges, addPage } = this.#code;
      const loaded = this.#snapshot && (await loadSnapshot(this.#read, this.#snapshot));
      const state = loaded ?? (this.#knowledge.state as State);
      const from = state.cursor;
      await followChanges(this.#read, state, (page) => {
        if (loaded !== undefined) addPage(loaded, page);
        else
          this.#knowledge.change(
            page.facts.map(([userId]) => userId),
            () => addPage(state, page),
          );
      });
      this.#snapshot = undefined;
      this.#knowledge.change(loaded?.users.keys() ?? [], () => {
        this.#knowledge.state = state;
      });
      const endedAt = this.#world.time;
      const decisions = this.#users.map((userId) => this.#code.decideLocally(state, userId, [endedAt, 0]));
      this.polls.push({ startedAt, endedAt, decisions });
      // Changes that are still pending come again, or are counted, in each answer.
      return loaded !== undefined || numbersOf(state.cursor) !== numbersOf(from);
    } catch (error) {
      // As in `createAccessReplica`: what cannot be complete is read again from the beginning.
      if (error instanceof TypeError) this.#snapshot = this.#code.beginSnapshot(this.appId);
      else if (!(error instanceof Refusal)) throw error;
      else if (error.code === 'cursor_expired') this.#snapshot = this.#code.beginSnapshot(this.appId);
      else if (error.status !== 429 && error.status < 500) this.refusal = error.code;
      return false;
    }
  }

  /** As `createReader`, without a signature. */
  readonly #read = async (path: string, limit: number, after?: string | null) => {
    const input = { appId: this.appId, after: after ?? undefined };
    const { outcome } =
      path === 'access'
        ? await this.#clients.call('get-snapshot', { ...input, limit: 2 }, this.#key)
        : await this.#clients.call('list-changes', { ...input, limit, pending: 'new' }, this.#key);
    if (outcome?.kind === 'done') return [outcome.body, 0] as const;
    throw outcome?.kind === 'refused' ? new Refusal(outcome.code, outcome.status) : new Refusal('unavailable', 503);
  };
}

/** The part of a cursor that passes changes with numbers. */
function numbersOf(cursor: string): string {
  const position = JSON.parse(Buffer.from(cursor, 'base64url').subarray(12).toString()) as readonly unknown[];
  return JSON.stringify(position.slice(0, 2));
}

class Refusal extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number) {
    super(code);
    this.code = code;
    this.status = status;
  }
}
