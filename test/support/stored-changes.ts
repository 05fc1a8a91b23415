import type { Change, ChangeAction } from '#shared/contract/change.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { changeOf, putChangeEntries } from '#shared/table/items/change-item.ts';
import { storedChange } from './stored-items.ts';
import type { TableInMemory } from './table-in-memory.ts';

/** The parts of a change that a test sets; the rest is from an operator without a reason. */
export interface GivenChange extends Partial<Omit<Change, 'id' | 'at' | 'action'>> {
  readonly action: ChangeAction;
  /** RFC 3339. */
  readonly at: string;
  /** For a creation: whether a user with this id was erased before. */
  readonly isRecreated?: boolean;
}

/** Stores a change as the service does. */
export function putStoredChange(memory: TableInMemory, { isRecreated = false, ...given }: GivenChange): Change {
  const at = new Date(given.at);
  // The last character determines its part of the global history.
  const id = `${lowestUlid(at).slice(0, -1)}${at.getTime() % 8}`;
  const { appId: _, userId: __, ...whole } = storedChange({ before: { version: 1 }, after: { version: 2 } });
  const change: Change = { ...whole, id, ...given };
  const items = putChangeEntries(change, { isRecreated }).map(({ Put }) => ({ ...Put?.Item }));
  memory.put(...items);
  return changeOf({ ...items[0] });
}
