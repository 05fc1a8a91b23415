import type { UserStatus } from '#shared/contract/access.ts';
import type { Page, Recorded } from '#shared/contract/answers.ts';
import type { BulkOutcome } from '#shared/contract/bulk.ts';
import type { ChangeAction, ChangeSide } from '#shared/contract/change.ts';
import type { UserId } from '#shared/contract/fields.ts';
import {
  equalFields,
  type FieldChanges,
  mergeFields,
  omitFields,
  pickFields,
  userFields,
} from '#shared/contract/resource-fields.ts';
import type { ReadUserView, UserView } from '#shared/contract/user.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { setInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import {
  createUserEntries,
  readExistingUser,
  readListedUsers,
  readUserId,
  readUserItem,
  type User,
  updateUserEntry,
} from '#shared/table/items/user-item.ts';
import { type Range, ranges } from '#shared/table/keys.ts';
import { type PageRequest, readPage } from '#shared/table/queries/read-page.ts';
import { readSetBy } from '../access/read-set-by.ts';
import { alreadyExists, buildChange } from '../request/build-change.ts';
import { type Bulk, changeInBulk } from '../request/in-bulk.ts';
import { monotonicTimestamp, requireSeen, requireVersion } from '../request/optimistic-locking.ts';
import { performWrite } from '../request/perform-write.ts';
import type { RequestContext } from '../request/request-context.ts';
import { requireReason } from '../request/require-reason.ts';
import { changeSearchEntries } from './search-entries.ts';
import { searchTextOf } from './search-words.ts';

/** A user as operators see it. */
export function userView(user: Omit<User, 'lastChangeId' | 'chainHead'>): UserView {
  const { userId, status, version, createdAt, updatedAt } = user;
  return { userId, status, ...pickFields(userFields, user), version, createdAt, updatedAt };
}

export interface NewUser extends FieldChanges<typeof userFields> {
  readonly userId: UserId;
}

/** The stored part of an answer: neither the id nor personal data. */
type KeptUser<Answer extends UserView> = Omit<Answer, 'userId' | keyof typeof userFields>;

function keptOf<Answer extends UserView>({ userId, ...kept }: Answer): KeptUser<Answer> {
  return omitFields(userFields, kept) as KeptUser<Answer>;
}

/** The stored answer with the current fields, if the user still exists. */
async function restoreUser<Answer extends UserView>(userId: UserId, kept: KeptUser<Answer>): Promise<Answer> {
  const user = (await readUserItem(userId))?.user;
  return { userId, ...pickFields(userFields, user ?? {}), ...kept } as unknown as Answer;
}

/** Creates an active user; 409 if the id is taken. */
export async function createUser({ userId, ...given }: NewUser, context: RequestContext): Promise<UserView> {
  const fields = pickFields(userFields, given);
  return performWrite<UserView, KeptUser<UserView>>(context, {
    decide: async (key) => {
      const { taken, mark } = await readUserId(userId);
      if (taken) throw alreadyExists();
      const at = monotonicTimestamp(mark ?? {});
      const change = buildChange(context, key, {
        action: 'user.created',
        at,
        userId,
        before: null,
        after: { status: 'active', ...fields, version: 1 },
        previous: mark?.chainHead ?? null,
      });
      const words = searchTextOf({ userId, ...fields });
      const view = { userId, status: 'active', ...fields, version: 1, createdAt: at, updatedAt: at } as const;
      const entries = [
        ...createUserEntries({ ...view, words, statusChangeId: null }, mark, change),
        ...putChangeEntries(change, { isRecreated: mark !== undefined }),
        ...changeSearchEntries({ userId, words: '' }, words),
      ];
      return { answer: view, entries };
    },
    keep: keptOf,
    restore: (kept) => restoreUser(userId, kept),
  });
}

/** One user with who set the status, or 404. */
export async function getUser({ userId }: { readonly userId: UserId }): Promise<ReadUserView> {
  const user = await readExistingUser(userId);
  const { statusChangeId } = user;
  const setBy = await readSetBy([{ userId, changeId: statusChangeId }]);
  return { ...userView(user), statusSetBy: setBy(statusChangeId) };
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
  return status === 'inactive' ? ranges.inactiveUsers(prefix) : ranges.users(prefix);
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
  return changeUser(command, context, (user) => {
    const before = pickFields(userFields, user);
    const after = mergeFields(userFields, before, command);
    if (equalFields(userFields, before, after)) return undefined;
    return { action: 'user.updated', next: after, before, after };
  });
}

interface UserStatusSetting {
  readonly status: UserStatus;
  /** Default: the reason of the request. */
  readonly reason?: string | null | undefined;
}

/** Sets the global status: an inactive user cannot enter any application. The user's accesses do not change. */
export async function setUserStatus(
  command: UserCommand &
    UserStatusSetting & {
      /** The id of the Change that this undoes. */
      readonly undoOf?: string;
    },
  context: RequestContext,
): Promise<Recorded<UserView>> {
  const { status, reason, undoOf } = command;
  return changeUser(command, context, (user) => {
    if (user.status === status) return undefined;
    requireReason(context, command);
    return {
      action: 'user.status.changed',
      next: { status },
      before: { status: user.status },
      after: { status },
      ...(reason !== undefined && { reason }),
      ...(undoOf !== undefined && { undoOf }),
    };
  });
}

/** Sets the global status of many users. */
export async function setUserStatusInBulk(
  { status, reason, ...bulk }: Bulk & UserStatusSetting,
  context: RequestContext,
): Promise<readonly BulkOutcome[]> {
  return changeInBulk(bulk, context, (userId, part) => setUserStatus({ userId, status, reason }, part));
}

/** The change of a user that a rule has decided on. */
interface UserChange {
  readonly action: ChangeAction;
  readonly next: Partial<Pick<User, 'status' | keyof typeof userFields>>;
  readonly before: ChangeSide;
  readonly after: ChangeSide;
  readonly reason?: string | null;
  readonly undoOf?: string;
}

/** The one way to change a user: read, decide, write with its Change; repeated on a conflict. */
async function changeUser(
  { userId, ifMatch, seenAt }: UserCommand,
  context: RequestContext,
  decide: (user: User) => UserChange | undefined,
): Promise<Recorded<UserView>> {
  return performWrite<Recorded<UserView>, KeptUser<Recorded<UserView>>>(context, {
    decide: async (key) => {
      const read = await readExistingUser(userId);
      requireSeen(read, seenAt);
      requireVersion('user', read.version, ifMatch);
      const decided = decide(read);
      if (decided === undefined) return { answer: { ...userView(read), changed: false, changeId: null } };
      const updatedAt = monotonicTimestamp(read);
      const next = { ...read, ...decided.next };
      const words = searchTextOf(next);
      const version = read.version + 1;
      const change = buildChange(context, key, {
        ...decided,
        at: updatedAt,
        userId,
        before: { ...decided.before, version: read.version },
        after: { ...decided.after, version },
        previous: read.chainHead,
      });
      const statusChangeId = decided.action === 'user.status.changed' ? change.id : read.statusChangeId;
      const user = { ...next, words, version, updatedAt, statusChangeId };
      const entries = [
        updateUserEntry(read, user, change),
        ...putChangeEntries(change),
        ...changeSearchEntries(read, words),
        ...(user.status === read.status ? [] : [setInactiveMarkEntry(user)]),
      ];
      return { answer: { ...userView(user), changed: true, changeId: change.id }, entries };
    },
    keep: keptOf,
    restore: (kept) => restoreUser(userId, kept),
  });
}
