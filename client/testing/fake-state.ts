import { hasPassed } from '#shared/core/expiry.ts';
import { decideStatus } from '#shared/domain/access/decide-status.ts';
import type { AccessSetting, Grant } from '../client-interface.ts';
import type { Access, Change } from '../service-contract.ts';
import { type FakeClock, formatId } from './fake-clock.ts';
import { FakeProblem } from './fake-problem.ts';

/** A user of the test double. */
export interface FakeUser {
  readonly userId: string;
  readonly createdAt: string;
  status: 'active' | 'inactive';
  version: number;
  /** Of the last change of the status. */
  changeId: string | null;
}

/** What is set for a user in the application. */
export interface FakeAccess {
  readonly userId: string;
  readonly appId: string;
  status: 'enabled' | 'disabled' | null;
  until: string | null;
  reason: string | null;
  /** The ends of the grants, by role. */
  readonly roles: Map<string, string | null>;
  version: number;
  updatedAt: string | null;
  changeId: string | null;
}

/** Who changes something: the key of a request, or the test as an operator. */
export type FakeCaller = Change['caller'];
const operator: FakeCaller = { kind: 'operator' };

/** A change before it has an id. */
type NewChange = Change extends infer Kind
  ? Kind extends Change
    ? Omit<Kind, 'id' | 'at' | 'requestId' | 'reason'> & { readonly reason?: string | null }
    : never
  : never;

/** The data of the test double, and the rules by which it changes; every change is recorded. */
export class FakeState {
  readonly users = new Map<string, FakeUser>();
  readonly accesses = new Map<string, FakeAccess>();
  readonly erased = new Map<string, { readonly changeId: string; readonly erasedAt: string }>();
  readonly roles = new Set<string>();
  changes: Change[] = [];
  readonly appId: string;
  readonly application = { rolloutPercent: 100, version: 1 };
  readonly clock: FakeClock;

  constructor(appId: string, clock: FakeClock) {
    this.appId = appId;
    this.clock = clock;
  }

  createUser(userId: string): void {
    if (this.users.has(userId)) throw new FakeProblem('already_exists', 'This id is taken. Choose another one.');
    const user: FakeUser = {
      userId,
      createdAt: this.clock.now().toISOString(),
      status: 'active',
      version: 1,
      changeId: null,
    };
    this.users.set(userId, user);
    if (!this.erased.delete(userId)) return;
    const after = { status: 'active', version: 1 } as const;
    user.changeId = this.#record({ action: 'user.created', caller: operator, userId, before: null, after });
  }

  setUserStatus(userId: string, status: FakeUser['status']): void {
    const user = this.requireUser(userId);
    if (user.status === status) return;
    const before = { status: user.status, version: user.version };
    Object.assign(user, { status, version: user.version + 1 });
    const after = { status, version: user.version };
    user.changeId = this.#record({ action: 'user.status.changed', caller: operator, userId, before, after });
  }

  deleteUser(userId: string): void {
    const { status, version } = this.requireUser(userId);
    this.users.delete(userId);
    this.accesses.delete(userId);
    this.changes = this.changes.filter((change) => !('userId' in change) || change.userId !== userId);
    const before = { status, version };
    const changeId = this.#record({ action: 'user.deleted', caller: operator, userId, before, after: null });
    this.erased.set(userId, { changeId, erasedAt: this.clock.now().toISOString() });
  }

  defineRole(role: string): void {
    if (this.roles.has(role)) return;
    this.roles.add(role);
    const after = { description: null, version: 1 };
    this.#record({ action: 'role.defined', caller: operator, appId: this.appId, role, before: null, after });
  }

