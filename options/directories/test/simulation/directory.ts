import type { Clients } from '#test/simulation/clients.ts';
import { Draw, drawKind } from '#test/simulation/draw.ts';
import type { Processes } from '#test/simulation/processes.ts';
import { groupOf, isConnected } from '#test/simulation/stored-state.ts';
import { currentProcess, type Process, type World, wait } from '#test/simulation/virtual-time.ts';
import type { MemoryTable } from '../../../../local/memory/memory-table.ts';
import { DirectoryAdministration, type Token } from './directory-administration.ts';
import { type DirectorySwarm, type ScimKind, scimKinds } from './directory-swarm.ts';
import { race } from './races.ts';
import type { ScimAnswer } from './scim-messages.ts';

/** How long a directory waits for one response: longer than a request can have an effect. */
const timeoutMilliseconds = 30_000;

/** When the HTTP layer answers 503, half a second before Lambda's own timeout. */
const scim = { name: 'scim', milliseconds: 11_500 } as const;
const tooLate = (): ScimAnswer => ({ status: 503, body: {} });

/** One attempt of a request of a directory. */
export interface ScimAttempt {
  readonly requestId: string;
  /** The key of its token. */
  readonly keyId: string;
  readonly sentAt: number;
  /** When the process answered, whether or not the answer arrived. */
  answeredAt?: number;
  answer?: ScimAnswer;
}

/** A request of a directory, and its outcome as the directory knows it. */
export interface ScimCall {
  readonly id: string;
  readonly connectionId: string;
  readonly kind: ScimKind | 'read' | 'settle' | 'list';
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: ScimBody | undefined;
  /** The version that it expects (`If-Match`); undefined for any. */
  readonly ifMatch: number | undefined;
  readonly startedAt: number;
  endedAt?: number;
  readonly attempts: ScimAttempt[];
  /** The last response that arrived; undefined if none did. */
  outcome?: ScimAnswer;
}

interface Member {
  readonly value: string;
}

/** The body of a request: a user, a group, or the operations of a PATCH. */
export interface ScimBody {
  readonly userName?: string;
  readonly externalId?: string;
  readonly active?: boolean;
  readonly displayName?: string | null;
  readonly emails?: readonly { readonly value: string; readonly primary: boolean }[];
  readonly title?: string;
  readonly members?: readonly Member[];
  readonly Operations?: readonly {
    readonly op: string;
    readonly path?: string;
    readonly value: boolean | string | readonly Member[] | Readonly<Record<string, boolean | string>>;
  }[];
}

/** What a directory wants; the rest of a call is added when it is sent. */
export type ScimRequest = Pick<ScimCall, 'kind' | 'method' | 'path' | 'body'> & {
  readonly query?: string;
  readonly ifMatch?: number;
};

/** A directory that provisions users and groups by SCIM; its requests have no nonce. */
export class Directory {
  readonly swarm: DirectorySwarm;
  readonly calls: ScimCall[] = [];
  /** Those that were made or repeated after the faults. */
  readonly lastCalls = new Set<ScimCall>();
  readonly #world: World;
  readonly #clients: Clients;
  readonly #processes: Processes;
  readonly #users: readonly string[];
  readonly #draw: Draw;
  readonly #administration: DirectoryAdministration;
  #token: Token = { keyId: '', token: '' };
  /** Who was added or removed last, or the users while nobody was. */
  #lastMembers: readonly string[];
  /** The ids of the groups that it has created or found, also of those that it has deleted. */
  readonly #groups = new Set<string>();

