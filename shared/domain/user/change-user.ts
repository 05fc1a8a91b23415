import type { UserStatus } from '#shared/contract/access.ts';
import type { Change, ChangeAction, RecordedState } from '#shared/contract/change.ts';
import {
  equalFields,
  type FieldChanges,
  type FieldValues,
  mergeFields,
  pickFields,
} from '#shared/contract/field-forms.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import type { ChainKey } from '#shared/integrity/change-mac.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import type { keptOfUser } from '#shared/table/item-schema.ts';
import { putChangeEntries } from '#shared/table/items/change-item.ts';
import { setInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import { createUserEntries, type ErasedMark, type User, updateUserEntry } from '#shared/table/items/user-item.ts';
import { buildChange } from '../request/build-change.ts';
import { monotonicTimestamp } from '../request/optimistic-locking.ts';
import type { RequestContext } from '../request/request-context.ts';
import { requireReason } from '../request/require-reason.ts';
import { changeSearchEntries } from './search-entries.ts';
import { searchTextOf } from './search-words.ts';

/** The change of a user that a rule has decided on. */
export interface UserChange {
  readonly action: ChangeAction;
  readonly next: Partial<Pick<User, 'status' | keyof typeof userFields | (typeof keptOfUser)[number]>>;
  readonly before: RecordedState;
  readonly after: RecordedState;
  readonly reason?: string | null;
  readonly undoOf?: string;
}

/** The change of the fields of a user, even if it changes none; undefined keeps a value, `null` clears it. */
export function changeOfFields(user: User, changes: FieldChanges<typeof userFields>): UserChange {
  const before = pickFields(userFields, user);
  const after = mergeFields(userFields, before, changes);
  return { action: 'user.updated', next: after, before, after };
}

/** The same; undefined if it changes none. */
export function decideFields(user: User, changes: FieldChanges<typeof userFields>): UserChange | undefined {
  const change = changeOfFields(user, changes);
  return equalFields(userFields, user, mergeFields(userFields, user, changes)) ? undefined : change;
}

export interface UserStatusSetting {
  readonly status: UserStatus;
  /** Default: the reason of the request. */
  readonly reason?: string | null | undefined;
  /** The id of the Change that this undoes. */
  readonly undoOf?: string | undefined;
}

/** Sets the global status; undefined if it is already set. Refuses to set it without a reason where one is required. */
export function decideStatus(
  { status: current }: Pick<User, 'status'>,
  setting: UserStatusSetting,
  context: RequestContext,
): UserChange | undefined {
  const { status, reason, undoOf } = setting;
  if (current === status) return undefined;
  requireReason(context, setting);
  return {
    action: 'user.status.changed',
    next: { status },
    before: { status: current },
    after: { status },
    ...(reason !== undefined && { reason }),
    ...(undoOf !== undefined && { undoOf }),
  };
}

/** What chains the Changes of a request. */
export interface Recording {
  readonly context: RequestContext;
  readonly key: ChainKey;
}

/** A user after changes, with their Changes, the last of which is the user's latest. */
interface ChangedUser {
  readonly user: User;
  readonly changes: readonly Change[];
}

/** The entries that change a user, in one transaction, with a Change for each. */
export function changeUserEntries(
  read: User,
  decided: readonly [UserChange, ...UserChange[]],
  recording: Recording,
): ChangedUser & { readonly entries: readonly TransactEntry[] } {
  const { user, changes } = applyChanges(read, decided, recording);
  const latest = latestOf(changes);
  const entries = [
    updateUserEntry(read, user, latest),
    ...changes.flatMap((change) => putChangeEntries(change)),
    ...changeSearchEntries(read, user.words),
    ...(user.status === read.status ? [] : [setInactiveMarkEntry(user)]),
  ];
  return { user, changes, entries };
}

export interface NewUserContent extends FieldValues<typeof userFields> {
  readonly userId: UserId;
}

/**
 * The entries that create an active user, if the id is free or has only this tombstone, and then change it in the same
 * transaction.
 */
export function createUserWithChanges(
  { userId, ...fields }: NewUserContent,
  mark: ErasedMark | undefined,
  { decide = () => [], ...recording }: Recording & { readonly decide?: (user: User) => readonly UserChange[] },
): ChangedUser & { readonly entries: readonly TransactEntry[] } {
  const at = monotonicTimestamp(mark ?? {});
  const creation = buildChange(recording.context, recording.key, {
    action: 'user.created',
    at,
    userId,
    before: null,
    after: { status: 'active', ...fields, version: 1 },
    previous: mark?.chainHead ?? null,
  });
  const words = searchTextOf({ userId, ...fields });
  const content = { userId, status: 'active', ...fields, words, statusChangeId: null } as const;
  const created: User = {
    ...content,
    version: 1,
    createdAt: at,
    updatedAt: at,
    lastChangeId: creation.id,
    chainHead: creation.integrity.mac,
  };
  const { user, changes } = applyChanges(created, decide(created), recording);
  const entries = [
    ...createUserEntries(user, mark, latestOf([creation, ...changes])),
    ...putChangeEntries(creation, { isRecreated: mark !== undefined }),
    ...changes.flatMap((change) => putChangeEntries(change)),
    ...changeSearchEntries({ userId, words: '' }, words),
    ...(user.status === 'active' ? [] : [setInactiveMarkEntry(user)]),
  ];
  return { user, changes: [creation, ...changes], entries };
}

function latestOf(changes: readonly Change[]): Change {
  const latest = changes.at(-1);
  if (latest === undefined) throw new Error('A user changes by at least one change');
  return latest;
}

/** Applies changes one after the other, each linked to the one before it. */
function applyChanges(read: User, decided: readonly UserChange[], { context, key }: Recording): ChangedUser {
  const changes: Change[] = [];
  let user = read;
  for (const content of decided) {
    const at = monotonicTimestamp(user);
    const version = user.version + 1;
    const next = { ...user, ...content.next };
    const change = buildChange(context, key, {
      ...content,
      at,
      userId: user.userId,
      before: { ...content.before, version: user.version },
      after: { ...content.after, version },
      previous: user.chainHead,
    });
    user = {
      ...next,
      words: searchTextOf(next),
      version,
      updatedAt: at,
      statusChangeId: content.action === 'user.status.changed' ? change.id : user.statusChangeId,
      lastChangeId: change.id,
      chainHead: change.integrity.mac,
    };
    changes.push(change);
  }
  return { user, changes };
}
