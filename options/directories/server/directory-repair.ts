import { connectionIdOf, connectionItemOf } from '#options/connections/table/connection-item.ts';
import { connectionKey, connectionsRange } from '#options/connections/table/connection-item-keys.ts';
import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import { deleteInBatches } from '#shared/domain/request/delete-in-batches.ts';
import type { OptionRepair, RepairedPart, RepairedUser, Repairing } from '#shared/domain/request/option-repair.ts';
import { type Item, queryItems, readItems, type TransactEntry } from '#shared/table/client.ts';
import { conditionCheckEntry, deleteEntry } from '#shared/table/expression.ts';
import type { Key } from '#shared/table/key.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import {
  type Account,
  accountOf,
  accountOwnerOf,
  accountPlaces,
  eraseAccountEntries,
  isPlace,
  putPlaceEntry,
  readAccounts,
} from '../table/account-item.ts';
import {
  accountEntryKey,
  accountKey,
  directoryRange,
  groupMembersRange,
  groupsRange,
  isGroupPlace,
} from '../table/directory-item-keys.ts';
import { groupIdOf } from '../table/group-item.ts';

/**
 * Removes the account of a user or a directory that is gone, and adds the places in which that of a user is missing. An account
 * that another directory still lists may have been moved by somebody who wrote to the table: nothing says which of the two is
 * right.
 */
async function repairAccount({ userId, user, deleting }: RepairedUser, run: Repairing): Promise<boolean> {
  const [item] = await readItems([accountKey(userId)]);
  const account = accountOf(item);
  if (item === undefined || account === undefined || deleting) return false;
  const { connectionId } = account;
  const places = accountPlaces(account);
  const [connection, ...found] = await readItems([connectionKey(connectionId), ...places.map(({ key }) => key)]);
  if (user?.createdAt !== account.userCreatedAt || connectionItemOf(connection)?.deleted) {
    return run.repairBy('account', { userId, connectionId }, () => deleteInBatches([eraseAccountEntries(item)]));
  }
  const missing = places.filter((place, at) => !isPlace(found[at], place)).slice(0, maxPlaces);
  if (missing.length === 0) return false;
  if (await isListedElsewhere(account)) {
    run.note('account-differs', { userId, connectionId });
    return false;
  }
  return run.repair('account', { userId, connectionId }, [guardOf(account), ...missing.map(putPlaceEntry)]);
}

async function isListedElsewhere({ userId, connectionId }: Account): Promise<boolean> {
  const connections = await readAllOf(connectionsRange());
  const others = connections.filter(({ kind }) => kind === 'scim').map(connectionIdOf);
  const entries = await readItems(
    others.filter((other) => other !== connectionId).map((other) => accountEntryKey(other, userId)),
  );
  return entries.some((entry) => entry !== undefined);
}

/** A transaction has room for them; the next round adds the rest. */
const maxPlaces = 90;

/** The account is as it was read, so that its places are those that it needs. */
function guardOf({ userId, version, connectionId }: Account): TransactEntry {
  return conditionCheckEntry(accountKey(userId), { equals: { version, connectionId } });
}

/**
 * Deletes places of a directory, or members of a group, that no account has. If a user's account lacks a
 * group, or is in another directory, either may be right, so both stay until a directory sends the user or the group again.
 */
async function repairPlaces(connectionId: ConnectionId, items: readonly (Item & Key)[], run: Repairing): Promise<void> {
  const places = items.filter((item) => !isGroupPlace(item));
  const accounts = await readAccounts(places.map(accountOwnerOf));
  for (const place of places) {
    const userId = accountOwnerOf(place);
    const account = accounts.get(userId);
    if (account !== undefined && hasPlace(account, connectionId, place)) continue;
    if (account !== undefined && (account.connectionId !== connectionId || isGroupMember(place))) {
      run.note('account-differs', { userId, connectionId });
      continue;
    }
    const guard = account === undefined ? absentAccount(userId) : guardOf(account);
    await run.repair('account', { userId, connectionId }, [guard, deleteEntry(place)]);
  }
}

function isGroupMember({ pk }: Key): boolean {
  return pk.includes('#GROUP#');
}

function hasPlace(account: Account, connectionId: ConnectionId, place: Key): boolean {
  if (account.connectionId !== connectionId) return false;
  return accountPlaces(account).some(({ key }) => key.pk === place.pk && key.sk === place.sk);
}

function absentAccount(userId: UserId): TransactEntry {
  return conditionCheckEntry(accountKey(userId), { absent: ['pk'] });
}

/** What the accounts of a directory are found by, and the members of each of its groups. */
async function directoryListsOf(item: Item): Promise<readonly RepairedPart[]> {
  if (item.kind !== 'scim') return [];
  const connectionId = connectionIdOf(item);
  const { items } = await queryItems(groupsRange(connectionId), {});
  const lists = [
    directoryRange(connectionId),
    ...items.map((group) => groupMembersRange(connectionId, groupIdOf(group))),
  ];
  return lists.map((range) => ({ range, repair: (found, run) => repairPlaces(connectionId, found, run) }));
}

/** The accounts of users in directories, and the places by which they are found, are repaired from each other. */
export const directoryRepair: OptionRepair = {
  repairUser: repairAccount,
  lists: [{ range: connectionsRange(), partsOf: directoryListsOf }],
};
