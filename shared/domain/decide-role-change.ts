import type { AssignRoleBody } from '#shared/contract/access.ts';
import type { RoleName } from '#shared/contract/ids.ts';
import { maxRolesPerAccess } from '#shared/contract/limits.ts';
import { invalidField } from '#shared/core/errors.ts';
import type { Grant, StoredAccess } from '#shared/table/access.ts';
import { deleteMemberEntry, putMemberEntry } from '#shared/table/member.ts';
import type { AccessChange } from './access-change.ts';
import { liveGrants } from './decide-access.ts';

const maxForgotten = 50;

/** The access after a role was given; undefined when it is held until the same moment already. Drops grants that ended. */
export function decideAssignment(current: StoredAccess, wanted: AssignRoleBody, at: Date): AccessChange | undefined {
  const { role, expiresAt } = wanted;
  const live = new Map(liveGrants(current, at));
  const held = live.get(role);
  if (held?.expiresAt === expiresAt) return undefined;
  if (held === undefined && live.size >= maxRolesPerAccess) {
    throw invalidField('#/role', `cannot be given: a user holds at most ${maxRolesPerAccess} roles in an application`);
  }
  const ended = endedGrants(current, live, role);
  live.set(role, { grantedAt: at.toISOString(), expiresAt });
  return {
    action: 'role.assigned',
    role,
    next: { ...current, roles: Object.fromEntries([...late(ended), ...live]) },
    before: grantSide(held),
    after: { granted: true, expiresAt },
    reason: null,
    members: [putMemberEntry(current.appId, role, current.userId, expiresAt), ...forget(current, ended)],
  };
}

/** The access after a role was taken back; undefined when it is not held now. Drops grants that ended. */
export function decideRevocation(current: StoredAccess, role: RoleName, at: Date): AccessChange | undefined {
  const live = new Map(liveGrants(current, at));
  const held = live.get(role);
  if (held === undefined) return undefined;
  const ended = endedGrants(current, live, role);
  live.delete(role);
  return {
    action: 'role.revoked',
    role,
    next: { ...current, roles: Object.fromEntries([...late(ended), ...live]) },
    before: grantSide(held),
    after: grantSide(undefined),
    reason: null,
    members: [deleteMemberEntry(current.appId, role, current.userId), ...forget(current, ended)],
  };
}

type RoleGrant = readonly [role: string, grant: Grant];

function endedGrants({ roles }: StoredAccess, live: ReadonlyMap<string, Grant>, role: RoleName): RoleGrant[] {
  return Object.entries(roles).filter(([name]) => name !== role && !live.has(name));
}

/** What ended leaves the item and its role's members, as many as fit well into one transaction; */
function forget({ appId, userId }: StoredAccess, ended: readonly RoleGrant[]) {
  return ended.slice(0, maxForgotten).map(([role]) => deleteMemberEntry(appId, role as RoleName, userId));
}

/** the rest stays for the next change. */
function late(ended: readonly RoleGrant[]): readonly RoleGrant[] {
  return ended.slice(maxForgotten);
}

function grantSide(grant: Grant | undefined) {
  return { granted: grant !== undefined, expiresAt: grant?.expiresAt ?? null };
}
