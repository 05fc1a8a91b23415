import type { Connection } from '#options/connections/table/connection-item.ts';
import { outOfTime } from '#shared/core/clock.ts';
import { deleteInBatches } from '#shared/domain/request/delete-in-batches.ts';
import { monotonicTimestamp, requireVersion, retryOnConflict } from '#shared/domain/request/optimistic-locking.ts';
import { identity, performWrite } from '#shared/domain/request/perform-write.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { type DeletionTime, settlesAt, startDeletion } from '#shared/domain/request/settling.ts';
import { queryItems, transact } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { groupKey, groupMembersRange } from '../table/directory-item-keys.ts';
import { deleteGroupEntries, type Group, groupItemOf, groupMemberOf, putGroupEntries } from '../table/group-item.ts';
import type { GroupCommand } from './change-directory-group.ts';
import { alignMembers } from './change-members.ts';
import { groupNotFound } from './directory-groups.ts';
import { openDirectory } from './open-directory.ts';

const pageSize = 330;

interface Marked {
  readonly connection: Connection;
  readonly group: Group;
}

/**
 * Deletes a group: first it is marked, and gone for the directory; then its members leave it, with the roles that only it gave;
 * once no request in progress can still add one, it is deleted. 503 if time runs out; a repetition continues.
 */
export async function removeDirectoryGroup({ id, ifMatch }: GroupCommand, context: ConnectionContext): Promise<void> {
  const time = startDeletion();
  const marked = await performWrite<Marked, Marked>(context, {
    decide: async () => {
      const key = groupKey(context.caller.connectionId, id);
      const { connection, find } = await openDirectory(context, 'roles:write', [key]);
      const group = groupItemOf(find(key));
      if (group === undefined) throw groupNotFound();
      if (group.deleting) return { answer: { connection, group } };
      requireVersion('group', group.version, ifMatch);
      const version = group.version + 1;
      const next = { ...group, deleting: true, version, updatedAt: monotonicTimestamp(group) };
      return { answer: { connection, group: next }, entries: putGroupEntries(group, next) };
    },
    toStored: identity,
    fromStored: identity,
  });
  const settled = settlesAt();
  await sweep(marked, time, context);
  if (!(await time.waitUntil(settled))) throw outOfTime();
  await sweep(marked, time, context);
  await retryOnConflict(() => deleteGroup(marked.group));
}

/** Another request of the directory may be writing the group: then it is not deleted yet. */
async function deleteGroup(group: Group): Promise<'conflict' | undefined> {
  return (await transact(deleteGroupEntries(group))).kind === 'committed' ? undefined : 'conflict';
}

async function sweep({ connection, group }: Marked, { hasTime }: DeletionTime, context: ConnectionContext) {
  const { groupId } = group;
  // A group that is being deleted does not exist for its members, so they leave it.
  const after = (groups: readonly string[]) => groups;
  while (hasTime()) {
    const { items } = await queryItems(groupMembersRange(connection.connectionId, groupId), {
      limit: pageSize,
    });
    if (items.length === 0) return;
    await alignMembers(items.map(groupMemberOf), { connection, touches: [], after }, context);
    await deleteInBatches([items.map((item) => deleteEntry(item))]);
  }
  throw outOfTime();
}
