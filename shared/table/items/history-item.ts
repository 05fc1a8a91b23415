import * as v from 'valibot';
import type { Change, ChangeAction } from '#shared/contract/change.ts';
import type { AppId } from '#shared/contract/fields.ts';
import type { Item, TransactEntry } from '../client.ts';
import { conditionCheckEntry, deleteEntry, putEntry } from '../expression.ts';
import { parseItem, storedId } from '../item-schema.ts';
import { historyEntryKey, type Key } from '../keys.ts';

const historyEntrySchema = v.object({
  /** The key of the change. */
  changePk: v.string(),
  changeSk: v.string(),
  action: v.custom<ChangeAction>((action) => typeof action === 'string'),
  appId: v.exactOptional(storedId<AppId>()),
  /** Digests of the names of the caller who made it, for searching. */
  by: v.string(),
});

/** A change's entry in the global history: its key and the fields for filtering. */
export type HistoryEntry = Readonly<v.InferOutput<typeof historyEntrySchema>>;

export function historyEntryOf(item: Item): HistoryEntry {
  return parseItem(historyEntrySchema, item);
}

export function changeKeyOf({ changePk, changeSk }: HistoryEntry): Key {
  return { pk: changePk, sk: changeSk };
}

/** A change as it is in the table. */
export interface StoredChange {
  readonly change: Change;
  readonly key: Key;
  /** When it is removed; undefined if never. */
  readonly ttl: unknown;
}

/**
 * Adds a change to the global history until it is removed, overwriting any entry; only if the change itself exists, so that
 * nothing reappears of a user who has been erased.
 */
export function putHistoryEntries({ change, key, ttl }: StoredChange, by: string) {
  const { id, action, appId } = change;
  const item = { ...historyEntryKey(id), changePk: key.pk, changeSk: key.sk, action, appId, by, ttl };
  return [conditionCheckEntry(key, { equals: { id } }), putEntry(item)] as const satisfies TransactEntry[];
}

/** Removes a change from the global history; a missing entry is not an error. */
export function deleteHistoryEntry(changeId: string) {
  return deleteEntry(historyEntryKey(changeId));
}
