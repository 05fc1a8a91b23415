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

/** A change in a feed, in which it is pending until it has a number. */
interface FedChange {
  readonly id: string;
  readonly feed: Feed;
  readonly userId?: string;
  readonly [name: string]: unknown;
  number?: number;
  numberedAt?: number;
}

const feeds = ['own', 'users'] as const;
type Feed = (typeof feeds)[number];
type Positions = Readonly<Record<Feed, number>>;

/** A position in the feeds; with `pending`, in what was pending after them. */
interface Place extends Positions {
  readonly pending?: string | undefined;
}

/** Applies the service's rules to items in memory, numbers changes late and almost in any order, and answers a replica's requests. */
export class ReplicaWorld {
  now = Date.parse('2026-11-20T12:00:00Z');
  readonly userIds = ['ada', 'zoe', 'auth0|123', 'grace', 'alan'];
  readonly #chance: Chance;
  readonly #items = new Map<string, Stored>();
  #changes: FedChange[] = [];
  readonly #numbers: Record<Feed, number> = { own: 0, users: 0 };
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
    if (chance(60) === 0) this.now += chance(34) * day;
    // Now and then numbering has stopped for hours.
    if (chance(3) === 0) this.#number(chance(4));
    else if (chance(9) === 0) this.now += chance(7) * 3_600_000;
    if (chance(14) === 0) this.#changeRollout();
    else this.#changeUser();
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

