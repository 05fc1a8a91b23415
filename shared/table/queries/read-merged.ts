import * as v from 'valibot';
import { type Item, queryItems } from '../client.ts';
import type { ChangeSpan, Key, Range } from '../key.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';
import type { PageRequest } from './read-page.ts';

/** Items of several ranges, merged in order. */
export interface MergedItems {
  readonly items: readonly (Item & Key)[];
  /** The change id after which to continue; undefined at the end. */
  readonly next: string | undefined;
}

/** The next items of several ranges, ordered by the change id at the end of their sort keys. All ranges have one direction. */
export async function readMerged(from: readonly Range[], limit: number): Promise<MergedItems> {
  const pages = await Promise.all(from.map((range) => queryItems(range, { limit })));
  const ends = pages.flatMap(({ next }) => (next === undefined ? [] : [changeIdOf(next)]));
  const isBefore = (one: string, other: string) => (from[0]?.descending ? one > other : one < other);
  const byPlace = (one: string, other: string) => (isBefore(one, other) ? -1 : 1);
  const [next] = ends.sort(byPlace);
  const items = pages
    .flatMap((page) => page.items)
    .map((item) => ({ item, id: changeIdOf(item) }))
    .filter(({ id }) => next === undefined || id === next || isBefore(id, next))
    .sort((one, other) => byPlace(one.id, other.id));
  return { items: items.map(({ item }) => item), next };
}

/** The change id of a change, or of an entry that refers to one. */
export function changeIdOf({ sk, gsi1sk = sk }: Item): string {
  return String(gsi1sk).split('#').at(-1) ?? '';
}

export interface MergedPageRequest<View> extends Pick<PageRequest, 'limit' | 'cursor' | 'cursorName'> {
  readonly bound: CursorBinding;
  /** The range of change ids of the whole list. */
  readonly span: ChangeSpan;
  readonly rangesIn: (span: ChangeSpan) => readonly Range[];
  /** The views of items, in the same order; undefined for an item that is left out. */
  readonly viewsOf: (items: readonly (Item & Key)[]) => Promise<readonly (View | undefined)[]>;
  /** Whether many items may be left out, so that it is worth reading more at once. */
  readonly isFiltered: boolean;
}

/** The cursor continues after the last item of the page; `more` says whether anything may follow. */
export interface MergedPage<View> {
  readonly items: readonly View[];
  readonly cursor: string | undefined;
  readonly more: boolean;
}

/** For a filtered list: the items of each range that one query reads, unless there are many ranges. */
const filteredAtOnce = 1000;
/** More ranges than these are read in smaller parts, as their items are evenly distributed. */
const fewRanges = 4;
/** The most rounds of queries for one page. */
const maxRounds = 5;

/** A page of a list that consists of several ranges. If the list is filtered, it may be short or empty with more to follow. */
export async function readMergedPage<View>(request: MergedPageRequest<View>): Promise<MergedPage<View>> {
  const found: View[] = [];
  let reached = readPlace(request);
  let more = true;
  for (let round = 1; round <= maxRounds && more && found.length < request.limit; round++) {
    const { items, next } = await readNext(request, reached);
    const taken = await takeViews(items, request.limit - found.length, request.viewsOf);
    found.push(...taken.views);
    reached = (taken.hasRest ? undefined : next) ?? taken.last ?? reached;
    more = taken.hasRest || next !== undefined;
  }
  return { items: found, cursor: reached === undefined ? undefined : encodeCursor(request.bound, [reached]), more };
}

/** Nothing if the cursor is at the end of the span. */
async function readNext<View>(request: MergedPageRequest<View>, from: string | undefined): Promise<MergedItems> {
  const { span, rangesIn, limit, isFiltered } = request;
  const within = spanAfter(span, from);
  const { above, below } = within;
  if (above !== undefined && below !== undefined && below <= above) return { items: [], next: undefined };
  const ranges = rangesIn(within);
  const most = isFiltered ? filteredAtOnce : limit + 1;
  return readMerged(ranges, Math.ceil(most * Math.min(1, fewRanges / ranges.length)));
}

function spanAfter({ descending, above, below }: ChangeSpan, from: string | undefined): ChangeSpan {
  if (from === undefined) return { descending, above, below };
  if (descending) return { descending, above, below: below === undefined || from < below ? from : below };
  return { descending, above: above === undefined || from > above ? from : above, below };
}

/** Takes views until the limit is reached; `last` is the id of the last item examined. */
async function takeViews<View>(
  items: readonly (Item & Key)[],
  limit: number,
  viewsOf: MergedPageRequest<View>['viewsOf'],
) {
  const views: View[] = [];
  let last: string | undefined;
  for (let from = 0; from < items.length; from += limit) {
    const part = items.slice(from, from + limit);
    for (const [at, view] of (await viewsOf(part)).entries()) {
      last = changeIdOf(part[at] ?? {});
      if (view !== undefined) views.push(view);
      if (views.length === limit) return { views, last, hasRest: from + at + 1 < items.length };
    }
  }
  return { views, last, hasRest: false };
}

export const changeIdSchema = v.pipe(v.string(), v.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/));

/** The id of the change after which a cursor continues. */
export const changePlaceSchema = v.pipe(
  v.strictTuple([changeIdSchema]),
  v.transform(([id]) => id),
);

function readPlace({ bound, cursor, cursorName }: Pick<MergedPageRequest<never>, 'bound' | 'cursor' | 'cursorName'>) {
  if (cursor === undefined) return undefined;
  return decodeCursor(bound, { cursor, name: cursorName, schema: changePlaceSchema });
}
