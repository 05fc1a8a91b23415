import { hash } from 'node:crypto';
import * as v from 'valibot';
import { invalidField } from '#shared/core/errors.ts';
import { type Item, queryItems } from '../client.ts';
import type { Range } from '../keys.ts';

/** Which page of a list is asked for. */
export interface PageRequest {
  readonly limit: number;
  /** Where an earlier page of the same list ended; undefined is the beginning. */
  readonly cursor?: string | undefined;
  /** What distinguishes this list from others over the same range, such as its filter: their cursors are not valid here. */
  readonly list?: string | undefined;
  /** The query parameter that an error names. Default: `cursor`. */
  readonly cursorName?: string;
}

/** At most so many queries for one page, for lists that leave out much. */
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
  { limit, cursor, list, cursorName }: PageRequest,
  isVisible: (item: Item) => boolean = () => true,
): Promise<ItemPage> {
  const found: Item[] = [];
  let after = cursor === undefined ? undefined : startKey({ range, list }, cursor);
  if (cursor !== undefined && after === undefined) throw foreignCursor(cursorName);
  if (isBeyond(range, after)) return { items: [], position: cursor, more: false };
  for (let query = 1; query <= maxQueries; query++) {
    // One item more than was asked for tells whether another page follows.
    const page = await queryItems(range, { limit: limit + 1, after });
    found.push(...page.items.filter(isVisible));
    after = page.next;
    if (found.length > limit || after === undefined) break;
  }
  const items = found.slice(0, limit);
  const last = found.length > limit || after === undefined ? items.at(-1) : after;
  return {
    items,
    position: last && encodeCursor({ range, list }, last),
    more: found.length > limit || after !== undefined,
  };
}

const keyText = v.pipe(v.string(), v.minLength(1), v.maxLength(1024));
/** The sort key in the range, then the item's own key. */
const positionSchema = v.pipe(v.string(), v.parseJson(), v.strictTuple([keyText, keyText, keyText]));

interface List {
  readonly range: Range;
  readonly list: string | undefined;
}

function encodeCursor(from: List, item: Item): string {
  const text = JSON.stringify([from.range.index ? item.gsi1sk : item.sk, item.pk, item.sk]);
  return Buffer.concat([binding(from, text), Buffer.from(text)]).toString('base64url');
}

/** Undefined for what is no cursor of this range. */
function startKey(from: List, cursor: string): Item | undefined {
  const { range } = from;
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(bindingBytes).toString();
  const isOurs = cursor.length <= 4096 && bytes.toString('base64url') === cursor;
  if (!isOurs || !binding(from, text).equals(bytes.subarray(0, bindingBytes))) return undefined;
  const { success, output } = v.safeParse(positionSchema, text);
  if (!success) return undefined;
  const [sortKey, pk, sk] = output;
  if (!sortKey.startsWith(range.prefix ?? '')) return undefined;
  return range.index === undefined ? { pk: range.pk, sk } : { gsi1pk: range.pk, gsi1sk: sortKey, pk, sk };
}

/** DynamoDB refuses to begin outside of what it is asked for, as behind a change that another list has shown already. */
function isBeyond({ index, below }: Range, after: Item | undefined): boolean {
  if (after === undefined || below === undefined) return false;
  return String(index === undefined ? after.sk : after.gsi1sk) >= below;
}

const bindingBytes = 12;

/** No secret: it tells a mistake, and one who forges it can only choose another position in the same list. */
function binding({ range: { index, pk, prefix, descending }, list }: List, text: string): Buffer {
  const bound = JSON.stringify([index, pk, prefix, descending, list]);
  return hash('sha256', `${bound}\n${text}`, 'buffer').subarray(0, bindingBytes);
}

/** The refusal of a cursor that is damaged, or of another list. */
export function foreignCursor(name = 'cursor'): Error {
  return invalidField(name, 'is not a cursor of this list; begin without one');
}
