import * as v from 'valibot';
import type { UserId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '../client.ts';
import { deleteEntry, putEntry } from '../expression.ts';
import { parseItem, storedId } from '../item-schema.ts';
import { inactiveMarkKey } from '../keys/user-item-keys.ts';
import type { User } from './user-item.ts';

const inactiveMarkSchema = v.object({
  userId: storedId<UserId>(),
  /** The id of the Change that made the user inactive. */
  changeId: v.string(),
});

/** Lists an inactive user separately; exists as long as the user exists and is inactive. */
export type InactiveMark = Readonly<v.InferOutput<typeof inactiveMarkSchema>>;

export function inactiveMarkOf(item: Item): InactiveMark {
  return parseItem(inactiveMarkSchema, item);
}

/**
 * Writes the mark of an inactive user, and deletes the mark of an active one, unconditionally. It belongs in a transaction
 * that requires or sets this status of the user.
 */
export function setInactiveMarkEntry({ userId, status, statusChangeId, lastChangeId }: User): TransactEntry {
  if (status === 'active') return deleteInactiveMarkEntry(userId);
  const mark: InactiveMark = { userId, changeId: statusChangeId ?? lastChangeId };
  return putEntry({ ...inactiveMarkKey(userId), ...mark });
}

/** Deletes the mark; a missing mark is not an error. */
export function deleteInactiveMarkEntry(userId: UserId): TransactEntry {
  return deleteEntry(inactiveMarkKey(userId));
}
