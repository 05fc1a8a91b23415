import type { UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { NamedGrant, UserPart } from '#shared/domain/request/user-part.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { conditionCheckEntry } from '#shared/table/expression.ts';
import { accountOf, eraseAccountEntries, givenName, isAccountOf } from '../table/account-item.ts';
import { accountKey } from '../table/directory-item-keys.ts';

/** The account by which a directory manages a user, with what it is found by. */
export const accountPart: UserPart = {
  keyOf: accountKey,
  managerOf: (item, user) => {
    const account = accountOf(item);
    return account !== undefined && isAccountOf(account, user) ? account.connectionId : undefined;
  },
  requireGiving,
  eraseEntries: eraseAccountEntries,
};

/**
 * Makes a transaction depend on the account of the user, by which the groups of the directory still give the role. Without an
 * account nobody knows more than the Change: the directory's connection was deleted, and left the role.
 */
function requireGiving(userId: UserId, item: Item | undefined, role: NamedGrant): TransactEntry {
  const account = accountOf(item);
  if (account === undefined) return conditionCheckEntry(accountKey(userId), { absent: ['pk'] });
  const { connectionId, version, given } = account;
  if (givenName(role) in given) return conditionCheckEntry(accountKey(userId), { equals: { connectionId, version } });
  throw new ServiceError('not_undoable', {
    detail: 'A group of the directory gave the role, and no group gives it now. Assign the role if it is needed.',
  });
}
