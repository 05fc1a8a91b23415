import type { Deletion } from '#shared/contract/answers.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { queryItems, transact } from '#shared/table/client.ts';
import { putChangeEntry } from '#shared/table/items/change-item.ts';
import { deleteMemberEntry, memberOf, readRoleItem, tombstoneRoleEntry } from '#shared/table/items/role-item.ts';
import { ranges } from '#shared/table/keys.ts';
import { buildChange } from '../request/build-change.ts';
import { deadline } from '../request/delete-in-batches.ts';
import { hasAny } from '../request/list-page.ts';
import { monotonicTimestamp, retryOnConflict } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';
import { revokeRole } from './grant-role.ts';
import { listMembers } from './roles.ts';

/** Small enough that its revocations can run at the same time. */
const pageSize = 10;

export interface RoleDeletion {
  readonly appId: AppId;
  readonly role: RoleName;
  /** Also while users hold it; they lose it. */
  readonly force: boolean;
}

/** Deletes a role and revokes it from everyone. A repeated request continues where an earlier one was cut off. */
export async function deleteRole(command: RoleDeletion, context: RequestContext): Promise<Deletion> {
  const marked = await retryOnConflict(() => markRole(command, context));
  if (marked === 'absent') return { changed: false, complete: true };
  const complete = await revokeFromMembers(command, context);
  return { changed: marked === 'marked', complete };
}

async function markRole({ appId, role, force }: RoleDeletion, context: RequestContext) {
  const found = await readRoleItem(appId, role);
  if (found === undefined) return 'absent';
  if (found.deleted) return 'marked before';
  const { role: current } = found;
  if (!force) await requireUnheld(appId, role);
  const at = monotonicTimestamp(now(), current.updatedAt);
  const change = buildChange(context, {
    action: 'role.deleted',
    at,
    appId,
    role,
    before: { description: current.description, version: current.version },
    after: null,
    reason: null,
  });
  const outcome = await transact([tombstoneRoleEntry(current, at), putChangeEntry(change)]);
  return outcome.kind === 'committed' ? 'marked' : 'conflict';
}

async function requireUnheld(appId: AppId, role: RoleName): Promise<void> {
  if (!(await hasAny((page) => listMembers({ appId, role, ...page })))) return;
  throw new ServiceError('role_in_use', { detail: 'Users hold this role. Take it back first, or send ?force=true.' });
}

/** Revokes a deleted role from everyone, each with a Change; false when time ran out. */
export async function revokeFromMembers(
  { appId, role }: { readonly appId: AppId; readonly role: RoleName },
  context: RequestContext,
): Promise<boolean> {
  const hasTime = deadline();
  while (hasTime()) {
    const { items } = await queryItems(ranges.members(appId, role), { limit: pageSize });
    if (items.length === 0) return true;
    await Promise.all(items.map((item) => revokeFrom({ appId, role, userId: memberOf(item).userId }, context)));
  }
  return false;
}

interface Membership {
  readonly appId: AppId;
  readonly role: RoleName;
  readonly userId: UserId;
}

/** An entry whose grant, user or application is gone changes nothing and is removed. */
async function revokeFrom(membership: Membership, context: RequestContext): Promise<void> {
  const { appId, role, userId } = membership;
  const { changed } = await revokeRole(membership, context).catch(unchangedIfGone);
  if (!changed) await transact([deleteMemberEntry(appId, role, userId)]);
}

function unchangedIfGone(error: unknown): { changed: false } {
  const gone = error instanceof ServiceError && error.status === 404;
  if (!gone) throw error;
  return { changed: false };
}
