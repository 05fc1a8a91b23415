import { authorizeConnection } from '#options/connections/server/authorize-connection.ts';
import type { Connection } from '#options/connections/table/connection-item.ts';
import { type FindItem, readWithConnection } from '#options/connections/table/connection-read.ts';
import type { UserId } from '#shared/contract/fields.ts';
import type { ConnectionScope } from '#shared/contract/operation.ts';
import { now } from '#shared/core/clock.ts';
import { ServiceError } from '#shared/core/errors.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { type User, userOf } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import { type Account, accountOf, isAccountOf } from '../table/account-item.ts';
import { accountKey } from '../table/directory-item-keys.ts';

/** A directory that may act, with what was read together with it. */
export interface OpenDirectory {
  readonly connection: Connection;
  readonly find: FindItem;
}

/** Reads items for a directory, together with its connection, and authorizes it; one request to the table. */
export async function openDirectory(
  { caller }: ConnectionContext,
  scope: ConnectionScope | null,
  keys: readonly Key[] = [],
): Promise<OpenDirectory> {
  const guarded = await readWithConnection(caller.connectionId, keys);
  return authorizeConnection(caller, guarded, { kind: 'scim', scope }, now());
}

/** The keys by which `findSubject` finds a user. */
export const subjectKeys = (userId: UserId): Key[] => [userKey(userId), accountKey(userId)];

/** A user with the account by which the directory manages that user. */
export interface Subject {
  readonly account: Account;
  readonly user: User;
}

/** The user if the directory manages that user, even after it removed the user; undefined for those of others. */
export function findSubject({ connection, find }: OpenDirectory, userId: UserId): Subject | undefined {
  const account = accountOf(find(accountKey(userId)));
  const user = userOf(find(userKey(userId)));
  if (account?.connectionId !== connection.connectionId || !isAccountOf(account, user)) return undefined;
  return { account, user };
}

/** The same, or 404 `user_not_found`; also for one that the directory removed. */
export function requireSubject(directory: OpenDirectory, userId: UserId): Subject {
  const subject = findSubject(directory, userId);
  if (subject !== undefined && !subject.account.removed) return subject;
  throw userNotFound();
}

export function userNotFound(): ServiceError {
  return new ServiceError('user_not_found', { detail: 'The directory has no user with this id.' });
}
