import type { Deletion } from '#shared/contract/answers.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { queryItems, type TransactEntry, transact } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { type Account, accountOwnerOf, readAccounts } from '#shared/table/items/account-item.ts';
import { readConnectionItem, sweptConnectionEntry } from '#shared/table/items/connection-item.ts';
import { groupIdOf } from '#shared/table/items/group-item.ts';
import type { Range } from '#shared/table/key.ts';
import {
  accountKey,
  activityRange,
  directoryRange,
  groupContentsRange,
  isAccountPlace,
  isGroupKey,
} from '#shared/table/keys/directory-item-keys.ts';
import { deleteInBatches } from '../request/delete-in-batches.ts';
import { identity, performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type DeletionTime, settlesAt, startDeletion } from '../request/settling.ts';
import { changeConnection, type NamedConnection, recordedConnection } from './connections.ts';

const pageSize = 100;

/**
 * Deletes a connection, whose tokens stop working immediately. What a directory said of its users and groups is deleted too; the
 * users keep their status and their roles. A repeated request continues.
 */
export async function deleteConnection(named: NamedConnection, context: RequestContext): Promise<Deletion> {
  const time = startDeletion();
  const { connectionId } = named;
  const before = await readConnectionItem(connectionId);
  if (before?.deleted === true && before.connection.kind === 'scim' && !before.swept) {
    const { changed } = await completedDeletion(context);
    return { changed, complete: await sweepDirectory(connectionId, time) };
  }
  const { changed, connection } = await changeConnection(named, context, {
    decide: (current) => ({ action: 'connection.deleted', next: {}, before: recordedConnection(current), after: null }),
    answerOf: (outcome) => outcome,
  });
  const isWhole = connection.kind !== 'scim' || context.dryRun === true;
  return { changed, complete: isWhole || (await sweepDirectory(connectionId, time)) };
}

type Deleted = Pick<Deletion, 'changed'>;

/** What the call that deleted the connection was answered, to a later attempt of it; to any other call, that nothing changed. */
function completedDeletion(context: RequestContext): Promise<Deleted> {
  const decide = async () => ({ answer: { changed: false } });
  return performWrite<Deleted, Deleted>(context, { decide, toStored: identity, fromStored: identity });
}

/**
 * Deletes what a deleted directory said, and repeats once no earlier request can still write, until a pass finds nothing. False when
 * time ran out.
 */
export async function sweepDirectory(
  connectionId: ConnectionId,
  { hasTime, waitUntil }: DeletionTime,
): Promise<boolean> {
  const settled = settlesAt();
  while (hasTime() && (await deletePage(connectionId)));
  if (!(await waitUntil(settled))) return false;
  while (await deletePage(connectionId)) if (!hasTime()) return false;
  await transact([sweptConnectionEntry(connectionId)]);
  return true;
}

/** Whether anything was found. What was written since the read stays, and is found by the next pass. */
async function deletePage(connectionId: ConnectionId): Promise<boolean> {
  const activity = await deleteRange(activityRange(connectionId));
  const { items } = await queryItems(directoryRange(connectionId), { limit: pageSize });
  const owners = items.filter(isAccountPlace);
  const accounts = await readAccounts(owners.map(accountOwnerOf));
  const own = [...accounts.values()].filter((account) => account.connectionId === connectionId);
  const groups = items.filter(isGroupKey);
  for (const group of groups) await deleteRange(groupContentsRange(connectionId, groupIdOf(group)));
  await deleteInBatches([...own.map(deleteOwnAccount), ...items.map((item) => [deleteEntry(item)])]);
  return activity || items.length > 0;
}

/** The account is deleted only if it is still that of this directory. */
function deleteOwnAccount({ userId, connectionId }: Account): TransactEntry[] {
  return [deleteEntry(accountKey(userId), { equals: { connectionId } })];
}

/** Whether anything was found. */
async function deleteRange(range: Range): Promise<boolean> {
  for (let found = false; ; found = true) {
    const { items } = await queryItems(range, { limit: pageSize });
    if (items.length === 0) return found;
    await deleteInBatches(items.map((item) => [deleteEntry(item)]));
  }
}
