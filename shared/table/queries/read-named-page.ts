import * as v from 'valibot';
import { type Item, readItems } from '../client.ts';
import type { Key } from '../keys.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { PageRequest } from './read-page.ts';

/** Which items are asked for, by names in their order. */
export interface NamedItems<Name extends string> {
  readonly names: readonly Name[];
  readonly keyOf: (name: Name) => Key;
}

/**
 * Reads a page of items that are known by name, strongly consistent; those that do not exist are left out, so a page may be
 * short with more to follow.
 */
export async function readNamedPage<Name extends string>(
  { names, keyOf }: NamedItems<Name>,
  { limit, cursor, list }: PageRequest,
) {
  const bound = ['names', list];
  const [after] = cursor === undefined ? [''] : decodeCursor(bound, { cursor, schema: v.strictTuple([v.string()]) });
  const following = names.filter((name) => name > after);
  const page = following.slice(0, limit);
  const items = await readItems(page.map(keyOf));
  return {
    items: items.filter((item): item is Item => item !== undefined),
    cursor: following.length > limit ? encodeCursor(bound, [page.at(-1)]) : null,
  };
}
