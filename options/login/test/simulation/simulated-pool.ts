import type { OutsideRequest } from '#test/simulation/outside.ts';
import { newProcess, runIn, type World } from '#test/simulation/virtual-time.ts';
import { StandInPool } from '../../local/stand-in-pool.ts';
import { answerAction } from '../../local/stand-in-service.ts';

/** The end of the sessions of an account, by its Cognito id. */
export interface SignOut {
  readonly sub: string;
  readonly at: number;
}

/** A user pool in memory, with the time and the chance of the simulation. */
export class SimulatedPool {
  /** By the time of the world: the clocks of processes may be coarse, and show an event before one that it followed. */
  readonly signOuts: SignOut[] = [];
  readonly #cognito = newProcess('cognito', 0);
  readonly #world: World;
  readonly #suffix: string;
  readonly #createdAt = new Map<string, number>();
  readonly pool: StandInPool;

  /** Processes remember clients from one run to the next, so their ids end like all names of a run. */
  constructor(world: World, suffix: string) {
    this.#world = world;
    this.#suffix = suffix;
    const onSignOut = (sub: string) => void this.signOuts.push({ sub, at: world.time });
    this.pool = new StandInPool({ id: 'simulated', onSignOut });
  }

  /** When an account was created, by its Cognito id. */
  createdAt(sub: string): number {
    return this.#createdAt.get(sub) ?? 0;
  }

  /** Answers a call of Cognito's API, which takes effect now. */
  perform({ headers, body }: OutsideRequest): { readonly status: number; readonly body: string } {
    const target = String(headers['x-amz-target']);
    const { status, body: answer } = runIn(this.#cognito, () => answerAction(this.pool, target, JSON.parse(body)));
    for (const { sub } of this.pool.users.values()) {
      if (!this.#createdAt.has(sub)) this.#createdAt.set(sub, this.#world.time);
    }
    const text = JSON.stringify(answer);
    return { status, body: target.endsWith('.CreateUserPoolClient') ? this.#renamed(text) : text };
  }

  #renamed(answer: string): string {
    const { clients } = this.pool;
    const created = [...clients.values()].at(-1);
    if (created === undefined || created.ClientId.endsWith(this.#suffix)) return answer;
    const ClientId = `${created.ClientId}${this.#suffix}`;
    clients.delete(created.ClientId);
    clients.set(ClientId, { ...created, ClientId });
    return answer.replaceAll(created.ClientId, ClientId);
  }
}
