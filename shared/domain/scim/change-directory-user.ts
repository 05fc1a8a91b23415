import type { UserId } from '#shared/contract/fields.ts';
import type { DirectoryUser, DirectoryUserState } from '#shared/scim/directory.ts';
import { foldCase, withLoginName } from '#shared/scim/user-attributes.ts';
import { transact } from '#shared/table/client.ts';
import { type Account, accountOwnerOf, putAccountEntries, readAccounts } from '#shared/table/items/account-item.ts';
import type { Connection } from '#shared/table/items/connection-item.ts';
import { accountNameKey, externalIdKey } from '#shared/table/keys.ts';
import { monotonicTimestamp, requireVersion } from '../request/optimistic-locking.ts';
import { identity, performWrite } from '../request/perform-write.ts';
import type { ConnectionContext } from '../request/request-context.ts';
import { changeAccountEntries, type Place, requireAddresses, requireFree, requireState } from './account-rules.ts';
import { alignMember } from './align-member.ts';
import { directoryUser, directoryUserOf } from './directory-user.ts';
import { openDirectory, requireSubject, subjectKeys } from './open-directory.ts';

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
    keep: identity,
    restore: identity,
  });
}

/**
 * Removes a user from the directory, which deactivates the user, who then leaves all groups; 404 from then on, until the
 * directory creates the user again.
 */
export async function removeDirectoryUser(command: DirectoryUserCommand, context: ConnectionContext): Promise<void> {
  const connection = await deactivate(command, context);
  if (connection === undefined) return;
  const { id: userId } = command;
  await alignMember({ connection, userId, touches: [], after: () => [] }, context);
  await removeDirectoryUser({ id: userId }, context);
}

/** The connection if the user must leave groups before the removal, which is otherwise complete. */
async function deactivate({ id, ifMatch }: DirectoryUserCommand, context: ConnectionContext) {
  return performWrite<Connection | undefined, Connection | undefined>(context, {
    decide: async (key) => {
      const directory = await openDirectory(context, 'users:write', subjectKeys(id));
      const subject = requireSubject(directory, id);
      const { account } = subject;
      requireVersion('user', account.version, ifMatch);
      const isMember = account.groups.length + Object.keys(account.given).length > 0;
      const next = { ...account, active: false, removed: !isMember };
      const { entries } = changeAccountEntries(subject, next, { context, key });
      return { answer: isMember ? directory.connection : undefined, ...(entries && { entries }) };
    },
    keep: identity,
    restore: identity,
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
