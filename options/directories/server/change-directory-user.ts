import type { Connection } from '#options/connections/table/connection-item.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { monotonicTimestamp, requireVersion } from '#shared/domain/request/optimistic-locking.ts';
import { identity, performWrite } from '#shared/domain/request/perform-write.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { transact } from '#shared/table/client.ts';
import type { DirectoryUser, DirectoryUserState } from '../scim/directory.ts';
import { foldCase, withLoginName } from '../scim/user-attributes.ts';
import { type Account, accountOwnerOf, isMember, putAccountEntries, readAccounts } from '../table/account-item.ts';
import { accountNameKey, externalIdKey } from '../table/directory-item-keys.ts';
import { changeAccountEntries, type Place, requireAddresses, requireFree, requireState } from './account-rules.ts';
import { completeRemoval } from './align-member.ts';
import { directoryUser, directoryUserOf } from './directory-user.ts';
import { findSubject, openDirectory, requireSubject, subjectKeys, userNotFound } from './open-directory.ts';

/** A user of a directory, and the versions that the caller expects (`If-Match`); undefined for any. */
export interface DirectoryUserCommand {
  readonly id: UserId;
  readonly ifMatch?: readonly number[] | undefined;
}

/** One user of the directory, or 404 `user_not_found`; also for users of others, and for removed ones. */
export async function readDirectoryUser(
  { id }: Pick<DirectoryUserCommand, 'id'>,
  context: ConnectionContext,
): Promise<DirectoryUser> {
  const directory = await openDirectory(context, 'users:write', subjectKeys(id));
  return directoryUserOf(requireSubject(directory, id).account);
}

/**
 * Changes a user to what `decide` makes of the current state; it may be called again after a conflict, and throws refusals. Two
 * requests to the table, three for another name or external id, five for the external id of a removed user.
 */
export async function changeDirectoryUser(
  { id, ifMatch }: DirectoryUserCommand,
  decide: (current: DirectoryUser) => DirectoryUserState,
  context: ConnectionContext,
): Promise<DirectoryUser> {
  return performWrite<DirectoryUser, DirectoryUser>(context, {
    decide: async (key) => {
      const directory = await openDirectory(context, 'users:write', subjectKeys(id));
      const subject = requireSubject(directory, id);
      requireVersion('user', subject.account.version, ifMatch);
      const current = await directoryUserOf(subject.account);
      const said = withLoginName(subject.account, decide(current));
      requireState(said);
      requireAddresses(said, subject.account);
      await requireFreeNames(subject.account, said);
      const { account, entries } = changeAccountEntries(subject, said, { context, key });
      return { answer: directoryUser(account, current.groups), ...(entries && { entries }) };
    },
    toStored: identity,
    fromStored: identity,
  });
}

/**
 * Removes a user from the directory, which deactivates the user; 404 from then on, until the directory creates the user again.
 * The user then leaves all groups, unless the directory has created the user again meanwhile. A repetition completes it.
 */
export async function removeDirectoryUser(command: DirectoryUserCommand, context: ConnectionContext): Promise<void> {
  const connection = await markRemoved(command, context);
  if (connection !== undefined) await completeRemoval({ connection, userId: command.id }, context);
}

/** The connection if the user must leave groups after it; otherwise the removal is complete. */
async function markRemoved({ id, ifMatch }: DirectoryUserCommand, context: ConnectionContext) {
  return performWrite<Connection | undefined, Connection | undefined>(context, {
    decide: async (key) => {
      const directory = await openDirectory(context, 'users:write', subjectKeys(id));
      const subject = findSubject(directory, id);
      if (subject === undefined) throw userNotFound();
      const { account } = subject;
      const answer = isMember(account) ? directory.connection : undefined;
      if (account.removed && answer === undefined) throw userNotFound();
      if (account.removed) return { answer };
      requireVersion('user', account.version, ifMatch);
      const next = { ...account, active: false, removed: true };
      const { entries } = changeAccountEntries(subject, next, { context, key });
      return { answer, ...(entries && { entries }) };
    },
    toStored: identity,
    fromStored: identity,
  });
}

/**
 * 409 if another user of the directory has the new name or external id. One whom the directory has removed is none of them
 * (RFC 7644 section 3.6), and gives the external id up.
 */
async function requireFreeNames(account: Account, said: DirectoryUserState): Promise<void> {
  const { connectionId, userId } = account;
  const wanted: Place[] = [];
  if (foldCase(said.userName) !== foldCase(account.userName)) {
    wanted.push(['userName', accountNameKey(connectionId, foldCase(said.userName))]);
  }
  if (said.externalId !== null && said.externalId !== account.externalId) {
    wanted.push(['externalId', externalIdKey(connectionId, said.externalId)]);
  }
  const removed: Account[] = [];
  await requireFree('user', wanted, async (item) => {
    const owner = accountOwnerOf(item);
    if (owner === userId) return true;
    const found = (await readAccounts([owner])).get(owner);
    if (!found?.removed) return false;
    removed.push(found);
    return true;
  });
  for (const each of removed) await giveUpExternalId(each);
}

/** If it is changed meanwhile, the write that needs the external id meets a conflict, and is decided again. */
async function giveUpExternalId(removed: Account): Promise<void> {
  const { version } = removed;
  await transact(
    putAccountEntries(removed, {
      ...removed,
      externalId: null,
      version: version + 1,
      updatedAt: monotonicTimestamp(removed),
    }),
  );
}
