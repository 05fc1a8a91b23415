import type { AppId, ConnectionId, RoleName, UserId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '#shared/table/client.ts';
import type { User } from '#shared/table/items/user-item.ts';
import type { Key } from '#shared/table/key.ts';

/** A role of a user. */
export interface NamedGrant {
  readonly appId: AppId;
  readonly role: RoleName;
}

/** What an option keeps of each user: an item in the user's partition, and items by which that is found. */
export interface UserPart {
  keyOf(userId: UserId): Key;
  /** The connection that manages the user by the item, if there is one. */
  managerOf(item: Item | undefined, user: User): ConnectionId | undefined;
  /**
   * Makes a transaction depend on that groups still give the role to the user. Throws 409 `not_undoable` if none gives it.
   */
  requireGiving(userId: UserId, item: Item | undefined, grant: NamedGrant): TransactEntry;
  /** Deletes the item with those by which it is found. */
  eraseEntries(item: Item): TransactEntry[];
}
