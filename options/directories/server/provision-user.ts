import type { UserId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { identity, performWrite } from '#shared/domain/request/perform-write.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import {
  changeOfFields,
  changeUserEntries,
  createUserWithChanges,
  decideStatus,
  type Recording,
} from '#shared/domain/user/change-user.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { erasedMarkOf, type User, userItemOf } from '#shared/table/items/user-item.ts';
import { userKey } from '#shared/table/keys/user-item-keys.ts';
import type { DirectoryUser, DirectoryUserState } from '../scim/directory.ts';
import { foldCase } from '../scim/user-attributes.ts';
import { type Account, accountOwnerOf, isMember, putAccountEntries } from '../table/account-item.ts';
import { accountKey, accountNameKey, externalIdKey } from '../table/directory-item-keys.ts';
import {
  changeAccountEntries,
  changedFields,
  nameTaken,
  newUserFields,
  possibleUserIds,
  requireAddresses,
  requireState,
  userIdFrom,
} from './account-rules.ts';
import { completeRemoval, type Member } from './align-member.ts';
import { directoryUserOf } from './directory-user.ts';
import { findSubject, type OpenDirectory, openDirectory, type Subject, subjectKeys } from './open-directory.ts';

/** A user as its directory sees it, and whether this request created the account. */
export interface Provisioned {
  readonly user: DirectoryUser;
  /** False for one who returns. */
  readonly created: boolean;
}

/**
 * Creates a user for a directory: two requests to the table. A user that it had deactivated or removed returns, with its id. 409
 * `already_exists` for an active one, for the user of another connection, and for any other user unless the connection takes
 * over matching ones.
 */
export async function provisionUser(state: DirectoryUserState, context: ConnectionContext): Promise<Provisioned> {
  const { account, created } = await provision(state, context).catch(async (error: unknown) => {
    if (!(error instanceof UnfinishedRemoval)) throw error;
    await completeRemoval(error.member, context);
    return provision(state, context);
  });
  return { user: await directoryUserOf(account), created };
}

/** The directory removed the user, who has not left all groups yet: 503, unless that is completed first. */
class UnfinishedRemoval extends ServiceError {
  readonly member: Member;

  constructor(member: Member) {
    super('unavailable', { detail: 'The user is being removed. Try again.' });
    this.member = member;
  }
}

function provision(state: DirectoryUserState, context: ConnectionContext): Promise<Written> {
  const { connectionId } = context.caller;
  return performWrite<Written, Written>(context, {
    decide: async (key) => {
      const named = possibleUserIds(state);
      const directory = await openDirectory(context, 'users:write', [
        accountNameKey(connectionId, foldCase(state.userName)),
        ...(state.externalId === null ? [] : [externalIdKey(connectionId, state.externalId)]),
        ...named.flatMap(subjectKeys),
      ]);
      requireState(state);
      const userId = userIdFrom(state, directory.connection);
      const recording = { context, key };
      const earlier = await findEarlier(directory, { userId, state, named, context });
      requireAddresses(state, earlier?.account);
      const { account, entries } =
        earlier === undefined
          ? createAccount(directory, { userId, state }, recording)
          : changeAccountEntries(earlier, state, recording);
      return { answer: { account, created: earlier === undefined }, ...(entries && { entries }) };
    },
    toStored: identity,
    fromStored: identity,
  });
}

interface Written {
  readonly account: Account;
  readonly created: boolean;
}

interface Sought {
  readonly userId: UserId;
  readonly state: DirectoryUserState;
  /** The users that were read. */
  readonly named: readonly UserId[];
  readonly context: ConnectionContext;
}

/** The inactive user of the directory whom it means, by id, external id or name; undefined if there is none. */
async function findEarlier(directory: OpenDirectory, sought: Sought): Promise<Subject | undefined> {
  const { connection, find } = directory;
  const { userId, state, named, context } = sought;
  const { connectionId } = connection;
  const byId = findSubject(directory, userId)?.account.userId;
  const byName = find(accountNameKey(connectionId, foldCase(state.userName)));
  const byExternalId = state.externalId === null ? undefined : find(externalIdKey(connectionId, state.externalId));
  const owners = [byId, byExternalId && accountOwnerOf(byExternalId), byName && accountOwnerOf(byName)];
  const [owner, ...others] = new Set(owners.filter((id) => id !== undefined));
  if (owner === undefined) return undefined;
  if (others.length > 0) throw nameTaken('user', 'userName', 'externalId');
  // Rarely: one that was found under a name that is not an id.
  const source = named.includes(owner) ? directory : await openDirectory(context, 'users:write', subjectKeys(owner));
  const earlier = findSubject(source, owner);
  if (earlier === undefined) throw beingErased();
  const { account } = earlier;
  const isOnlyNamesake = byId === undefined && hasOtherExternalId(account, state);
  if (account.active || isOnlyNamesake) throw alreadyExists({ byName, byExternalId }, connection);
  if (account.removed && isMember(account)) throw new UnfinishedRemoval({ connection, userId: account.userId });
  return earlier;
}

