import { type ApiKey, type Clients, isTransient } from './clients.ts';
import { Follower } from './feeds.ts';
import type { RecordedState } from './stored-state.ts';
import { type World, wait } from './virtual-time.ts';

/** An entry of the snapshot, as it is sent. */
export interface SnapshotEntry {
  readonly kind: 'access' | 'inactive' | 'erased';
  readonly userId: string;
  readonly changeId: string | null;
  readonly status?: string | null;
  readonly until?: string | null;
  readonly roles?: readonly { readonly name: string; readonly expiresAt: string | null }[];
}

interface SnapshotPage {
  readonly items: readonly SnapshotEntry[];
  readonly cursor: string | null;
  readonly total: number | null;
  readonly changesCursor: string;
  readonly rolloutPercent: number;
  readonly applicationVersion: number;
}

/** An application that reads the snapshot page by page while changes go on, then follows them. */
export class SnapshotReader {
  readonly entries: SnapshotEntry[] = [];
  readonly #rollouts: Rollout[] = [];
  readonly appId: string;
  /** The number of entries according to the last page; undefined before it. */
  total: number | null | undefined;
  /** The cursor from which the snapshot is complete. */
  follower: Follower | undefined;
  #isRefused = false;
  #isDone = false;
  readonly #world: World;
  readonly #clients: Clients;
  readonly #key: ApiKey;

  constructor(world: World, clients: Clients, key: ApiKey) {
    this.#world = world;
    this.#clients = clients;
    this.#key = key;
    this.appId = key.appId;
  }

  /** Whether it was refused, so there is nothing to check. */
  get isRefused(): boolean {
    return this.#isRefused || this.follower?.isRefused === true;
  }

  async run(startMilliseconds: number): Promise<void> {
    await wait(startMilliseconds);
    const pauseMilliseconds = this.#world.random() < 0.5 ? 0 : 5000;
    const limit = 1 + Math.floor(this.#world.random() * 3);
    let after: string | undefined;
    do {
      const page = await this.#readPage({ appId: this.appId, limit, after });
      if (page === undefined) return;
      this.entries.push(...page.items);
      this.#rollouts.push({ percent: page.rolloutPercent, version: page.applicationVersion });
      this.total = page.total;
      after = page.cursor ?? undefined;
      if (after === undefined) this.#follow(page.changesCursor);
      else if (!this.#isDone) await wait(this.#world.random() * pauseMilliseconds);
    } while (after !== undefined);
    await this.follower?.run();
  }

  async #readPage(input: { readonly appId: string; readonly limit: number; readonly after: string | undefined }) {
    while (!this.#isRefused) {
      const { outcome } = await this.#clients.call('get-snapshot', input, this.#key);
      if (outcome?.kind === 'done') return outcome.body as unknown as SnapshotPage;
      if (outcome?.kind === 'refused' && !isTransient(outcome)) this.#isRefused = true;
      else await wait(1000);
    }
    return undefined;
  }

  #follow(cursor: string): void {
    this.follower = new Follower(this.#world, this.#clients, this.#key, { cursor });
  }

  /** Reads everything available. */
  async finish(): Promise<void> {
    this.#isDone = true;
    await this.follower?.finish();
  }

  /** Returns the final state, by the rule that the change with the highest id wins. */
  copy(): Copy {
    const copy = new Copy();
    for (const rollout of this.#rollouts) copy.rollOut(rollout);
    for (const entry of this.entries) copy.enter(entry);
    for (const change of this.follower?.answers.flat() ?? []) copy.apply(change);
    return copy;
  }
}

/** The percentage of an application in one of its versions. */
interface Rollout {
  readonly percent: number;
  readonly version: number;
}

interface Known<Value> {
  readonly id: string;
  readonly value: Value;
}

interface CopiedUser {
  status: Known<'active' | 'inactive'>;
  /** Whether the user exists. */
  presence: Known<boolean>;
  setting: Known<{ readonly status: string | null; readonly until: string | null }>;
  /** The entry of the access: roles that it does not name are not held. */
  base: string;
  readonly roles: Map<string, Known<{ readonly granted: boolean; readonly expiresAt: string | null }>>;
}

/** What one application knows about its users. */
export class Copy {
  readonly #users = new Map<string, CopiedUser>();
  #rollout: Rollout = { percent: 100, version: 0 };

  get rolloutPercent(): number {
    return this.#rollout.percent;
  }

  rollOut(rollout: Rollout): void {
    if (rollout.version > this.#rollout.version) this.#rollout = rollout;
  }

  enter({ kind, userId, changeId, status = null, until = null, roles = [] }: SnapshotEntry): void {
    const user = this.#of(userId);
    const id = changeId ?? '0';
    if (kind === 'erased') user.presence = latest(user.presence, { id, value: false });
    if (kind === 'inactive') user.status = latest(user.status, { id, value: 'inactive' });
    if (kind !== 'access' || id < user.base) return;
    user.base = id;
    user.setting = latest(user.setting, { id, value: { status, until } });
    user.roles.clear();
    for (const { name, expiresAt } of roles) user.roles.set(name, { id, value: { granted: true, expiresAt } });
  }

  apply(change: {
    readonly id: string;
    readonly action: string;
    readonly userId?: string;
    readonly role?: string;
    readonly after: RecordedState | null;
  }): void {
    const { id, action, userId, role = '', after } = change;
    if (action === 'application.updated') {
      this.rollOut({ percent: Number(after?.rolloutPercent), version: Number(after?.version) });
    }
    if (userId === undefined) return;
    const user = this.#of(userId);
    const { status = null, explicit = true, until = null, granted = false, expiresAt = null } = after ?? {};
    if (action === 'user.deleted') user.presence = latest(user.presence, { id, value: false });
    if (action === 'user.created') user.presence = latest(user.presence, { id, value: true });
    if (action === 'user.status.changed') user.status = latest(user.status, { id, value: status as 'active' });
    if (id <= user.base) return;
    const setting = { status: explicit === false ? null : (status as string), until: until as string | null };
    if (action === 'access.changed') user.setting = latest(user.setting, { id, value: setting });
    if (action !== 'role.assigned' && action !== 'role.revoked') return;
    const value = { granted: granted === true, expiresAt: expiresAt as string | null };
    user.roles.set(role, latest(user.roles.get(role), { id, value }));
  }

  /** Returns the state of a user: erasing the user invalidates everything with a lower id. */
  stateOf(userId: string) {
    const { status, presence, setting, roles } = this.#of(userId);
    const since = presence.id;
    const isYounger = ({ id }: Known<unknown>) => id > since;
    return {
      erased: !presence.value,
      status: isYounger(status) ? status.value : 'active',
      setting: isYounger(setting) ? setting.value : { status: null, until: null },
      roles: [...roles].filter(([, known]) => known.value.granted && isYounger(known)),
    };
  }

  #of(userId: string): CopiedUser {
    const known = this.#users.get(userId);
    if (known !== undefined) return known;
    const user: CopiedUser = {
      status: { id: '', value: 'active' },
      presence: { id: '', value: true },
      setting: { id: '', value: { status: null, until: null } },
      base: '',
      roles: new Map(),
    };
    this.#users.set(userId, user);
    return user;
  }
}

function latest<Value>(known: Known<Value> | undefined, next: Known<Value>): Known<Value> {
  return known === undefined || next.id > known.id ? next : known;
}
