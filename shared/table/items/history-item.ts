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
  /** Digests of the names of who made it, by which they are found. */
  by: v.string(),
});

/** What stands for a change in the history over all: its key, and what the history is filtered by. */
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
  /** When it is removed; undefined for never. */
  readonly ttl: unknown;
}

/**
 * Lists a change in the history over all until it is removed, whatever was there; only while the change is there itself,
 * so that nothing comes back of a user who was erased meanwhile.
 */
export function putHistoryEntries({ change, key, ttl }: StoredChange, by: string) {
  const { id, action, appId } = change;
  const item = { ...historyEntryKey(id), changePk: key.pk, changeSk: key.sk, action, appId, by, ttl };
  return [conditionCheckEntry(key, { equals: { id } }), putEntry(item)] as const satisfies TransactEntry[];
}

/** Takes a change out of the history over all; one that is not in it is no error. */
export function deleteHistoryEntry(changeId: string) {
  return deleteEntry(historyEntryKey(changeId));
}
