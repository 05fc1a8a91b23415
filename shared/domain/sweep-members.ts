import type { AppId, RoleName, UserId } from '#shared/contract/ids.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { queryItems, transact } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/deletions.ts';
import { memberKey, ranges } from '#shared/table/keys.ts';
import { memberOf } from '#shared/table/member.ts';
import { erasingTime } from './erasing-time.ts';
import type { RequestContext } from './request-context.ts';
import { revokeRole } from './revoke-role.ts';

/** Small enough that its revocations can run beside each other. */
const pageSize = 10;

/** Takes a deleted role back from everyone, each with a record; false when time ran out. */
export async function sweepMembers(
  { appId, role }: { readonly appId: AppId; readonly role: RoleName },
  context: RequestContext,
  hasTime = erasingTime(),
): Promise<boolean> {
  const range = ranges.members(appId, role);
  while (hasTime()) {
    const { items } = await queryItems(range, { limit: pageSize });
    if (items.length === 0) return true;
    await Promise.all(items.map((item) => takeBack({ appId, role, userId: memberOf(item).userId }, context)));
  }
  return false;
}

interface Membership {
  readonly appId: AppId;
  readonly role: RoleName;
  readonly userId: UserId;
}

/** A note that outlived its grant, its user or its application changes nothing and just goes. */
async function takeBack(membership: Membership, context: RequestContext): Promise<void> {
  const { appId, role, userId } = membership;
  const { changed } = await revokeRole(membership, context).catch(unchangedWhereNothingIs);
  if (!changed) await transact([deleteEntry(memberKey(appId, role, userId))]);
}

function unchangedWhereNothingIs(error: unknown): { changed: false } {
  const gone = error instanceof ServiceError && error.status === 404;
  if (!gone) throw error;
  return { changed: false };
}