  setRollout(rolloutPercent: number): void {
    const { rolloutPercent: percentBefore, version } = this.application;
    const name = this.appId;
    Object.assign(this.application, { rolloutPercent, version: version + 1 });
    this.#record({
      action: 'application.updated',
      caller: operator,
      appId: this.appId,
      before: { name, rolloutPercent: percentBefore, version },
      after: { name, rolloutPercent, version: version + 1 },
    });
  }

  /** Sets the whole status, as the service does: what is left out is cleared. Returns whether that changes anything. */
  setAccess(userId: string, { status, reason = null, until }: AccessSetting, caller: FakeCaller = operator): boolean {
    const access = this.#accessOf(userId);
    const end = timestampOf(until);
    if (access.status === status && access.reason === reason && access.until === end) return false;
    const before = settingOf(access);
    Object.assign(access, { status, reason, until: end });
    const after = settingOf(access);
    const sides = this.#sidesOf(access, { before, after });
    access.changeId = this.#record({ action: 'access.changed', caller, ...sides, reason });
    return true;
  }

  /** Returns whether the user did not have the role until then. */
  assignRole(userId: string, { role, expiresAt }: Grant, caller: FakeCaller = operator): boolean {
    if (!this.roles.has(role)) throw new FakeProblem('role_not_found', 'The application has no such role.');
    const access = this.#accessOf(userId);
    const end = timestampOf(expiresAt);
    const held = this.#liveEnd(access, role);
    if (held === end) return false;
    const sides = { before: grantOf(held), after: grantOf(end) };
    access.roles.set(role, end);
    access.changeId = this.#record({ action: 'role.assigned', caller, role, ...this.#sidesOf(access, sides) });
    return true;
  }

  /** Returns whether the user had the role. */
  revokeRole(userId: string, role: string, caller: FakeCaller = operator): boolean {
    const access = this.#accessOf(userId);
    const held = this.#liveEnd(access, role);
    if (held === undefined) return false;
    access.roles.delete(role);
    const sides = { before: grantOf(held), after: grantOf(undefined) };
    access.changeId = this.#record({ action: 'role.revoked', caller, role, ...this.#sidesOf(access, sides) });
    return true;
  }

  /** What holds now, by the service's own decision. */
  view(userId: string): Access {
    const user = this.requireUser(userId);
    const access = this.accesses.get(userId) ?? newAccess(userId, this.appId);
    const { status, until, reason, version, updatedAt } = access;
    return {
      userId,
      appId: this.appId,
      status: status ?? 'enabled',
      explicit: status !== null,
      until,
      reason,
      userStatus: user.status,
      ...decideStatus({ application: this.application, user, access }, this.clock.now()),
      roles: this.liveRoles(access),
      version,
      updatedAt,
    };
  }

  liveRoles({ roles }: FakeAccess): { readonly name: string; readonly expiresAt: string | null }[] {
    const live = [...roles].filter(([, expiresAt]) => !hasPassed(expiresAt, this.clock.now()));
    return live
      .map(([name, expiresAt]) => ({ name, expiresAt }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  requireUser(userId: string): FakeUser {
    const user = this.users.get(userId);
    if (user === undefined) throw new FakeProblem('user_not_found', 'There is no such user.');
    return user;
  }

  #accessOf(userId: string): FakeAccess {
    this.requireUser(userId);
    const access = this.accesses.get(userId) ?? newAccess(userId, this.appId);
    this.accesses.set(userId, access);
    return access;
  }

  #liveEnd({ roles }: FakeAccess, role: string): string | null | undefined {
    const end = roles.get(role);
    return end !== undefined && hasPassed(end, this.clock.now()) ? undefined : end;
  }

  /** Counts the change of an access; the sides of its record have the versions. */
  #sidesOf<Side extends object>(
    access: FakeAccess,
    { before, after }: { readonly before: Side; readonly after: Side },
  ) {
    const { userId, appId, version } = access;
    Object.assign(access, { version: version + 1, updatedAt: this.clock.now().toISOString() });
    return { userId, appId, before: { ...before, version }, after: { ...after, version: version + 1 } };
  }

  #record(change: NewChange): string {
    const at = this.clock.now();
    const id = formatId(this.clock.rising(at));
    this.changes.push({ reason: null, ...change, id, at: at.toISOString(), requestId: `fake-${id}` } as Change);
    return id;
  }
}

function newAccess(userId: string, appId: string): FakeAccess {
  const unset = { status: null, until: null, reason: null, updatedAt: null, changeId: null };
  return { userId, appId, ...unset, roles: new Map(), version: 0 };
}

function settingOf({ status, until, reason }: FakeAccess) {
  return { status: status ?? ('enabled' as const), explicit: status !== null, until, reason };
}

function grantOf(end: string | null | undefined) {
  return { granted: end !== undefined, expiresAt: end ?? null };
}

function timestampOf(end: string | Date | null | undefined): string | null {
  return end == null ? null : new Date(end).toISOString();
}
