import type { OutsideRequest } from '#test/simulation/outside.ts';
import { newProcess, runIn } from '#test/simulation/virtual-time.ts';
import { StandInPool } from '../../local/stand-in-pool.ts';
import { answerAction } from '../../local/stand-in-service.ts';

/** The end of the sessions of an account, by its Cognito id. */
export interface SignOut {
  readonly sub: string;
  readonly at: number;
}

/** A user pool in memory, with the time and the chance of the simulation. */
export class SimulatedPool {
  readonly signOuts: SignOut[] = [];
  readonly #cognito = newProcess('cognito', 0);
  readonly #suffix: string;
  readonly pool = new StandInPool({
    id: 'simulated',
    onSignOut: (sub) => this.signOuts.push({ sub, at: Date.now() }),
  });

  /** Processes remember clients from one run to the next, so their ids end like all names of a run. */
  constructor(suffix: string) {
    this.#suffix = suffix;
  }

  /** Answers a call of Cognito's API, which takes effect now. */
  perform({ headers, body }: OutsideRequest): { readonly status: number; readonly body: string } {
    const target = String(headers['x-amz-target']);
    const { status, body: answer } = runIn(this.#cognito, () => answerAction(this.pool, target, JSON.parse(body)));
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
