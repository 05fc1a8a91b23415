import type { ConnectionId } from '#shared/contract/fields.ts';
import { readItems } from '#shared/table/client.ts';
import type { DirectoryUser, GroupReference } from '../scim/directory.ts';
import type { Account } from '../table/account-item.ts';
import { groupKey } from '../table/directory-item-keys.ts';
import { groupOf } from '../table/group-item.ts';

/** Accounts as their directory sees them; one more request if they are members of groups. */
export async function directoryUsers(
  connectionId: ConnectionId,
  accounts: readonly Account[],
): Promise<DirectoryUser[]> {
  const groupIds = [...new Set(accounts.flatMap(({ groups }) => groups))];
  const items = await readItems(groupIds.map((groupId) => groupKey(connectionId, groupId)));
  const groups = new Map(items.map(groupOf).flatMap((group) => (group === undefined ? [] : [[group.groupId, group]])));
  return accounts.map((account) => {
    const found = account.groups.flatMap((groupId): GroupReference[] => {
      const group = groups.get(groupId);
      return group === undefined ? [] : [{ id: groupId, displayName: group.displayName }];
    });
    return directoryUser(account, found);
  });
}

/** One account as its directory sees it. */
export async function directoryUserOf(account: Account): Promise<DirectoryUser> {
  const [user] = await directoryUsers(account.connectionId, [account]);
  return user ?? directoryUser(account, []);
}

/** An account with its groups. */
export function directoryUser(account: Account, groups: readonly GroupReference[]): DirectoryUser {
  const { userId, userName, externalId, active, attributes, version, createdAt, updatedAt } = account;
  return { id: userId, userName, externalId, active, attributes, groups, version, createdAt, updatedAt };
}
