import * as v from 'valibot';
import type { UserId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import { deleteEntry, putEntry } from '#shared/table/expression.ts';
import { nullableText, parseItem, storedId } from '#shared/table/item-schema.ts';
import type { User } from '#shared/table/items/user-item.ts';
import { accountCopyKey } from './login-item-keys.ts';

const accountSchema = v.object({
  /** When the user was last invited. */
  invitedAt: v.string(),
  /** When all sessions were last ended; `null` if they never were. */
  signedOutAt: nullableText,
});

/** The account of a user, in the user's item, whose chain records its changes. */
export type Account = Readonly<v.InferOutput<typeof accountSchema>>;

/** The account of a user; undefined for a user without one. */
export function accountOf({ account }: Pick<User, 'account'>): Account | undefined {
  return account === undefined || Object.keys(account).length === 0 ? undefined : parseItem(accountSchema, account);
}

const copySchema = v.object({
  userId: storedId<UserId>(),
  /** The time of the user's version for which the account was made: what was deleted later is not this account. */
  madeAt: v.string(),
  /** The invitation and the end of sessions that the provider was told last. */
  invitedAt: nullableText,
  signedOutAt: nullableText,
  /** The Change that had set the status; `null` if none had. */
  statusChangeId: nullableText,
  /** Whether the person may log in. */
  enabled: v.boolean(),
  /** Why the provider did not take the last change, in its own words; `null` if it did. */
  error: nullableText,
});

/** What the provider was last told of an account. */
export type AccountCopy = Readonly<v.InferOutput<typeof copySchema>>;

export function accountCopyOf(item: Item | undefined): AccountCopy | undefined {
  return item === undefined ? undefined : parseItem(copySchema, item);
}

/** Records what the provider was told. */
export function putCopyEntry(copy: AccountCopy): TransactEntry {
  return putEntry({ ...accountCopyKey(copy.userId), ...copy });
}

/** Forgets what the provider was told. */
export function deleteCopyEntry(userId: UserId): TransactEntry {
  return deleteEntry(accountCopyKey(userId));
}
