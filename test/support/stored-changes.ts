import type { Change, ChangeAction } from '#shared/contract/change.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { digestsOfCaller } from '#shared/domain/history/caller-names.ts';
import type { Item } from '#shared/table/client.ts';
import { changeOf, putChangeEntry } from '#shared/table/items/change-item.ts';
import { putHistoryEntries } from '#shared/table/items/history-item.ts';
import type { Key } from '#shared/table/keys.ts';
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

/** Stores a change as the service does, and lists it in the global history. */
export function putStoredChange(memory: TableInMemory, { isRecreated = false, ...given }: GivenChange): Change {
  const at = new Date(given.at);
  // The last character determines its part of the global history.
  const id = `${lowestUlid(at).slice(0, -1)}${at.getTime() % 8}`;
  const { appId: _, userId: __, ...whole } = storedChange({ before: { version: 1 }, after: { version: 2 } });
  const change: Change = { ...whole, id, ...given };
  const item = putChangeEntry(change, { isRecreated }).Put.Item;
  const stored = { change, key: item as Item & Key, ttl: item.ttl };
  const [, { Put: entry }] = putHistoryEntries(stored, digestsOfCaller(change.caller));
  memory.put(item, entry.Item);
  return changeOf(item);
}