  constructor(
    world: World,
    { clients, processes }: { readonly clients: Clients; readonly processes: Processes },
    { swarm, users }: { readonly swarm: DirectorySwarm; readonly users: readonly string[] },
  ) {
    this.#world = world;
    this.#clients = clients;
    this.#processes = processes;
    this.swarm = swarm;
    this.#users = users;
    this.#lastMembers = users;
    this.#draw = new Draw(() => world.random());
    this.#administration = new DirectoryAdministration(swarm, clients, {
      draw: this.#draw,
      use: (token) => {
        this.#token = token;
      },
    });
  }

  /** Connects it, with a role for each mapping, and sends the first users; one that takes over nobody needs a free user id. */
  async prepare(): Promise<void> {
    const { connectionId, userIdAttribute, takeover, groupRoles } = this.swarm;
    const roles = new Map(groupRoles.map(({ appId, role }) => [`${appId} ${role}`, { appId, role }]));
    for (const named of roles.values()) await this.#clients.call('define-role', { ...named, description: 'mapped' });
    await this.#clients.callOf('create-connection', {
      connectionId,
      kind: 'scim',
      name: connectionId,
      userIdAttribute,
      takeover,
      applications: [...new Set(groupRoles.map(({ appId }) => appId))],
      groupRoles: groupRoles.map((row) => ({ ...row, role: row.role })),
    });
    await this.#administration.issueToken();
    const [first = '', ...others] = this.#users;
    const free = this.#draw.oneOf(first, ...others);
    if (takeover === 'none') await this.#clients.call('delete-user', { userId: free });
    for (const userId of this.#users) {
      if (userId !== free && this.#draw.chance(0.5)) continue;
      await this.#request({ kind: 'create-user', method: 'POST', path: '/Users', body: this.#drawUser(userId) });
    }
    for (const displayName of this.swarm.groupNames) {
      const body = { displayName, members: this.#managed().map((value) => ({ value })) };
      if (this.#draw.chance(0.6))
        await this.#learnGroup(await this.#request({ kind: 'create-group', method: 'POST', path: '/Groups', body }));
    }
  }

  /** The requests of one stream, one after the other. */
  async run(pauseMilliseconds: number): Promise<void> {
    for (let sent = 0; sent < this.swarm.requestsPerStream; sent++) {
      if (pauseMilliseconds > 0) await wait(this.#world.random() * pauseMilliseconds);
      await this.#make(drawKind(this.#world.random, scimKinds, this.swarm.weights));
    }
  }

  /** What operators do with its connection, one after the other. */
  administer(pauseMilliseconds: number): Promise<void> {
    return this.#administration.run(pauseMilliseconds);
  }

  /** Repeats requests whose outcome is unknown, the last ones. */
  async repeatUnknown(most: number): Promise<void> {
    const unknown = this.calls.filter(({ outcome }) => outcome === undefined || isUnavailable(outcome));
    for (const call of unknown.slice(-most)) this.lastCalls.add(await this.#untilAnswered(call));
  }

  /** Sends each group with its members again, as a directory does in each of its cycles, and reads everything. */
  async settle(table: MemoryTable): Promise<void> {
    const { connectionId, administration } = this.swarm;
    const made = this.calls.length;
    if (administration !== undefined && isConnected(table, connectionId)) {
      const read = { kind: 'settle', method: 'GET', path: '/Users', body: undefined } as const;
      await this.#administration.tryEarlierTokens(() => this.#request(read));
    }
    const groups = table.items().flatMap((item) => groupOf(item) ?? []);
    for (const { groupId, deleting } of groups.filter((group) => group.connectionId === connectionId)) {
      const path = `/Groups/${groupId}`;
      if (deleting) await this.#request({ kind: 'settle', method: 'DELETE', path, body: undefined });
      else await this.#replaceWithItself(path);
    }
    await this.#request({ kind: 'list', method: 'GET', path: '/Users', body: undefined });
    await this.#request({ kind: 'list', method: 'GET', path: '/Groups', body: undefined });
    for (const call of this.calls.slice(made)) this.lastCalls.add(call);
  }

  async #replaceWithItself(path: string): Promise<void> {
    const { outcome } = await this.#request({ kind: 'settle', method: 'GET', path, body: undefined });
    const { displayName, members = [] } = (outcome?.body ?? {}) as ScimBody;
    const body = { displayName: String(displayName), members: members.map(({ value }) => ({ value })) };
    await this.#request({ kind: 'settle', method: 'PUT', path, body });
  }

  async #make(drawn: ScimKind): Promise<void> {
    if (this.swarm.racing > 0 && this.#draw.chance(this.swarm.racing)) return this.#race();
    if (drawn === 'person-decides') return this.#decideAsPerson();
    const kind = this.#managed().length === 0 && this.#draw.chance(0.5) ? 'create-user' : drawn;
    const request =
      kind.endsWith('-user') || kind === 'set-active' ? this.#userRequest(kind) : this.#groupRequest(kind);
    if (request === undefined) return;
    const isRepeated = this.#draw.chance(this.swarm.repeated);
    const isTogether = this.#draw.chance(0.5);
    const [first] = await Promise.all([
      this.#request(request),
      ...(isRepeated && isTogether ? [this.#request(request)] : []),
    ]);
    if (isRepeated && !isTogether) await this.#request(request);
    if (kind === 'create-group') await this.#learnGroup(first);
  }

  #race(): Promise<void> {
    const { userNames, groupNames } = this.swarm;
    return race({
      draw: this.#draw,
      clients: this.#clients,
      users: this.#users,
      managed: this.#managed(),
      userNames,
      groupNames,
      groups: [...this.#groups],
      newUser: (userId) => this.#drawUser(userId),
      send: async (request) => {
        const call = await this.#request(request);
        if (request.kind === 'create-group') await this.#learnGroup(call);
        return call;
      },
    });
  }

  /** An operator decides about a user, or about a role that groups give. */
  async #decideAsPerson(): Promise<void> {
    const userId = this.#draw.chance(0.7) ? this.#oneOf(this.#lastMembers) : this.#drawUserId('set-active');
    const { appId, role } = this.#oneOf(this.swarm.groupRoles);
    const inMonths = new Date(this.#world.time + 90 * 86_400_000).toISOString();
    // With the same expiry as that of a group, nothing would change.
    const grant = { role: role as never, expiresAt: this.#draw.oneOf(null, inMonths) };
    const status = this.#draw.oneOf('active', 'inactive');
    await this.#draw.oneOf<() => Promise<unknown>>(
      () => this.#clients.call('assign-role', { userId, appId, grant }),
      () => this.#clients.call('assign-role', { userId, appId, grant }),
      () => this.#clients.call('revoke-role', { userId, appId, role }),
      () => this.#clients.call('set-user-status', { userId, status, reason: null }),
    )();
  }

  /** After a lost answer or a conflict, a directory looks for the group by its name. */
  async #learnGroup({ outcome, body }: ScimCall): Promise<void> {
    if (outcome?.status === 201) {
      this.#groups.add(String(outcome.body.id));
      return;
    }
    const query = `filter=${encodeURIComponent(`displayName eq "${body?.displayName}"`)}`;
    const found = await this.#request({ kind: 'create-group', method: 'GET', path: '/Groups', query, body: undefined });
    const { Resources = [] } = (found.outcome?.body ?? {}) as { readonly Resources?: readonly { id: string }[] };
    for (const { id } of Resources) this.#groups.add(id);
  }

  #userRequest(kind: ScimKind): ScimRequest {
    const userId = this.#drawUserId(kind);
    const path = `/Users/${userId}`;
    switch (kind) {
      case 'create-user':
        return { kind, method: 'POST', path: '/Users', body: this.#drawUser(userId) };
      case 'replace-user':
        return { kind, method: 'PUT', path, body: this.#drawUser(userId) };
      case 'set-active':
        return { kind, method: 'PATCH', path, body: this.#activePatch(this.#draw.chance(0.5)) };
      case 'rename-user':
        return { kind, method: 'PATCH', path, body: this.#renamePatch() };
      case 'remove-user':
        return { kind, method: 'DELETE', path, body: undefined };
      default: {
        const query = `filter=${encodeURIComponent(`userName eq "${this.#oneOf(this.swarm.userNames)}"`)}`;
        return { kind, method: 'GET', path: '/Users', query, body: undefined };
      }
    }
  }

  /** Mostly one whom it manages as far as it knows or, to create a user, one whom it does not. */
  #drawUserId(kind: ScimKind): string {
    const managed = this.#managed();
    const meant = this.#users.filter((userId) => managed.includes(userId) === (kind !== 'create-user'));
    return this.#oneOf(meant.length > 0 && this.#draw.chance(0.8) ? meant : this.#users);
  }

  /** Okta and Entra ID say it in different ways. */
  #activePatch(active: boolean): ScimBody {
    if (this.#draw.chance(0.5)) return { Operations: [{ op: 'replace', value: { active } }] };
    return { Operations: [{ op: 'Replace', path: 'active', value: active ? 'True' : 'False' }] };
  }

  #renamePatch(): ScimBody {
    const userName = this.#oneOf(this.swarm.userNames);
    const displayName = this.#draw.oneOf('Ada King', 'Grace King');
    const title = this.#draw.oneOf('Engineer', 'Manager');
    const value = this.#draw.oneOf<Record<string, string>>({ userName }, { displayName }, { title, displayName });
    return { Operations: [{ op: 'replace', value }] };
  }

  #drawUser(userId: string): ScimBody {
    const { userIdAttribute, userNames, externalIds } = this.swarm;
    const names =
      userIdAttribute === 'userName'
        ? { userName: userId, ...(this.#draw.chance(0.7) && { externalId: this.#oneOf(externalIds) }) }
        : { userName: this.#oneOf(userNames), externalId: userId };
    return {
      ...names,
      ...(this.#draw.chance(0.8) ? { active: this.#draw.chance(0.8) } : {}),
      ...(this.#draw.chance(0.7) && { displayName: this.#draw.oneOf('Ada King', 'Grace King') }),
      ...(this.#draw.chance(0.5) && { emails: [{ value: this.#draw.oneOf('a@b.c', 'd@e.f'), primary: true }] }),
    };
  }

  /** Undefined for a group while none is known. */
  #groupRequest(kind: ScimKind): ScimRequest | undefined {
    const displayName = this.#oneOf(this.swarm.groupNames);
    const members = this.#drawMembers();
    if (kind === 'create-group') {
      const body = { displayName, ...(members.length > 0 && { members }) };
      return { kind, method: 'POST', path: '/Groups', body };
    }
    if (this.#groups.size === 0) return undefined;
    const path = `/Groups/${this.#oneOf([...this.#groups])}`;
    if (kind === 'remove-group') return { kind, method: 'DELETE', path, body: undefined };
    if (kind === 'replace-group') return { kind, method: 'PUT', path, body: { displayName, members } };
    if (kind === 'rename-group') {
      return { kind, method: 'PATCH', path, body: { Operations: [{ op: 'replace', value: { displayName } }] } };
    }
    const op = this.#draw.oneOf('add', 'add', 'remove');
    return { kind, method: 'PATCH', path, body: { Operations: [{ op, path: 'members', value: members }] } };
  }

  /** Mostly users whom it manages as far as it knows; one that is not makes the request invalid. */
  #drawMembers(): Member[] {
    const managed = this.#draw.chance(0.9) ? this.#managed() : this.#users;
    if (managed.length === 0) return [];
    const first = this.#oneOf(managed);
    const members = managed.filter((userId) => userId === first || this.#draw.chance(0.4));
    this.#lastMembers = members;
    return members.map((value) => ({ value }));
  }

  #managed(): string[] {
    const managed = new Set<string>();
    for (const { kind, path, outcome } of this.calls) {
      if (kind === 'create-user' && (outcome?.status ?? 500) < 300) managed.add(String(outcome?.body.id));
      if (kind === 'remove-user') managed.delete(path.slice('/Users/'.length));
    }
    return [...managed];
  }

  async #request({ query = '', ifMatch, ...request }: ScimRequest): Promise<ScimCall> {
    const { connectionId } = this.swarm;
    const id = `${connectionId}.${this.calls.length + 1}`;
    const call: ScimCall = { id, connectionId, ...request, query, ifMatch, startedAt: this.#world.time, attempts: [] };
    this.calls.push(call);
    return this.#untilAnswered(call);
  }

  async #untilAnswered(call: ScimCall): Promise<ScimCall> {
    const { maxAttempts } = this.#clients.options;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      if (attempt > 1) await wait(this.#world.random() * Math.min(5000, 100 * 2 ** attempt));
      const answer = await this.#attempt(call);
      if (answer === undefined) delete call.outcome;
      else call.outcome = answer;
      if (answer !== undefined && !isUnavailable(answer)) break;
    }
    call.endedAt = this.#world.time;
    return call;
  }

  #attempt(call: ScimCall): Promise<ScimAnswer | undefined> {
    const world = this.#world;
    const process = currentProcess();
    const { method, path, query, body, ifMatch } = call;
    const { keyId, token } = this.#token;
    const requestId = `${call.id}.${call.attempts.length + 1}`;
    const attempt: ScimAttempt = { requestId, keyId, sentAt: world.time };
    call.attempts.push(attempt);
    const request = { method, path, query, body, ifMatch, token, requestId };
    return new Promise((resolve) => {
      const timeout = world.schedule(timeoutMilliseconds, () => resolve(undefined), process);
      const answered = (answer: ScimAnswer) => {
        Object.assign(attempt, { answeredAt: world.time, answer });
        if (world.random() < this.#clients.options.lostAnswer) return;
        this.#travel(() => {
          timeout.cancelled = true;
          resolve(answer);
        }, process);
      };
      this.#travel(() => this.#processes.receiveAt(scim, request, { late: tooLate, answer: answered }));
    });
  }

  #travel(arrive: () => void, process?: Process): void {
    this.#world.schedule(this.#world.random() * this.#clients.options.travelMilliseconds, arrive, process);
  }

  #oneOf<T>(options: readonly T[]): T {
    const [first, ...others] = options;
    if (first === undefined) throw new Error('There is nothing to choose from');
    return this.#draw.oneOf(first, ...others);
  }
}

/** Whether an answer leaves the outcome of a request unknown. */
export function isUnavailable({ status }: ScimAnswer): boolean {
  return status >= 500 || status === 429;
}
