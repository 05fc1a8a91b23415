import type { Change, ChangeAction, RecordedState } from '#shared/contract/change.ts';
import type { keptOfUser } from '#shared/table/item-schema.ts';
import type { User } from '#shared/table/items/user-item.ts';

/** What an option keeps in the item of a user, whose chain has its Changes. */
export interface KeptOfUser {
  readonly actions: readonly ChangeAction[];
  /** The attributes of the user that one of its Changes sets. */
  attributesAfter(user: User, change: Change): Partial<Pick<User, (typeof keptOfUser)[number]>>;
  /** The state as its Changes record it, without a version. */
  recordedOf(user: User): RecordedState;
  /** The action that records a state whose Change is missing. */
  restoredBy(state: RecordedState): ChangeAction;
}
