import type { Clients } from '#test/simulation/clients.ts';
import { type Draw, drawKind } from '#test/simulation/draw.ts';
import { wait } from '#test/simulation/virtual-time.ts';
import { administrationKinds, type DirectorySwarm } from './directory-swarm.ts';

/** A bearer token of a connection, with the id of its key. */
export interface Token {
  readonly keyId: string;
  readonly token: string;
}

interface Directory {
  readonly draw: Draw;
  /** Configures the directory with another token. */
  use(token: Token): void;
}

/** The operators of a directory's connection: its tokens, what its groups give, and its end. */
export class DirectoryAdministration {
  readonly #swarm: DirectorySwarm;
  readonly #clients: Clients;
  readonly #directory: Directory;
  /** The tokens that the directory had before. */
  readonly #earlier: Token[] = [];
  #token: Token | undefined;

  constructor(swarm: DirectorySwarm, clients: Clients, directory: Directory) {
    this.#swarm = swarm;
    this.#clients = clients;
    this.#directory = directory;
  }

  /** Issues a token and gives it to the directory. */
  async issueToken(expiresAt: string | null = null): Promise<void> {
    const { connectionId } = this.#swarm;
    const scopes = ['users:write', 'roles:write'] as const;
    const { outcome } = await this.#clients.callOf('issue-connection-key', { connectionId, scopes, expiresAt });
    this.#use(outcome);
  }

  /** Sends a request with each earlier token, then with a new one. */
  async tryEarlierTokens(send: () => Promise<unknown>): Promise<void> {
    for (const token of [...this.#earlier]) {
      this.#directory.use(token);
      await send();
    }
    await this.issueToken();
  }

  async run(pauseMilliseconds: number): Promise<void> {
    const { administration, connectionId } = this.#swarm;
    if (administration === undefined) return;
    const { draw } = this.#directory;
    for (let action = 0; action < administration.actions; action++) {
      await wait(draw.random() * Math.max(1000, 4 * pauseMilliseconds));
      await this.#act(drawKind(draw.random, administrationKinds, administration.weights));
    }
    if (!administration.deletes) return;
    await wait(draw.random() * 1000);
    await this.#clients.callOf('delete-connection', { connectionId });
  }

  async #act(kind: (typeof administrationKinds)[number]): Promise<void> {
    const { connectionId, groupRoles } = this.#swarm;
    const { draw } = this.#directory;
    const { keyId = '' } = this.#token ?? {};
    switch (kind) {
      case 'map-groups': {
        const rows = groupRoles.filter(() => draw.chance(0.5));
        const mapped = rows.map((row) => ({ ...row, role: row.role }));
        await this.#clients.callOf('update-connection', { connectionId, groupRoles: mapped });
        return;
      }
      case 'rotate-token': {
        const overlapSeconds = draw.oneOf(0, 2, 60);
        const { outcome } = await this.#clients.callOf('rotate-connection-key', {
          connectionId,
          keyId,
          overlapSeconds,
        });
        await wait(draw.random() * 3000);
        this.#use(outcome);
        return;
      }
      case 'replace-token':
        await this.issueToken();
        await this.#clients.callOf('revoke-connection-key', { connectionId, keyId });
        return;
      case 'revoke-token':
        await this.#clients.callOf('revoke-connection-key', { connectionId, keyId });
        await wait(draw.random() * 3000);
        await this.issueToken();
        return;
      default:
        throw new Error(`${kind satisfies never} is not simulated`);
    }
  }

  /** Nothing, if the answer with the token was lost. */
  #use(outcome: Awaited<ReturnType<Clients['call']>>['outcome']): void {
    if (outcome?.kind !== 'done') return;
    if (this.#token !== undefined) this.#earlier.push(this.#token);
    this.#token = { keyId: String(outcome.body.keyId), token: String(outcome.body.token) };
    this.#directory.use(this.#token);
  }
}
