import * as v from 'valibot';
import { type Item, queryItems, readItems } from '../client.ts';
import type { Key, Range } from '../keys.ts';
import { type CursorBinding, decodeCursor, encodeCursor, foreignCursor } from './cursor.ts';

/** Which page of a list is asked for. */
export interface PageRequest {
  readonly limit: number;
  /** Where an earlier page of the same list ended; undefined is the beginning. */
  readonly cursor?: string | undefined;
  /** What distinguishes this list from others over the same range, such as its filter: their cursors are not valid here. */
  readonly list?: string | undefined;
  /** The query parameter that an error names. Default: `cursor`. */
  readonly cursorName?: string;
  /** At most so many queries for one page, which may then be short or empty. Default: 10. */
  readonly queries?: number;
}

/** For lists that leave out much. */
const maxQueries = 10;

export interface ItemPage {
  readonly items: readonly Item[];
  /** The cursor of where reading ended; undefined when there was nothing. */
  readonly position: string | undefined;
  /** Whether more items follow. */
  readonly more: boolean;
}

/**
 * Reads a page of a range, leaving out what `isVisible` does not take. A page may therefore be short, or even empty, with
 * more to follow: one request looks at a bounded number of items. A cursor is a position inside the partition that the
 * server knows from the path, bound to this very list: a foreign or damaged one is 400.
 */
export async function readPage(
  range: Range,
  { limit, cursor, list, cursorName: name, queries = maxQueries }: PageRequest,
  isVisible: (item: Item) => boolean = () => true,
): Promise<ItemPage> {
  const found: Item[] = [];
  let after = cursor === undefined ? undefined : readCursor(range, { cursor, list, name });
  // One item more than was asked for tells whether another page follows. Where DynamoDB leaves some out, it reads all it can.
  const most = range.where === undefined && range.containing === undefined ? limit + 1 : undefined;
  for (let query = 1; query <= queries; query++) {
    const page = await queryItems(range, { limit: most, after });
    found.push(...page.items.filter(isVisible));
    after = page.next;
    if (found.length > limit || after === undefined) break;
  }
  const items = found.slice(0, limit);
  const last = found.length > limit || after === undefined ? items.at(-1) : after;
  return {
    items,
    position: last && cursorBehind(range, list, last),
    more: found.length > limit || after !== undefined,
  };
}

/** The cursor of where an item of a range is; an item with a sort key alone need not exist. */
export function cursorBehind(range: Range, list: string | undefined, item: Item): string {
  return encodeCursor(bindingOf(range, list), positionOf(range, item));
}

const keyText = v.pipe(v.string(), v.minLength(1), v.maxLength(1024));
/** The sort key in the range, then the item's own key. */
export const positionSchema = v.strictTuple([keyText, keyText, keyText]);

/** What a cursor of a range belongs to. */
export function bindingOf({ index, pk, prefix, descending }: Range, list?: string): CursorBinding {
  return [index, pk, prefix, descending, list];
}

/** Where an item is in a range, as a cursor holds it. */
function positionOf({ index }: Range, { pk, sk, gsi1sk }: Item): readonly unknown[] {
  return [index === undefined ? sk : gsi1sk, pk, sk];
}

/** The key from which DynamoDB goes on behind such a position. */
export function startKey(range: Range, [sortKey, pk, sk]: v.InferOutput<typeof positionSchema>): Item {
  return range.index === undefined ? { pk: range.pk, sk } : { gsi1pk: range.pk, gsi1sk: sortKey, pk, sk };
}

interface ReadCursor {
  readonly cursor: string;
  readonly list: string | undefined;
  readonly name: string | undefined;
}

/** DynamoDB refuses to begin outside of what it is asked for. */
function readCursor(range: Range, { cursor, list, name }: ReadCursor): Item {
  const position = decodeCursor(bindingOf(range, list), { cursor, name, schema: positionSchema });
  if (!position[0].startsWith(range.prefix ?? '')) throw foreignCursor(name);
  return startKey(range, position);
}

/** The items to read: names in their order, and the key of each. */
export interface NamedItems<Name extends string> {
  readonly names: readonly Name[];
  readonly keyOf: (name: Name) => Key;
}

/**
 * Reads a page of items whose names are known, strongly consistent. Items that do not exist are left out, so a page may be
 * short with more to follow.
 */
export async function readNamedPage<Name extends string>(
  { names, keyOf }: NamedItems<Name>,
  { limit, cursor, list }: PageRequest,
): Promise<{ readonly items: readonly Item[]; readonly cursor: string | null }> {
  const bound = ['names', list];
  const [after] = cursor === undefined ? [''] : decodeCursor(bound, { cursor, schema: v.strictTuple([v.string()]) });
  const following = names.filter((name) => name > after);
  const page = following.slice(0, limit);
  const items = await readItems(page.map(keyOf));
  return {
    items: items.filter((item) => item !== undefined),
    cursor: following.length > limit ? encodeCursor(bound, [page.at(-1)]) : null,
  };
}
