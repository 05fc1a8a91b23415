import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { type Item, queryItems, transact } from '#shared/table/client.ts';
import {
  deleteReadMemberEntry,
  memberOf,
  type Role,
  readUnsweptVersion,
  sweptRoleEntry,
} from '#shared/table/items/role-item.ts';
import type { Key } from '#shared/table/key.ts';
import { membersRange } from '#shared/table/keys/role-item-keys.ts';
import { mapConcurrently } from '../request/map-concurrently.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type DeletionTime, settlesAt } from '../request/settling.ts';
import { revokeRole } from './grant-role.ts';

/** Small enough that its revocations can run concurrently. */
const pageSize = 10;

/** A deleted role: the version of its mark distinguishes it from a later role of the same name. */
export type DeletedRole = Pick<Role, 'appId' | 'role' | 'version'>;

/**
 * Revokes a deleted role from all users, each with a Change, and marks it as swept once a pass finds nothing that began after
 * `settled` (milliseconds since the epoch, by default some seconds from now), when no earlier request could still assign the
 * role. False when time ran out: a repeated request continues.
 */
export async function sweepRole(
  deleted: DeletedRole,
  context: RequestContext,
  { hasTime, waitUntil }: DeletionTime,
  settled: number = settlesAt(),
): Promise<boolean> {
  // The sweep's writes are not part of the call's own effect, which has already been written.
  const sweeping = { ...context, attempt: undefined };
  if (!(await revokeFromMembers(deleted, sweeping, hasTime))) return false;
  if (!(await waitUntil(settled))) return false;
  if (!(await revokeFromMembers(deleted, sweeping, hasTime))) return false;
  await transact([sweptRoleEntry(deleted, now().toISOString())]);
  return true;
}

async function revokeFromMembers(deleted: DeletedRole, context: RequestContext, hasTime: () => boolean) {
  const { appId, role, version } = deleted;
  while (hasTime()) {
    const { items } = await queryItems(membersRange(appId, role), { limit: pageSize });
    if (items.length === 0) return true;
    // Another request has finished this, and the role may have been defined again.
    if ((await readUnsweptVersion(appId, role)) !== version) return true;
    await mapConcurrently(items, (item) => revokeOrDelete(item, deleted, context));
  }
  return false;
}

/**
 * Revokes the role from the user of a member entry, which removes the entry. If there is nothing to revoke, because the grant, the
 * user or the application is gone, deletes the entry alone, unless it has been rewritten since it was read.
 */
async function revokeOrDelete(item: Item & Key, { appId, role }: DeletedRole, context: RequestContext): Promise<void> {
  const { userId, grantedAt } = memberOf(item);
  const revoked = revokeRole({ appId, role, userId, grantedAt }, context);
  const { changed } = await revoked.catch(unchangedIfGone);
  if (!changed) await transact([deleteReadMemberEntry(item)]);
}

function unchangedIfGone(error: unknown): { changed: false } {
  const gone = error instanceof ServiceError && error.status === 404;
  if (!gone) throw error;
  return { changed: false };
}
