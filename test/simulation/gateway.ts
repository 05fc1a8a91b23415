import { manageOperations } from '#shared/contract/operations.ts';
import { seededRandom } from '../support/seeded-random.ts';
import type { Clients } from './clients.ts';
import { Draw } from './draw.ts';
import type { Swarm } from './swarm.ts';
import { wait } from './virtual-time.ts';

/** Only every so many seeds have a gateway. */
const gatewayEvery = 17;
const firstGateway = 9;

/** A gateway that asks about every user of every application, by a connection. */
export class Gateway {
  readonly #clients: Clients;
  readonly #swarm: Swarm;
  /** Numbers of its own: a seed without a gateway is not changed by those of others. */
  readonly #draw: Draw;
  readonly #connectionId: string;
  #keyId = '';

  constructor(clients: Clients, swarm: Swarm, seed: number, suffix: string) {
    this.#clients = clients;
    this.#swarm = swarm;
    this.#draw = new Draw(seededRandom(~seed));
    this.#connectionId = `gateway-${suffix}`;
  }

  async prepare(): Promise<void> {
    const connectionId = this.#connectionId;
    const applications = this.#swarm.apps;
    await this.#clients.callOf('create-connection', { connectionId, kind: 'evaluate', name: 'Gateway', applications });
    const scopes = ['access:read', 'roles:read'] as const;
    const { outcome } = await this.#clients.callOf('issue-connection-key', { connectionId, scopes, expiresAt: null });
    if (outcome?.kind !== 'done') throw new Error(`No token was issued: ${JSON.stringify(outcome)}`);
    this.#keyId = String(outcome.body.keyId);
  }

  async run(): Promise<void> {
    const { apps, users, roles, callsPerClient, pauseMilliseconds } = this.#swarm;
    for (let call = 0; call < callsPerClient; call++) {
      await wait(this.#draw.random() * Math.max(pauseMilliseconds, 100));
      const questions = apps.flatMap((appId) =>
        users.map((userId) => ({ userId, appId, action: this.#draw.oneOf('enter', ...roles) })),
      );
      const asked = { connectionId: this.#connectionId, keyId: this.#keyId, questions };
      await this.#clients.callOf('evaluate-access', asked);
    }
  }
}

/** The gateway of a seed; undefined if it has none, or no option has connections. */
export function gatewayOf(seed: number, suffix: string, clients: Clients, swarm: Swarm): Gateway | undefined {
  const canConnect = 'create-connection' in manageOperations;
  return canConnect && seed % gatewayEvery === firstGateway ? new Gateway(clients, swarm, seed, suffix) : undefined;
}
