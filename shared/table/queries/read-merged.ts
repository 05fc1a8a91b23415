import * as v from 'valibot';
import type { AppId } from '#shared/contract/fields.ts';
import { type Item, queryItems } from '../client.ts';
import type { ChangeSpan, Key, Range } from '../keys.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from './cursor.ts';
import type { PageRequest } from './read-page.ts';

/** Items of several ranges, in one order. */
export interface MergedItems {
  readonly items: readonly (Item & Key)[];
  /** The change id behind which more follow; undefined at the end. */
  readonly next: string | undefined;
}

/** The next items of some ranges in the order of the change ids at the end of their sort keys, all of them in one direction. */
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

/** The id of the change of an item, or of what stands for one. */
export function changeIdOf({ sk, gsi1sk = sk }: Item): string {
  return String(gsi1sk).split('#').at(-1) ?? '';
}

export interface MergedPageRequest<View> extends Pick<PageRequest, 'limit' | 'cursor' | 'cursorName'> {
  readonly bound: CursorBinding;
  /** The changes of the whole list. */
  readonly span: ChangeSpan;
  readonly rangesIn: (span: ChangeSpan) => readonly Range[];
  /** What items show, in their order; undefined for one that is left out. */
  readonly viewsOf: (items: readonly (Item & Key)[]) => Promise<readonly (View | undefined)[]>;
  /** Whether much may be left out, so that it is worth looking at more at once. */
  readonly isFiltered: boolean;
}

/** The cursor of a page leads on behind its last item; `more` says whether anything may follow. */
export interface MergedPage<View> {
  readonly items: readonly View[];
  readonly cursor: string | undefined;
  readonly more: boolean;
}

/** Of a filtered list: so many items of each range are looked at by one query, so often for one page. */
const filteredAtOnce = 1000;
const maxRounds = 5;

/** A page of a list that several ranges make up. Of a filtered one it may be short or empty, with more to follow. */
export async function readMergedPage<View>(request: MergedPageRequest<View>): Promise<MergedPage<View>> {
  const found: View[] = [];
  let reached = readPlace(request);
  let more = true;
  for (let round = 1; round <= maxRounds && more && found.length < request.limit; round++) {
    const { items, next } = await readNext(request, reached);
    const looked = await lookThrough(items, request.limit - found.length, request.viewsOf);
    found.push(...looked.views);
    reached = (looked.hasRest ? undefined : next) ?? looked.last ?? reached;
    more = looked.hasRest || next !== undefined;
  }
  return { items: found, cursor: reached === undefined ? undefined : encodeCursor(request.bound, [reached]), more };
}

/** Nothing where the whole span is behind the cursor already. */
async function readNext<View>(request: MergedPageRequest<View>, from: string | undefined): Promise<MergedItems> {
  const { span, rangesIn, limit, isFiltered } = request;
  const within = spanBehind(span, from);
  const { above, below } = within;
  if (above !== undefined && below !== undefined && below <= above) return { items: [], next: undefined };
  return readMerged(rangesIn(within), isFiltered ? filteredAtOnce : limit + 1);
}

function spanBehind({ descending, above, below }: ChangeSpan, from: string | undefined): ChangeSpan {
  if (from === undefined) return { descending, above, below };
  if (descending) return { descending, above, below: below === undefined || from < below ? from : below };
  return { descending, above: above === undefined || from > above ? from : above, below };
}

/** Takes as many views as are wanted; `last` is the id of the last item that was looked at. */
async function lookThrough<View>(
  items: readonly (Item & Key)[],
  wanted: number,
  viewsOf: MergedPageRequest<View>['viewsOf'],
) {
  const views: View[] = [];
  let last: string | undefined;
  for (let from = 0; from < items.length; from += wanted) {
    const part = items.slice(from, from + wanted);
    for (const [at, view] of (await viewsOf(part)).entries()) {
      last = changeIdOf(part[at] ?? {});
      if (view !== undefined) views.push(view);
      if (views.length === wanted) return { views, last, hasRest: from + at + 1 < items.length };
    }
  }
  return { views, last, hasRest: false };
}

export const changeIdSchema = v.pipe(v.string(), v.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/));

/** The id of the change that a cursor is behind. */
export const changePlaceSchema = v.pipe(
  v.strictTuple([changeIdSchema]),
  v.transform(([id]) => id),
);

function readPlace({ bound, cursor, cursorName }: Pick<MergedPageRequest<never>, 'bound' | 'cursor' | 'cursorName'>) {
  if (cursor === undefined) return undefined;
  return decodeCursor(bound, { cursor, name: cursorName, schema: changePlaceSchema });
}

/** To what cursors of an application's changes are bound. */
export function applicationChangesBinding(appId: AppId, { descending }: Pick<ChangeSpan, 'descending'>): CursorBinding {
  return ['changes of', appId, descending];
}