/** The error for a newcomer who has the userName, the externalId or the id of another user: 409. */
function alreadyExists(
  { byName, byExternalId }: Readonly<Record<'byName' | 'byExternalId', Item | undefined>>,
  connection: OpenDirectory['connection'],
): ServiceError {
  if (byName !== undefined) return nameTaken('user', 'userName');
  return byExternalId !== undefined ? nameTaken('user', 'externalId') : idTaken(connection);
}

/** The error for a newcomer with the former name of a user who was renamed, and who keeps the id: 409. */
function idTaken({ userIdAttribute }: OpenDirectory['connection']): ServiceError {
  const name = userIdAttribute ?? 'userName';
  return new ServiceError('already_exists', {
    detail:
      `The ${name} becomes the id of the user, and another user of the directory has this id: ids never change, so a user who ` +
      `was renamed keeps the id. Where ${name} is given to somebody else, use a connection with --user-id externalId.`,
    field: { name, detail: 'is the id of another user' },
  });
}

function hasOtherExternalId(account: Account, { externalId }: DirectoryUserState): boolean {
  return externalId !== null && account.externalId !== null && account.externalId !== externalId;
}

/** Creates the user, or takes over one whom no directory manages. */
function createAccount(
  { connection, find }: OpenDirectory,
  { userId, state }: Pick<Sought, 'userId' | 'state'>,
  recording: Recording,
): { readonly account: Account; readonly entries: readonly TransactEntry[] } {
  const found = userItemOf(find(userKey(userId)));
  if (found?.deleting) throw beingErased();
  if (found !== undefined && (find(accountKey(userId)) !== undefined || connection.takeover !== 'matching')) {
    throw new ServiceError('already_exists', {
      detail: 'A user with this id exists, who does not belong to this directory.',
      field: { name: connection.userIdAttribute ?? 'userName', detail: 'is the id of another user' },
    });
  }
  const { user, entries } =
    found === undefined
      ? createUser({ userId, state, item: find(userKey(userId)) }, recording)
      : takeOver(found.user, state, recording);
  const account: Account = {
    userId,
    connectionId: connection.connectionId,
    ...state,
    removed: false,
    groups: [],
    given: {},
    version: 1,
    createdAt: user.updatedAt,
    updatedAt: user.updatedAt,
    userCreatedAt: user.createdAt,
  };
  return { account, entries: [...entries, ...putAccountEntries(undefined, account)] };
}

function createUser(
  { userId, state, item }: Pick<Sought, 'userId' | 'state'> & { readonly item: ReturnType<OpenDirectory['find']> },
  recording: Recording,
) {
  return createUserWithChanges({ userId, ...newUserFields(state) }, erasedMarkOf(item), {
    ...recording,
    decide: (user) => deactivation(user, state, recording),
  });
}

/**
 * Always with a Change of the user, even if the directory says nothing new: it records from when on the directory manages the
 * user. A user whom somebody deactivated stays so, until the directory itself says otherwise of one it has deactivated.
 */
function takeOver(user: User, state: DirectoryUserState, recording: Recording) {
  const fields = changeOfFields(user, changedFields(undefined, state));
  return changeUserEntries(user, [fields, ...deactivation(user, state, recording)], recording);
}

function deactivation(user: User, { active }: DirectoryUserState, { context }: Recording) {
  const change = active ? undefined : decideStatus(user, { status: 'inactive' }, context);
  return change === undefined ? [] : [change];
}

/** Refuses to create a user whose erasure is not complete: 503, because it soon is. */
function beingErased(): ServiceError {
  return new ServiceError('unavailable', {
    detail: 'The user is being erased. Try again.',
    headers: { 'retry-after': '5' },
  });
}