  /** Numbers up to so many changes, in any order but that of one user's changes. */
  #number(count: number): void {
    for (let left = count; left > 0; left--) {
      const isPending = ({ number }: FedChange) => number === undefined;
      const pending = this.#changes.filter(isPending).filter(isFirstOfUser);
      const change = pending[this.#chance(pending.length)];
      if (change === undefined) return;
      change.number = ++this.#numbers[change.feed];
      change.numberedAt = this.now;
    }
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
    const page = path === 'access' ? this.#snapshotPage(after) : this.#feedPage(limit, after, during);
    return [page, Math.floor(this.now / 1000) * 1000] as const;
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
    this.#eraseChanges(userId);
    // All applications learn of it only if an erased user with this id is remembered.
    const id = this.#record(userId, { action: 'user.created', after: { status: 'active' } }, mark !== undefined);
    this.#put(userId, {
      user: storedUser({ userId: userId as UserId, lastChangeId: id, createdAt: new Date(this.now).toISOString() }),
      lastChangeId: id,
    });
  }

  #erase(userId: string, user: User): void {
    const id = this.#record(userId, { action: 'user.deleted', before: { status: user.status }, after: null });
    if (this.#chance(2)) this.#eraseChanges(userId);
    const goneAt = this.now + 30 * day + this.#chance(2 * day);
    this.#put(userId, { mark: { id, erasedAt: this.now, goneAt }, lastChangeId: id });
  }

  /** The changes of a user are erased with the user, at the latest before another has the id. */
  #eraseChanges(userId: string): void {
    this.#changes = this.#changes.filter((change) => change.userId !== userId || change.action === 'user.deleted');
  }

  #setUserStatus(userId: string, user: User): void {
    const status = user.status === 'active' ? 'inactive' : 'active';
    const id = this.#record(userId, { action: 'user.status.changed', after: { status } });
    this.#put(userId, { ...this.stored(userId), user: { ...user, status, lastChangeId: id }, lastChangeId: id });
  }

  #setAccess(userId: string, user: User): void {
    const status = this.#chance(3) ? 'disabled' : 'enabled';
    const until = status === 'disabled' && this.#chance(2) ? this.#later() : null;
    const after = { status, explicit: true, until, reason: null };
    const id = this.#record(userId, { action: 'access.changed', appId, after });
    this.#putAccess(userId, user, { status, until, lastChangeId: id });
  }

  #changeRole(userId: string, user: User): void {
    const role = roles[this.#chance(roles.length)] as RoleName;
    const { roles: held } = this.#accessOf(userId, this.stored(userId));
    const { [role]: grant, ...others } = { ...held };
    const expiresAt = this.#chance(2) ? this.#later() : null;
    const isAssigned = !grant || this.#chance(3) === 0;
    const after = isAssigned ? { granted: true, expiresAt } : { granted: false, expiresAt: null };
    const action = isAssigned ? 'role.assigned' : 'role.revoked';
    const id = this.#record(userId, { action, appId, role, after });
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
    const feed = 'appId' in change ? 'own' : 'users';
    if (isListed) this.#changes.push({ ...change, id, feed, ...(userId !== undefined && { userId }) });
    return id;
  }

  /** The two feeds are read one after the other, each as a whole; the limit of a page is the service's own. */
  #feedPage(most: number, after: string | null | undefined, during: () => void) {
    const from = JSON.parse(after ?? JSON.stringify({ own: 0, users: 0 })) as Place;
    const limit = Math.min(most, 1 + this.#chance(9));
    const found = feeds.flatMap((feed, at) => {
      if (at > 0) during();
      const changes = this.#changes.filter(
        (change) => change.feed === feed && !((change.number ?? Infinity) <= from[feed]),
      );
      if (changes.some(({ numberedAt }) => Number(numberedAt) < this.now - retentionMs))
        throw Object.assign(new Error('expired'), { status: 410 });
      // As read now: a number that comes later is not seen.
      return changes.map((change) => ({ ...change }));
    });
    const numbered = mergeById(
      ...feeds.map((feed) =>
        found
          .filter((one) => one.feed === feed)
          .filter(hasNumber)
          .sort(byNumber),
      ),
    );
    const taken = numbered.slice(0, limit);
    const isEnded = taken.length === numbered.length;
    const pending = found.filter((one) => !hasNumber(one) && one.id > (from.pending ?? '')).sort(byId);
    const shown = isEnded ? pending.slice(0, limit - taken.length) : [];
    const hasRest = isEnded && shown.length < pending.length;
    const next: Record<string, unknown> = { own: from.own, users: from.users };
    for (const { feed, number } of taken) next[feed] = number;
    if (hasRest) next.pending = shown.at(-1)?.id ?? from.pending;
    return {
      items: [...taken, ...shown],
      pending: shown.length,
      more: !isEnded || hasRest,
      cursor: JSON.stringify(next),
    };
  }

  #snapshotPage(after: string | null | undefined) {
    const first = JSON.stringify(this.#numbers);
    const { at, count, changes } = JSON.parse(after ?? JSON.stringify({ at: 0, count: 0, changes: first }));
    const places = ['erased', 'inactive', 'access'].flatMap((kind) => this.userIds.map((userId) => [kind, userId]));
    const size = 1 + this.#chance(places.length);
    const items = places.slice(at, at + size).flatMap(([kind = '', userId = '']) => this.#entryOf(kind, userId));
    const isLast = at + size >= places.length;
    const total = count + items.length;
    return {
      ...{ items, changesCursor: changes, total: isLast ? total : null },
      ...{ rolloutPercent: this.#rollout.percent, applicationVersion: this.#rollout.version },
      cursor: isLast ? null : JSON.stringify({ at: at + size, count: total, changes }),
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

interface Numbered extends FedChange {
  number: number;
}
const hasNumber = (change: FedChange): change is Numbered => change.number !== undefined;
const isFirstOfUser = ({ id, feed, userId }: FedChange, _: number, all: readonly FedChange[]) =>
  !all.some((one) => one.feed === feed && one.userId === userId && one.id < id);
const byNumber = (one: Numbered, other: Numbered) => one.number - other.number;
const byId = (one: FedChange, other: FedChange) => (one.id < other.id ? -1 : 1);

/** Keeps the order of each feed. */
function mergeById(own: readonly Numbered[] = [], users: readonly Numbered[] = []): Numbered[] {
  const [[first, ...others], [other]] = [own, users];
  if (first === undefined || other === undefined) return [...own, ...users];
  return first.id < other.id ? [first, ...mergeById(others, users)] : [other, ...mergeById(own, users.slice(1))];
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of a change at this time. */
export function ulid(time: number, count: number): string {
  const encode = (value: number, length: number) =>
    Array.from({ length }, (_, at) => digits[Math.floor(value / 32 ** (length - 1 - at)) % 32]).join('');
  return encode(Math.max(0, time), 10) + encode(count, 16);
}
