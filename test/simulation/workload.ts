import { createBulkId } from '#shared/contract/bulk-calls.ts';
import type { ApiKey, CallRecord, Clients } from './clients.ts';
import { drawKind } from './draw.ts';
import { hasOperation } from './operations.ts';
import type { CallKind, Swarm } from './swarm.ts';
import { callKinds } from './swarm.ts';
import { type World, wait } from './virtual-time.ts';

const hour = 3_600_000;
/** Older changes are hardly ever undone: their users and accesses have changed since. */
const lastChanges = 4;

/** An invalid user id. */
export const noUserId = 'no user#id';

/** The possible actions of one random client. */
export class Workload {
  /** The key that each application's backends sign with; another key reads the changes. */
  readonly keys = new Map<string, ApiKey>();
  readonly followerKeys = new Map<string, ApiKey>();
  readonly #world: World;
  readonly #clients: Clients;
  readonly #swarm: Swarm;
  readonly #issued: ApiKey[] = [];
  /** Of the last bulk, for another request of it. */
  #bulkId: string | undefined;

  constructor(world: World, clients: Clients, swarm: Swarm) {
    this.#world = world;
    this.#clients = clients;
    this.#swarm = swarm;
  }

  /**
   * Creates the state at the start of the faults: the applications with their keys, most roles and users, and some
   * grants.
   */
  async prepare(): Promise<void> {
    const { apps, users } = this.#swarm;
    for (const userId of users) {
      if (this.#chance(0.8)) await this.#clients.call('create-user', { userId, displayName: null, email: null });
    }
    for (const appId of apps) await this.#prepareApplication(appId);
  }

  async #prepareApplication(appId: string): Promise<void> {
    const { roles, users, granted, requestsPerSecond } = this.#swarm;
    await this.#clients.call('create-application', { appId, name: appId, rolloutPercent: this.#drawRollout() });
    this.keys.set(appId, await this.issue(appId, ['access:read', 'access:write', 'roles:write']));
    this.followerKeys.set(appId, await this.issue(appId, ['access:read']));
    if (requestsPerSecond !== undefined) await this.#clients.call('update-application', { appId, requestsPerSecond });
    for (const role of roles) {
      if (!this.#chance(0.8)) continue;
      await this.#defineRole(appId, role);
      for (const userId of users) if (this.#chance(granted)) await this.#assignRole({ userId, appId }, role);
    }
  }

  async issue(appId: string, scopes: ApiKey['scopes']): Promise<ApiKey> {
    const { outcome } = await this.#clients.call('issue-key', { appId, scopes, expiresAt: null });
    if (outcome?.kind !== 'done') throw new Error(`No key was issued: ${JSON.stringify(outcome)}`);
    return { appId, keyId: String(outcome.body.keyId), scopes };
  }

  #defineRole(appId: string, role: string): Promise<CallRecord> {
    const description = this.#oneOf([null, 'one', 'two']);
    return this.#clients.call('define-role', { appId, role, description });
  }

  #assignRole(subject: { userId: string; appId: string }, role: string, key?: ApiKey): Promise<CallRecord> {
    // Role names have a deeper brand than the other ids.
    const grant = { role: role as never, expiresAt: this.#drawEnd() };
    return this.#clients.call('assign-role', { ...subject, grant }, key);
  }

  /** The calls of one client, one after the other. */
  async run(): Promise<void> {
    const { callsPerClient, pauseMilliseconds, longPause } = this.#swarm;
    for (let call = 0; call < callsPerClient; call++) {
      const milliseconds = this.#chance(longPause) ? 30 * hour : pauseMilliseconds;
      if (milliseconds > 0) await wait(this.#world.random() * milliseconds);
      await this.#make(drawKind(this.#world.random, callKinds, this.#swarm.weights));
    }
  }

  /** A bulk for each application. */
  async setAllAccesses(): Promise<void> {
    const setAll = (appId: string) =>
      this.#clients.call('set-access-in-bulk', { appId, ...this.#drawBulk(), setting: this.#drawSetting() });
    await Promise.all(this.#swarm.apps.map(setAll));
  }

  async #make(kind: CallKind): Promise<void> {
    const { users, apps, roles } = this.#swarm;
    const [userId, appId, role] = [this.#oneOf(users), this.#oneOf(apps), this.#oneOf(roles)];
    const clients = this.#clients;
    // Operators can do everything that applications can, but not vice versa.
    const key = this.#chance(0.7) ? this.#oneKey(appId, 0.05) : undefined;
    const ifMatch = this.#chance(0.2) ? [Math.floor(this.#world.random() * 4)] : undefined;
    const subject = { userId, appId, ifMatch };
    switch (kind) {
      case 'get-access':
        await clients.call(kind, { userId, appId }, this.#oneKey(appId, 0.3));
        return;
      case 'list-application-users':
        await clients.call(kind, { appId, limit: 2 });
        return;
      case 'check-access':
        await clients.call(kind, { appId, userIds: users }, this.keys.get(appId));
        return;
      case 'set-access':
        await clients.call(kind, { ...subject, setting: this.#drawSetting() }, key);
        return;
      case 'set-access-in-bulk':
        await clients.call(kind, { appId, ...this.#drawBulk(), setting: this.#drawSetting() });
        return;
      case 'set-user-status-in-bulk':
        await clients.call(kind, {
          ...this.#drawBulk(),
          status: this.#oneOf(['active', 'inactive']),
          reason: null,
        });
        return;
      case 'undo-change':
        await this.#undoChange();
        return;
      case 'undo-bulk':
        await this.#undoBulk();
        return;
      case 'assign-role':
        await this.#assignRole(subject, role, key);
        return;
      case 'revoke-role':
        await clients.call(kind, { ...subject, role }, key);
        return;
      case 'create-user':
        await clients.call(kind, { userId, displayName: this.#oneOf([null, 'Ada King']), email: null });
        return;
      case 'update-user':
        await clients.call(kind, { userId, ifMatch, displayName: this.#oneOf([null, 'Ada King', 'Grace King']) });
        return;
      case 'set-user-status':
        await clients.call(kind, { userId, ifMatch, status: this.#oneOf(['active', 'inactive']), reason: null });
        return;
      case 'delete-user':
        await clients.call(kind, { userId });
        return;
      case 'define-role':
        await this.#defineRole(appId, role);
        return;
      case 'delete-role':
        await clients.call(kind, { appId, role, force: this.#chance(this.#swarm.forced) });
        return;
      case 'create-application':
        await clients.call(kind, { appId, name: appId, rolloutPercent: this.#drawRollout() });
        return;
      case 'update-application':
        await clients.call(kind, { appId, ifMatch, ...this.#drawUpdate() });
        return;
      case 'delete-application':
        await clients.call(kind, { appId, force: this.#chance(this.#swarm.forced) });
        return;
      default:
        await this.#changeKeys(kind, appId);
    }
  }

  /** One of the last changes that a client was told of. */
  async #undoChange(): Promise<void> {
    const told = this.#clients.calls.flatMap(({ input, outcome }) => {
      const { userId } = input as { readonly userId?: string };
      const changeId = outcome?.kind === 'done' ? outcome.body.changeId : undefined;
      return userId !== undefined && typeof changeId === 'string' ? [{ userId, changeId }] : [];
    });
    const last = told.slice(-lastChanges);
    if (last.length > 0) await this.#clients.call('undo-change', this.#oneOf(last));
  }

  async #undoBulk(): Promise<void> {
    const made = this.#clients.calls.flatMap(({ operation, input }) => {
      const { appId, bulkId } = input as { readonly appId?: string; readonly bulkId?: string };
      return bulkId === undefined || operation === 'undo-bulk'
        ? []
        : [{ ...(appId !== undefined && { appId }), bulkId }];
    });
    if (made.length === 0 || !hasOperation('undo-bulk')) return;
    await this.#clients.callOf('undo-bulk', { ...this.#oneOf(made.slice(-2)), limit: 100 });
  }

  /** Sometimes picks another key with fewer scopes or a revoked one. */
  #oneKey(appId: string, other: number): ApiKey | undefined {
    if (!this.#chance(other)) return this.keys.get(appId);
    const others = this.#issued.filter((key) => key.appId === appId);
    return others.length === 0 ? this.followerKeys.get(appId) : this.#oneOf(others);
  }

  async #changeKeys(kind: 'issue-key' | 'rotate-key' | 'revoke-key', appId: string): Promise<void> {
    const issued = this.#issued.findLast((key) => key.appId === appId);
    if (kind === 'issue-key' || issued === undefined) {
      const scopes = [this.#oneOf(['access:read', 'access:write', 'roles:write'] as const)];
      const call = await this.#clients.call('issue-key', { appId, scopes, expiresAt: this.#drawEnd() });
      if (call.outcome?.kind === 'done') this.#issued.push({ appId, keyId: String(call.outcome.body.keyId), scopes });
      return;
    }
    const { keyId } = issued;
    if (kind === 'revoke-key') await this.#clients.call(kind, { appId, keyId });
    else await this.#clients.call(kind, { appId, keyId, overlapSeconds: this.#oneOf([0, 60]) });
  }

  /** All users, sometimes with an invalid id; as one of several requests of a bulk, or as the only one. */
  #drawBulk() {
    const userIds = [...this.#swarm.users, ...(this.#chance(0.2) ? [noUserId] : [])];
    const random = Uint8Array.from({ length: 16 }, () => Math.floor(this.#world.random() * 256));
    if (this.#bulkId === undefined || this.#chance(0.6))
      this.#bulkId = createBulkId(Math.floor(this.#world.time), random);
    return { userIds, ...(this.#chance(0.7) && { bulkId: this.#bulkId }) };
  }

  #drawUpdate() {
    const name = this.#oneOf([null, 'one', 'two']) ?? undefined;
    // The limit is far above what a client sends per second, but low enough to be counted.
    const requestsPerSecond = this.#oneOf(['same', null, 20, 100] as const);
    return { name, rolloutPercent: this.#drawRollout(), ...(requestsPerSecond !== 'same' && { requestsPerSecond }) };
  }

  /** Undefined keeps the current value, which is 100 for a new application. */
  #drawRollout(): number | undefined {
    return this.#oneOf([null, 0, 12.5, 50, 99.99, 100]) ?? undefined;
  }

  #drawSetting() {
    const status = this.#oneOf(['enabled', 'disabled', 'disabled'] as const);
    const reason = this.#oneOf([null, 'left', 'moved']);
    return { status, reason, until: status === 'disabled' || this.#chance(0.2) ? this.#drawEnd() : null };
  }

  #drawEnd(): string | null {
    if (this.#chance(0.7)) return null;
    return new Date(
      this.#world.time + 1000 + this.#world.random() * this.#oneOf([5000, 60_000, 10 * hour]),
    ).toISOString();
  }

  #chance(chance: number): boolean {
    return this.#world.random() < chance;
  }

  #oneOf<T>(options: readonly T[]): T {
    const drawn = options[Math.floor(this.#world.random() * options.length)];
    if (drawn === undefined) throw new Error('There is nothing to choose from');
    return drawn;
  }
}
