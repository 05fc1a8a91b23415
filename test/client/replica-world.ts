import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { decideAccess } from '#shared/domain/access/decide-access.ts';
import { accessOrDefault, isDefaultAccess, liveGrants, type StoredAccess } from '#shared/table/items/access-item.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { timeOfChange } from '../../client/replica/user-facts.ts';
import { storedUser } from '../support/stored-items.ts';

const appId = 'crm' as AppId;
const roles = ['admin', 'constructor', 'viewer'];
const day = 86_400_000;
const retentionMs = 20 * day;

/** A random source that is reproducible from its seed. */
export type Chance = (below: number) => number;

export function createChance(seed: number): Chance {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** The stored data of one id. */
interface Stored {
  readonly user?: User;
  readonly access?: StoredAccess;
  readonly mark?: { readonly id: string; readonly erasedAt: number; readonly goneAt: number };
  readonly lastChangeId?: string;
}

interface FeedChange {
  readonly id: string;
  /** The application's own feed is 0, that of all users 1. */
  readonly feed: 0 | 1;
  /** 0 while it is pending. */
  number: number;
  readonly [name: string]: unknown;
}

/** Where a replica continues: the last number of each feed, and when it got the cursor. */
interface Position {
  readonly numbers: readonly [number, number];
  readonly at: number;
}

/** Applies the service's rules to items in memory, with numbers that come late, and answers a replica's requests. */
export class ReplicaWorld {
  now = Date.parse('2026-11-20T12:00:00Z');
  readonly userIds = ['ada', 'zoe', 'auth0|123', 'grace', 'alan'];
  readonly #chance: Chance;
  readonly #items = new Map<string, Stored>();
  #changes: FeedChange[] = [];
  readonly #numbers: [number, number] = [0, 0];
  #rollout = { percent: 100, version: 1 };
  #count = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
    for (const userId of this.userIds.filter(() => chance(4) > 0)) this.#create(userId);
  }

  /** Lets some time pass, then changes something at random. */
  act(): void {
    const chance = this.#chance;
    this.now += [10, 300, 900, 4000, 20_000][chance(5)] ?? 0;
    if (chance(60) === 0) {
      this.#removeErased();
      this.now += chance(34) * day;
    }
    if (chance(14) === 0) this.#changeRollout();
    else this.#changeUser();
    if (chance(3) === 0) this.#numberChanges();
  }

  /** Gives the pending changes of one feed their numbers. */
  #numberChanges(): void {
    const feed = this.#chance(2) as 0 | 1;
    const pending = this.#changes.filter((change) => change.feed === feed && change.number === 0).sort(byId);
    for (const change of pending) change.number = ++this.#numbers[feed];
  }

  #changeUser(): void {
    const chance = this.#chance;
    const userId = this.userIds[chance(this.userIds.length)] ?? '';
    const { user } = this.stored(userId);
    const actions = !user
      ? [() => this.#create(userId)]
      : [
          ...Array(3).fill(() => this.#setAccess(userId, user)),
          ...Array(4).fill(() => this.#changeRole(userId, user)),
          ...Array(2).fill(() => this.#setUserStatus(userId, user)),
          () => this.#erase(userId, user),
        ];
    actions[chance(actions.length)]();
  }

  /** The service's answer about a user: a decision, or that the user does not exist; undefined for a forgotten id. */
  answerOf(userId: string): object | undefined {
    const { user, mark } = this.stored(userId);
    if (!user) return mark && this.now < timeOfChange(mark.id) + 30 * day ? { code: 'user_not_found' } : undefined;
    const access = this.#accessOf(userId, this.stored(userId));
    const basis = { application: { rolloutPercent: this.#rollout.percent }, user, access };
    const { effectiveStatus, decidedBy, roles: held } = decideAccess(basis, new Date(this.now));
    return { effectiveStatus, decidedBy, roles: held, code: null };
  }

  /** The service's answer to a replica's request; calls `during` first. */
  async read(path: string, limit: number, after: string | null | undefined, during: () => void) {
    during();
    const date = Math.floor(this.now / 1000) * 1000;
    return [path === 'access' ? this.#snapshotPage(after) : this.#feedPage(limit, after), date] as const;
  }

  stored(userId: string): Stored {
    const found = this.#items.get(userId) ?? {};
    if (found.mark === undefined || this.now < found.mark.goneAt) return found;
    return {};
  }

  #accessOf(userId: string, { access }: Stored): StoredAccess {
    return access ?? accessOrDefault(undefined, userId as UserId, appId);
  }

  #create(userId: string): void {
    const { mark } = this.stored(userId);
    // An id is free only once the changes of the erased user are gone.
    this.#removeErased();
    // All applications learn of it only if an erased user with this id is remembered.
    const id = this.#record(userId, { action: 'user.created', after: { status: 'active' } }, mark !== undefined);
    this.#put(userId, {
      user: storedUser({ userId: userId as UserId, lastChangeId: id, createdAt: new Date(this.now).toISOString() }),
      lastChangeId: id,
    });
  }

  #erase(userId: string, user: User): void {
    const id = this.#record(userId, { action: 'user.deleted', before: { status: user.status }, after: null });
    // The changes of a user are erased with the user, which takes a while.
    if (this.#chance(2)) this.#changes = this.#changes.filter((change) => change.userId !== userId || change.id === id);
    const goneAt = this.now + 30 * day + this.#chance(2 * day);
    this.#put(userId, { mark: { id, erasedAt: this.now, goneAt }, lastChangeId: id });
  }

  /** Ends the erasing of users, whose changes go last. */
  #removeErased(): void {
    this.#changes = this.#changes.filter(
      ({ userId, action }) => userId === undefined || action === 'user.deleted' || this.stored(`${userId}`).user,
    );
  }

  #setUserStatus(userId: string, user: User): void {
    const status = user.status === 'active' ? 'inactive' : 'active';
    const id = this.#record(userId, {
      action: 'user.status.changed',
      before: { status: user.status },
      after: { status },
    });
    this.#put(userId, { ...this.stored(userId), user: { ...user, status, lastChangeId: id }, lastChangeId: id });
  }

  #setAccess(userId: string, user: User): void {
    const status = this.#chance(3) ? 'disabled' : 'enabled';
    const until = status === 'disabled' && this.#chance(2) ? this.#later() : null;
    const after = { status, explicit: true, until, reason: null };
    const { status: known, until: knownUntil } = this.#accessOf(userId, this.stored(userId));
    const before = { status: known ?? 'enabled', explicit: known !== null, until: knownUntil, reason: null };
    const id = this.#record(userId, { action: 'access.changed', appId, before, after });
    this.#putAccess(userId, user, { status, until, lastChangeId: id });
  }

  #changeRole(userId: string, user: User): void {
    const role = roles[this.#chance(roles.length)] as RoleName;
    const { roles: held } = this.#accessOf(userId, this.stored(userId));
    const { [role]: grant, ...others } = { ...held };
    const isHeld = grant && !(grant.expiresAt && Date.parse(grant.expiresAt) <= this.now);
    const before = isHeld ? { granted: true, expiresAt: grant.expiresAt } : { granted: false, expiresAt: null };
    const expiresAt = this.#chance(2) ? this.#later() : null;
    const isAssigned = !grant || this.#chance(3) === 0;
    const after = isAssigned ? { granted: true, expiresAt } : { granted: false, expiresAt: null };
    const action = isAssigned ? 'role.assigned' : 'role.revoked';
    const id = this.#record(userId, { action, appId, role, before, after });
    const next = isAssigned ? { ...held, [role]: { grantedAt: new Date(this.now).toISOString(), expiresAt } } : others;
    this.#putAccess(userId, user, { roles: next, lastChangeId: id });
  }

  #changeRollout(): void {
    const percent = [100, 0, 50, 25.5, 100][this.#chance(5)] ?? 100;
    const hasPercent = this.#chance(3) > 0;
    const { version } = this.#rollout;
    this.#rollout = { percent: hasPercent ? percent : this.#rollout.percent, version: version + 1 };
    const after = { ...(hasPercent ? { rolloutPercent: percent } : { name: 'CRM' }), version: version + 1 };
    this.#record(undefined, { action: 'application.updated', appId, after });
  }

  #later(): string {
    return new Date(this.now + ([2000, 60_000, 3_600_000, 3 * day][this.#chance(4)] ?? 0)).toISOString();
  }

  #putAccess(userId: string, user: User, change: Partial<StoredAccess> & { lastChangeId: string }): void {
    const stored = this.stored(userId);
    const access = { ...this.#accessOf(userId, stored), ...change };
    const { lastChangeId } = change;
    this.#put(userId, { ...stored, user: { ...user, lastChangeId }, access, lastChangeId });
  }

  #put(userId: string, stored: Stored): void {
    this.#items.set(userId, stored);
  }

  /** The writers' clocks differ, but the ids of a user's changes rise. */
  #record(userId: string | undefined, change: object, isListed = true): string {
    const { lastChangeId = '' } = userId === undefined ? {} : this.stored(userId);
    const time = Math.max(this.now + this.#chance(4000) - 2000, timeOfChange(lastChangeId) + 1);
    const id = ulid(time, this.#count++);
    const feed = 'appId' in change ? 0 : 1;
    if (isListed) this.#changes.push({ ...change, id, feed, number: 0, ...(userId !== undefined && { userId }) });
    return id;
  }

  #feedPage(limit: number, after: string | null | undefined) {
    const { numbers, at } = JSON.parse(after ?? '') as Position;
    if (at < this.now - retentionMs) throw Object.assign(new Error('expired'), { status: 410 });
    if (this.#chance(3) === 0) this.#numberChanges();
    const numbered = this.#changes
      .filter(({ feed, number }) => number > numbers[feed])
      .sort((one, other) => one.feed - other.feed || one.number - other.number);
    const taken = numbered.slice(0, limit);
    const isEnd = taken.length === numbered.length;
    const pending = isEnd ? this.#changes.filter(({ number }) => number === 0).sort(byId) : [];
    const reached = ([0, 1] as const).map((feed) =>
      Math.max(numbers[feed], ...taken.filter((change) => change.feed === feed).map(({ number }) => number)),
    );
    const items = [...taken, ...pending].map((change) => ({ ...change, signature: 'e30..AA' }));
    const cursor = JSON.stringify({ numbers: reached, at: this.now });
    return { items, pending: pending.length, more: !isEnd, cursor };
  }

  #snapshotPage(after: string | null | undefined) {
    const first = JSON.stringify({ numbers: this.#numbers, at: this.now });
    const start = { at: 0, count: 0, changes: first };
    const { at, count, changes } = after ? JSON.parse(after) : start;
    const places = (['erased', 'inactive', 'access'] as const).flatMap((kind) =>
      this.userIds.toSorted().map((userId) => ({ kind, userId })),
    );
    const read = places.slice(at, at + 1 + this.#chance(places.length));
    const items = read.flatMap(({ kind, userId }) => this.#entryOf(kind, userId));
    const isLast = at + read.length >= places.length;
    const total = count + items.length;
    return {
      items,
      changesCursor: changes,
      total: isLast ? total : null,
      rolloutPercent: this.#rollout.percent,
      applicationVersion: this.#rollout.version,
      liveAt: new Date(this.now + 600_000).toISOString(),
      ranges: [],
      cursor: isLast ? null : JSON.stringify({ at: at + read.length, count: total, changes }),
    };
  }

  #entryOf(kind: string, userId: string): object[] {
    const { user, access, mark } = this.stored(userId);
    if (kind === 'erased') {
      const erasedAt = mark && (this.#chance(2) ? new Date(mark.erasedAt).toISOString() : null);
      return mark ? [{ kind, userId, changeId: mark.id, erasedAt }] : [];
    }
    if (kind === 'inactive') return user?.status === 'inactive' ? [{ kind, userId, changeId: user.lastChangeId }] : [];
    const at = new Date(this.now);
    if (!user || !access || isDefaultAccess(access, at)) return [];
    const held = liveGrants(access, at).map(([name, { expiresAt }]) => ({ name, expiresAt }));
    const { status, until, reason, version, updatedAt, lastChangeId: changeId } = access;
    return [
      { kind, userId, userCreatedAt: user.createdAt, status, until, reason, roles: held, version, updatedAt, changeId },
    ];
  }
}

function byId(one: { readonly id: string }, other: { readonly id: string }): number {
  return one.id < other.id ? -1 : 1;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of a change at this time. */
export function ulid(time: number, count: number): string {
  const encode = (value: number, length: number) =>
    Array.from({ length }, (_, at) => digits[Math.floor(value / 32 ** (length - 1 - at)) % 32]).join('');
  return encode(Math.max(0, time), 10) + encode(count, 16);
}
