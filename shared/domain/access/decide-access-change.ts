import type { SetAccessBody } from '#shared/contract/access.ts';
import { accessFields } from '#shared/contract/access-fields.ts';
import type { ChangeAction, RecordedState } from '#shared/contract/change.ts';
import { equalFields, pickFields } from '#shared/contract/field-forms.ts';
import type { RoleName } from '#shared/contract/fields.ts';
import { type AssignRoleBody, maxRolesPerAccess } from '#shared/contract/grant.ts';
import { invalidField } from '#shared/core/errors.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import { type Grant, liveGrants, type StoredAccess } from '#shared/table/items/access-item.ts';

/** The change that a rule has decided on; `next` still has the version and time that were read. */
export interface AccessChange {
  readonly action: ChangeAction;
  readonly role?: RoleName;
  readonly next: StoredAccess;
  readonly before: RecordedState;
  readonly after: RecordedState;
  /** Stored with the access too. Default: the reason of the request. */
  readonly reason?: string | null;
  /** The id of the Change that this one undoes. */
  readonly undoOf?: string;
  /** The grants that begin or change, by role, and the roles whose grants end: updates to the lists of members. */
  readonly granted?: Readonly<Record<string, Grant>>;
  readonly ended?: readonly string[];
  /** What else the transaction writes. */
  readonly entries?: readonly TransactEntry[];
  /** Ends the closing of the role that is assigned. */
  readonly reopening?: TransactEntry;
}

/** Sets a status; undefined if it is already set. A disabled user keeps their roles. */
export function decideStatusChange(current: StoredAccess, setting: SetAccessBody): AccessChange | undefined {
  const restored = restoreStatus(current, setting);
  return restored && { ...restored, reason: setting.reason };
}

/** The stored setting of an access; its status is `null` if none is set. */
export type StoredSetting = Pick<StoredAccess, 'status' | keyof typeof accessFields>;

/** Restores an earlier setting, which may have no status; undefined if it is already stored. */
export function restoreStatus(current: StoredAccess, setting: StoredSetting): AccessChange | undefined {
  if (current.status === setting.status && equalFields(accessFields, current, setting)) return undefined;
  const next = { ...current, status: setting.status, ...pickFields(accessFields, setting) };
  return { action: 'access.changed', next, before: settingOf(current), after: settingOf(next) };
}

function settingOf(access: StoredAccess) {
  const { status } = access;
  return { status: status ?? 'enabled', explicit: status !== null, ...pickFields(accessFields, access) };
}

/** A role to assign, as it is currently defined. */
export interface Assignment extends AssignRoleBody {
  /** When the role was defined, which distinguishes it from a deleted role of the same name. */
  readonly roleCreatedAt: string;
  /** Whether it follows the groups of a directory, because nobody decides about it. Default: somebody assigns it. */
  readonly fromGroup?: boolean;
}

/** Assigns a role; undefined if the user already holds it in the same way. Drops expired grants. */
export function decideAssignment(current: StoredAccess, assignment: Assignment, at: Date): AccessChange | undefined {
  const { role, expiresAt, roleCreatedAt, fromGroup = false } = assignment;
  const live = new Map(liveGrants(current, at));
  const held = live.get(role);
  if (held?.expiresAt === expiresAt && isGrantOf(held, roleCreatedAt) && isFromGroup(held) === fromGroup)
    return undefined;
  if (held === undefined && live.size >= maxRolesPerAccess) {
    throw invalidField(
      'role',
      `cannot be assigned: a user can hold at most ${maxRolesPerAccess} roles in an application`,
    );
  }
  const { dropped, postponed } = divideExpired(current, live, role);
  const grant = { grantedAt: grantTime(current, roleCreatedAt, at), expiresAt, ...(fromGroup && { fromGroup }) };
  live.set(role, grant);
  return {
    action: 'role.assigned',
    role,
    next: { ...current, roles: Object.fromEntries([...postponed, ...live]) },
    ...grantStates(held, grant),
    granted: { [role]: grant },
    ended: dropped,
  };
}

/** Whether a grant belongs to the role that was defined at this time. */
function isGrantOf({ grantedAt }: Grant, roleCreatedAt: string): boolean {
  return grantedAt >= roleCreatedAt;
}

/**
 * When a grant is made: not before its role was defined, by a clock that may be ahead, and after every change of the access so
 * far. So no two grants of a user have the same time, by which others know them.
 */
function grantTime({ updatedAt }: StoredAccess, roleCreatedAt: string, at: Date): string {
  const following = updatedAt === null ? 0 : Date.parse(updatedAt) + 1;
  const time = new Date(Math.max(at.getTime(), following)).toISOString();
  return time > roleCreatedAt ? time : roleCreatedAt;
}

/** A role to revoke. */
export interface Revocation {
  readonly role: RoleName;
  /** Only the grant made at this time. Default: any grant of the role. */
  readonly grantedAt?: string | undefined;
}

/** Revokes a role; undefined if the user does not hold it. Drops expired grants. */
export function decideRevocation(current: StoredAccess, revocation: Revocation, at: Date): AccessChange | undefined {
  const { role, grantedAt } = revocation;
  const live = new Map(liveGrants(current, at));
  const held = live.get(role);
  if (held === undefined || (grantedAt !== undefined && held.grantedAt !== grantedAt)) return undefined;
  const { dropped, postponed } = divideExpired(current, live, role);
  live.delete(role);
  return {
    action: 'role.revoked',
    role,
    next: { ...current, roles: Object.fromEntries([...postponed, ...live]) },
    ...grantStates(held, undefined),
    ended: [role, ...dropped],
  };
}

/** The most expired grants that one change drops, so that its transaction stays small. */
const maxDroppedGrants = 50;

type NamedGrant = readonly [role: string, grant: Grant];

/** Divides the expired grants into those that this change drops and those that it leaves to the next one. */
function divideExpired({ roles }: StoredAccess, live: ReadonlyMap<string, Grant>, changing: RoleName) {
  const expired: readonly NamedGrant[] = Object.entries(roles).filter(([name]) => name !== changing && !live.has(name));
  return {
    dropped: expired.slice(0, maxDroppedGrants).map(([name]) => name),
    postponed: expired.slice(maxDroppedGrants),
  };
}

/** What a grant is, as a Change records it. */
export type GrantState = Pick<Grant, 'expiresAt' | 'fromGroup'>;

/** The states of a Change of a grant; both say whether it is a group's if one of them is. */
export function grantStates(held: GrantState | undefined, next: GrantState | undefined) {
  const isMarked = isFromGroup(held) || isFromGroup(next);
  const recordedOf = (grant: GrantState | undefined) => ({
    granted: grant !== undefined,
    expiresAt: grant?.expiresAt ?? null,
    ...(isMarked && { fromGroup: isFromGroup(grant) }),
  });
  return { before: recordedOf(held), after: recordedOf(next) };
}

/** Whether a group gave the role, and nobody has assigned it since. */
export function isFromGroup(grant: Pick<Grant, 'fromGroup'> | undefined): boolean {
  return grant?.fromGroup === true;
}
