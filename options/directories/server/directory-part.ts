import type { ConnectionPart } from '#options/connections/server/connection-part.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { deleteInBatches, deleteRange } from '#shared/domain/request/delete-in-batches.ts';
import { queryItems, type TransactEntry } from '#shared/table/client.ts';
import { deleteEntry } from '#shared/table/expression.ts';
import { type Account, accountOwnerOf, readAccounts } from '../table/account-item.ts';
import {
  accountKey,
  directoryRange,
  groupContentsRange,
  isAccountPlace,
  isGroupKey,
} from '../table/directory-item-keys.ts';
import { groupIdOf } from '../table/group-item.ts';

const pageSize = 100;

/** What a directory said of its users and groups. */
export const directoryPart: ConnectionPart = {
  kind: 'scim',
  isKept: async (connectionId) => (await queryItems(directoryRange(connectionId), { limit: 1 })).items.length > 0,
  deleteItems,
};

/** What was written since the read stays, and is found by the next call. */
async function deleteItems(connectionId: ConnectionId): Promise<boolean> {
  const { items } = await queryItems(directoryRange(connectionId), { limit: pageSize });
  const owners = items.filter(isAccountPlace);
  const accounts = await readAccounts(owners.map(accountOwnerOf));
  const own = [...accounts.values()].filter((account) => account.connectionId === connectionId);
  const groups = items.filter(isGroupKey);
  for (const group of groups) await deleteRange(groupContentsRange(connectionId, groupIdOf(group)));
  await deleteInBatches([...own.map(deleteOwnAccount), ...items.map((item) => [deleteEntry(item)])]);
  return items.length > 0;
}

/** The account is deleted only if it is still that of this directory. */
function deleteOwnAccount({ userId, connectionId }: Account): TransactEntry[] {
  return [deleteEntry(accountKey(userId), { equals: { connectionId } })];
}
