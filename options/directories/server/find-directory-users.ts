import type { ConnectionId, UserId } from '#shared/contract/fields.ts';
import { isUserId } from '#shared/contract/fields.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { readItems } from '#shared/table/client.ts';
import { readAllOf } from '#shared/table/read-items-of.ts';
import { type DirectoryUser, type IndexPage, pageOf, type UserConditions } from '../scim/directory.ts';
import { emailsOf, foldCase } from '../scim/user-attributes.ts';
import { type Account, accountOf, accountOwnerOf, isManagedBy } from '../table/account-item.ts';
import {
  accountKey,
  accountNameKey,
  accountsRange,
  accountsWithEmailRange,
  externalIdKey,
} from '../table/directory-item-keys.ts';
import { directoryUsers } from './directory-user.ts';
import { openDirectory } from './open-directory.ts';

export interface FoundUsers {
  /** How many users meet the conditions. */
  readonly total: number;
  /** The users of the page, by id. */
  readonly users: readonly DirectoryUser[];
}

/**
 * The users of the directory that meet all conditions, also inactive ones, in a stable order, strongly consistent. Two or three
 * requests to the table; without conditions one more for each 2,500 users.
 */
export async function findDirectoryUsers(
  { startIndex, count, ...conditions }: UserConditions & IndexPage,
  context: ConnectionContext,
): Promise<FoundUsers> {
  const { connectionId } = context.caller;
  await openDirectory(context, 'users:write');
  const page = { startIndex, count };
  const userIds = await candidates(connectionId, conditions);
  if (userIds === undefined) {
    const all = (await readAllOf(accountsRange(connectionId))).map(accountOwnerOf);
    const accounts = await readAccounts(connectionId, pageOf(all, page));
    return { total: all.length, users: await directoryUsers(connectionId, accounts) };
  }
  const found = (await readAccounts(connectionId, userIds)).filter((account) => meets(account, conditions));
  return { total: found.length, users: await directoryUsers(connectionId, pageOf(found, page)) };
}

/** The users that may meet the conditions, by the most selective one; undefined without any. */
async function candidates(
  connectionId: ConnectionId,
  { id, userName, externalId, email }: UserConditions,
): Promise<readonly UserId[] | undefined> {
  if (id !== undefined) return isUserId(id) ? [id] : [];
  const key =
    userName !== undefined
      ? accountNameKey(connectionId, foldCase(userName))
      : externalId !== undefined
        ? externalIdKey(connectionId, externalId)
        : undefined;
  if (key !== undefined) return (await readItems([key])).flatMap((item) => (item ? [accountOwnerOf(item)] : []));
  if (email === undefined) return undefined;
  return (await readAllOf(accountsWithEmailRange(connectionId, foldCase(email)))).map(accountOwnerOf);
}

function meets(account: Account, { userName, externalId, email }: UserConditions): boolean {
  return (
    (userName === undefined || foldCase(account.userName) === foldCase(userName)) &&
    (externalId === undefined || account.externalId === externalId) &&
    (email === undefined || emailsOf(account.attributes).map(foldCase).includes(foldCase(email)))
  );
}

/** The accounts of the directory with these ids, in their order, without removed ones. */
async function readAccounts(connectionId: ConnectionId, userIds: readonly UserId[]): Promise<Account[]> {
  const items = await readItems(userIds.map(accountKey));
  return items.flatMap((item) => {
    const account = accountOf(item);
    return isManagedBy(connectionId, account) ? [account] : [];
  });
}
