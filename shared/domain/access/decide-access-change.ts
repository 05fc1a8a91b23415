import type { SetAccessBody } from '#shared/contract/access.ts';
import type { ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import type { RoleName } from '#shared/contract/fields.ts';
import { type AssignRoleBody, maxRolesPerAccess } from '#shared/contract/grant.ts';
import { accessFields, equalFields, pickFields } from '#shared/contract/resource-fields.ts';
import { invalidField } from '#shared/core/errors.ts';
import { type Grant, liveGrants, type StoredAccess } from '#shared/table/items/access-item.ts';

/** What a decision about an access asks to write; `next` without its version and time. */
export interface AccessChange {
  readonly action: ChangeAction;
  readonly role?: RoleName;
  readonly next: StoredAccess;
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  readonly reason: string | null;
  /** The id of the Change that this one undoes. */
  readonly undoOf?: string;
  /** The grants that begin or change, and those that end, to be listed under their roles. */
  readonly granted?: Readonly<Record<string, Grant>>;
  readonly ended?: readonly string[];
}

/** The access after a status was set; undefined when it already holds. Roles stay, also when it is disabled. */
export function decideStatusChange(current: StoredAccess, setting: SetAccessBody): AccessChange | undefined {
  const restored = restoreStatus(current, setting);
  return restored && { ...restored, reason: setting.reason };
}

/** What is stored of the status of an access; a status of `null` is none. */
export type StoredSetting = Pick<StoredAccess, 'status' | keyof typeof accessFields>;

/** The access with a status as it was stored before, which is also none; undefined when it already holds. */
export function restoreStatus(current: StoredAccess, setting: StoredSetting): AccessChange | undefined {
  if (current.status === setting.status && equalFields(accessFields, current, setting)) return undefined;
  const next = { ...current, status: setting.status, ...pickFields(accessFields, setting) };
  return { action: 'access.changed', next, before: settingOf(current), after: settingOf(next), reason: null };
}

function settingOf(access: StoredAccess) {
  const { status } = access;
  return { status: status ?? 'enabled', explicit: status !== null, ...pickFields(accessFields, access) };
}

/** What is assigned: a role as it is defined now. */
export interface Assignment extends AssignRoleBody {
  /** When the role was defined, which tells it from a deleted one of the same name. */
  readonly roleCreatedAt: string;
}

/** The access after a role was assigned; undefined when it is held until the same time already. Drops grants that ended. */
export function decideAssignment(current: StoredAccess, assignment: Assignment, at: Date): AccessChange | undefined {
  const { role, expiresAt, roleCreatedAt } = assignment;
  const live = new Map(liveGrants(current, at));
  const held = live.get(role);
  if (held?.expiresAt === expiresAt && isGrantOf(held, roleCreatedAt)) return undefined;
  if (held === undefined && live.size >= maxRolesPerAccess) {
    throw invalidField('role', `cannot be given: a user holds at most ${maxRolesPerAccess} roles in an application`);
  }
  const { dropped, postponed } = dropEnded(current, live, role);
  const grant = { grantedAt: laterOf(at.toISOString(), roleCreatedAt), expiresAt };
  live.set(role, grant);
  return {
    action: 'role.assigned',
    role,
    next: { ...current, roles: Object.fromEntries([...postponed, ...live]) },
    before: grantSide(held),
    after: { granted: true, expiresAt },
    reason: null,
    granted: { [role]: grant },
    ended: dropped,
  };
}

/** Whether a grant is of the role that was defined then. */
function isGrantOf({ grantedAt }: Grant, roleCreatedAt: string): boolean {
  return grantedAt >= roleCreatedAt;
}

/** A clock that is behind does not date a grant before its role. */
function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

/** A role to revoke. */
export interface Revocation {
  readonly role: RoleName;
  /** Only this grant of it, by its time. Default: whenever it was given. */
  readonly grantedAt?: string | undefined;
}

/** The access after a role was revoked; undefined when it is not held now. Drops grants that ended. */
export function decideRevocation(current: StoredAccess, revocation: Revocation, at: Date): AccessChange | undefined {
  const { role, grantedAt } = revocation;
  const live = new Map(liveGrants(current, at));
  const held = live.get(role);
  if (held === undefined || (grantedAt !== undefined && held.grantedAt !== grantedAt)) return undefined;
  const { dropped, postponed } = dropEnded(current, live, role);
  live.delete(role);
  return {
    action: 'role.revoked',
    role,
    next: { ...current, roles: Object.fromEntries([...postponed, ...live]) },
    before: grantSide(held),
    after: grantSide(undefined),
    reason: null,
    ended: [role, ...dropped],
  };
}

/** Ended grants that one change drops at most, so that its transaction stays small. */
const maxDroppedGrants = 50;

type NamedGrant = readonly [role: string, grant: Grant];

/** The grants that ended: those that this change drops, and those that the next one will. */
function dropEnded({ roles }: StoredAccess, live: ReadonlyMap<string, Grant>, changing: RoleName) {
  const ended: readonly NamedGrant[] = Object.entries(roles).filter(([name]) => name !== changing && !live.has(name));
  return {
    dropped: ended.slice(0, maxDroppedGrants).map(([name]) => name),
    postponed: ended.slice(maxDroppedGrants),
  };
}

function grantSide(grant: Grant | undefined) {
  return { granted: grant !== undefined, expiresAt: grant?.expiresAt ?? null };
}
