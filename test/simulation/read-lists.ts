import type { Clients } from './clients.ts';
import { hasOperation, type OperationName } from './operations.ts';
import type { Swarm } from './swarm.ts';

/** Everything that a list or a lookup returned, from the first page to the last. */
export interface ReadList {
  readonly operation: OperationName;
  readonly input: ListInput;
  readonly shown: readonly unknown[];
  /** The error, if nothing was returned. */
  readonly refusal?: string;
  /** The response to the cursor of another list. */
  readonly foreignCursor?: string;
}

export interface ListInput {
  readonly userId?: string;
  readonly appId?: string;
  readonly role?: string;
  readonly status?: string;
  readonly prefix?: string;
}

const maxPages = 500;

/** Reads every list available to an operator, in pages of random size. */
export class ListReader {
  readonly lists: ReadList[] = [];
  readonly #clients: Clients;
  readonly #random: () => number;
  /** The cursor of the previously read list. */
  #lastCursor: string | undefined;

  constructor(clients: Clients, random: () => number) {
    this.#clients = clients;
    this.#random = random;
  }

  async readAll({ users, apps, roles }: Swarm): Promise<void> {
    for (const prefix of ['', 'u', 'u1']) await this.#read('list-users', { prefix });
    for (const status of ['active', 'inactive']) await this.#read('list-users', { prefix: '', status });
    await this.#read('list-applications', {});
    for (const userId of users) await this.#readUser(userId);
    for (const appId of apps) await this.#readApplication(appId, roles);
  }

  async #readUser(userId: string): Promise<void> {
    await this.#lookUp('get-user', { userId });
    await this.#read('list-user-access', { userId });
    await this.#read('list-user-changes', { userId });
  }

  async #readApplication(appId: string, roles: readonly string[]): Promise<void> {
    await this.#lookUp('get-application', { appId });
    await this.#read('list-roles', { appId });
    await this.#read('list-keys', { appId });
    await this.#read('list-application-users', { appId });
    for (const status of ['enabled', 'disabled']) await this.#read('list-application-users', { appId, status });
    if (hasOperation('list-access-review')) await this.#read('list-access-review', { appId });
    await this.#read('list-application-changes', { appId });
    await this.#read('list-application-changes-after', { appId });
    for (const role of roles) {
      await this.#lookUp('get-role', { appId, role });
      await this.#read('list-members', { appId, role });
    }
  }

  async #lookUp(operation: OperationName, input: ListInput): Promise<void> {
    const answer = await this.#ask(operation, input);
    this.lists.push({
      operation,
      input,
      ...('refusal' in answer ? { ...answer, shown: [] } : { shown: [answer.body] }),
    });
  }

  async #read(operation: OperationName, input: ListInput): Promise<void> {
    const limit = 1 + Math.floor(this.#random() * 4);
    const shown: unknown[] = [];
    const foreign = this.#lastCursor;
    let cursor: string | undefined;
    for (let page = 1; page <= maxPages; page++) {
      const answer = await this.#ask(operation, { ...input, limit, cursor });
      if ('refusal' in answer) {
        this.lists.push({ operation, input, shown, ...answer });
        return;
      }
      const { items, cursor: next } = answer.body as { items: readonly unknown[]; cursor: string | null };
      if (items.length > limit) throw new Error(`${operation} shows ${items.length} instead of ${limit}`);
      shown.push(...items);
      // The cursor of a forward history never ends.
      if (next === null || next === cursor) break;
      this.#lastCursor = next;
      cursor = next;
    }
    const refused =
      foreign === undefined ? undefined : await this.#ask(operation, { ...input, limit, cursor: foreign });
    this.lists.push({ operation, input, shown, ...(refused && { foreignCursor: refused.refusal ?? 'accepted' }) });
  }

  async #ask(operation: OperationName, input: object) {
    const { outcome } = await this.#clients.callOf(operation, input);
    if (outcome?.kind === 'done') return { body: outcome.body };
    return { refusal: outcome?.kind === 'refused' ? outcome.code : JSON.stringify(outcome) };
  }
}
