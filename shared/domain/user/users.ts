import type { UserStatus } from '#shared/contract/access.ts';
import type { Page, Recorded } from '#shared/contract/answers.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import { type FieldChanges, omitFields, pickFields } from '#shared/contract/field-forms.ts';
import type { UserId } from '#shared/contract/fields.ts';
import type { ReadUserView, UserView } from '#shared/contract/user.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import { readItems } from '#shared/table/client.ts';
import {
  readExistingUser,
  readListedUsers,
  readUserId,
  readUserItem,
  requireUser,
  type User,
  userOf,
} from '#shared/table/items/user-item.ts';
import type { Range } from '#shared/table/key.ts';
import { inactiveUsersRange, userKey, usersRange } from '#shared/table/keys/user-item-keys.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { readSetBy } from '../access/read-set-by.ts';
import { alreadyExists } from '../request/build-change.ts';
import { type Bulk, changeInBulk } from '../request/in-bulk.ts';
import { requireSeen, requireVersion } from '../request/optimistic-locking.ts';
import { performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { userParts } from '../request/user-parts.ts';
import {
  changeUserEntries,
  createUserWithChanges,
  decideFields,
  decideStatus,
  type UserChange,
  type UserStatusSetting,
} from './change-user.ts';

/** A user as operators see it. */
export function userView(user: Omit<User, 'lastChangeId' | 'chainHead'>): UserView {
  const { userId, status, version, createdAt, updatedAt } = user;
  return { userId, status, ...pickFields(userFields, user), version, createdAt, updatedAt };
}

export interface NewUser extends FieldChanges<typeof userFields> {
  readonly userId: UserId;
}

/** The stored part of an answer: neither the id nor personal data. */
type StoredUserAnswer<Answer extends UserView> = Omit<Answer, 'userId' | keyof typeof userFields>;

function storedOf<Answer extends UserView>({ userId, ...answer }: Answer): StoredUserAnswer<Answer> {
  return omitFields(userFields, answer) as StoredUserAnswer<Answer>;
}

/** The stored answer with the current fields, if the user still exists. */
async function restoreUser<Stored extends object>(userId: UserId, stored: Stored) {
  const user = (await readUserItem(userId))?.user;
  return { userId, ...pickFields(userFields, user ?? {}), ...stored };
}

/** Creates an active user; 409 if the id is taken. */
export async function createUser({ userId, ...given }: NewUser, context: RequestContext): Promise<UserView> {
  const fields = pickFields(userFields, given);
  return performWrite<UserView, StoredUserAnswer<UserView>>(context, {
    decide: async (key) => {
      const { taken, mark } = await readUserId(userId);
      if (taken) throw alreadyExists();
      const { user, entries } = createUserWithChanges({ userId, ...fields }, mark, { context, key });
      return { answer: userView(user), entries };
    },
    toStored: storedOf,
    fromStored: (stored) => restoreUser(userId, stored),
  });
}

/** One user with who set the status and whose directory owns the user, or 404. */
export async function getUser({ userId }: { readonly userId: UserId }): Promise<ReadUserView> {
  const [item, ...parts] = await readItems([userKey(userId), ...userParts.map((part) => part.keyOf(userId))]);
  const user = requireUser(userOf(item));
  const [directory = null] = userParts.flatMap((part, n) => part.managerOf(parts[n], user) ?? []);
  const { statusChangeId } = user;
  const setBy = await readSetBy([{ userId, changeId: statusChangeId }]);
  return { ...userView(user), statusSetBy: setBy(statusChangeId), directory };
}

export interface UserListRequest extends PageRequest {
  /** Only ids with this prefix; empty for all. */
  readonly prefix: string;
  readonly status?: UserStatus | undefined;
}

/** Users, ordered by id; the inactive ones are read through their marks, because they may be few. */
export async function listUsers({ prefix, status, ...page }: UserListRequest): Promise<Page<UserView>> {
  const range = rangeOfUsers(prefix, status);
  const { items, position, more } = await readPage(range, { ...page, list: status });
  const users = await readListedUsers(items);
  const shown = users.flatMap((user) => (user !== undefined && (status ?? user.status) === user.status ? user : []));
  return { items: shown.map(userView), cursor: more ? (position ?? null) : null };
}

/** The list that has the users of this status. */
export function rangeOfUsers(prefix: string, status: UserStatus | undefined): Range {
  return status === 'inactive' ? inactiveUsersRange(prefix) : usersRange(prefix);
}

export interface UserCommand {
  readonly userId: UserId;
  /** The versions that the caller expects; undefined for any. */
  readonly ifMatch?: readonly number[] | undefined;
  /** When the user existed already; undefined for any user with this id. */
  readonly seenAt?: string | undefined;
}

/** Changes the fields of a user; undefined keeps a value, `null` clears it. */
export async function updateUser(
  command: UserCommand & FieldChanges<typeof userFields>,
  context: RequestContext,
): Promise<Recorded<UserView>> {
  return changeUser(command, context, (user) => decideFields(user, command));
}

/** Sets the global status: an inactive user cannot enter any application. The user's accesses do not change. */
export async function setUserStatus(
  command: UserCommand & UserStatusSetting,
  context: RequestContext,
): Promise<Recorded<UserView>> {
  return changeUser(command, context, (user) => decideStatus(user, command, context));
}

/** Sets the global status of many users. */
export async function setUserStatusInBulk(
  { status, reason, ...bulk }: Bulk & UserStatusSetting,
  context: RequestContext,
): Promise<readonly BulkOutcome[]> {
  return changeInBulk(bulk, context, (userId, part) => setUserStatus({ userId, status, reason }, part));
}

/** The one way to change a user: read, decide, write with its Change; repeated on a conflict. */
async function changeUser(
  { userId, ifMatch, seenAt }: UserCommand,
  context: RequestContext,
  decide: (user: User) => UserChange | undefined,
): Promise<Recorded<UserView>> {
  return performWrite<Recorded<UserView>, StoredUserAnswer<Recorded<UserView>>>(context, {
    decide: async (key) => {
      const read = await readExistingUser(userId);
      requireSeen(read, seenAt);
      requireVersion('user', read.version, ifMatch);
      const decided = decide(read);
      if (decided === undefined) return { answer: { ...userView(read), changed: false, changeId: null } };
      const { user, changes, entries } = changeUserEntries(read, [decided], { context, key });
      return { answer: { ...userView(user), changed: true, changeId: changes.at(-1)?.id ?? null }, entries };
    },
    toStored: storedOf,
    fromStored: (stored) => restoreUser(userId, stored),
  });
}
