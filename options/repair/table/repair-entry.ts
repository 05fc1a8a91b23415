import type { Item } from '#shared/table/client.ts';
import { updateEntry } from '#shared/table/expression.ts';
import type { Key } from '#shared/table/key.ts';

/** The version and the head of an item's chain, as read. */
export interface ReadState {
  readonly version: number;
  readonly chainHead: string;
}

/** Brings an item to another state, if it is still as it was read; undefined if it did not exist. */
export function repairEntry(key: Key, read: ReadState | undefined, set: Item, remove: readonly string[] = []) {
  const condition = read === undefined ? { absent: ['pk'] } : { equals: equalsOf(read) };
  return updateEntry({ key, set, remove, ...condition });
}

function equalsOf({ version, chainHead }: ReadState) {
  return { version, chainHead };
}
