import * as v from 'valibot';
import { type Item, queryItems, readItems } from '../client.ts';
import type { Key, Range } from '../key.ts';
import { type CursorBinding, decodeCursor, encodeCursor, foreignCursor } from './cursor.ts';

/** A request for a page of a list. */
export interface PageRequest {
  readonly limit: number;
  /** Where an earlier page of the same list ended; undefined for the first page. */
  readonly cursor?: string | undefined;
  /** Distinguishes this list from others over the same range, such as by its filter: their cursors are not valid here. */
  readonly list?: string | undefined;
  /** The query parameter that an error names. Default: `cursor`. */
  readonly cursorName?: string;
  /** The most queries for one page, which may then be short or empty. Default: 10. */
  readonly queries?: number;
}

/** Bounds the pages of lists that leave out many items. */
const maxQueries = 10;

export interface ItemPage {
  readonly items: readonly Item[];
  /** The cursor after the last item read; undefined if there was none. */
  readonly position: string | undefined;
  /** Whether more items follow. */
  readonly more: boolean;
}

/**
 * Reads a page of a range, leaving out items that are not visible. One request examines a bounded number of items, so a page
 * may be short or even empty, with more to follow. A cursor is a position within the partition, which the server knows from
 * the path, and is bound to this list: 400 for a damaged cursor or one of another list.
 */
export async function readPage(
  range: Range,
  { limit, cursor, list, cursorName: name, queries = maxQueries }: PageRequest,
  isVisible: (item: Item) => boolean = () => true,
): Promise<ItemPage> {
  const found: Item[] = [];
  let after = cursor === undefined ? undefined : readCursor(range, { cursor, list, name });
  // One item more than requested shows whether another page follows. If DynamoDB filters, it reads as much as it can.
  const queryLimit = range.where === undefined && range.containing === undefined ? limit + 1 : undefined;
  for (let query = 1; query <= queries; query++) {
    const page = await queryItems(range, { limit: queryLimit, after });
    found.push(...page.items.filter(isVisible));
    after = page.next;
    if (found.length > limit || after === undefined) break;
  }
  const items = found.slice(0, limit);
  const last = found.length > limit || after === undefined ? items.at(-1) : after;
  return {
    items,
    position: last && cursorAfter(range, list, last),
    more: found.length > limit || after !== undefined,
  };
}

/** The cursor after an item of a range; the item may be only a sort key, and need not exist. */
export function cursorAfter(range: Range, list: string | undefined, item: Item): string {
  return encodeCursor(bindingOf(range, list), positionOf(range, item));
}

const keyText = v.pipe(v.string(), v.minLength(1), v.maxLength(1024));
/** The sort key in the range, then the item's own key. */
export const positionSchema = v.strictTuple([keyText, keyText, keyText]);

/** What the cursors of a range are bound to. */
function bindingOf({ index, pk, prefix, descending }: Range, list?: string): CursorBinding {
  return [index, pk, prefix, descending, list];
}

/** The position of an item in a range, as a cursor contains it. */
function positionOf({ index }: Range, item: Item): readonly unknown[] {
  return [index === undefined ? item.sk : item[`${index}sk`], item.pk, item.sk];
}

/** The key after which DynamoDB continues. */
export function startKey(range: Range, [sortKey, pk, sk]: v.InferOutput<typeof positionSchema>): Item {
  const { index } = range;
  return index === undefined ? { pk: range.pk, sk } : { [`${index}pk`]: range.pk, [`${index}sk`]: sortKey, pk, sk };
}

interface ReadCursor {
  readonly cursor: string;
  readonly list: string | undefined;
  readonly name: string | undefined;
}

/** Refuses a position outside the range, which DynamoDB would reject. */
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
