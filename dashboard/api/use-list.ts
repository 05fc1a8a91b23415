import { hashKey, type QueryKey, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readUpTo } from '#shared/contract/read-all.ts';
import { type Pages, type PagesOptions, usePages } from './use-pages.ts';

export interface ListOptions<Item> extends PagesOptions<Item> {
  /** Whether the list is short enough to be loaded as a whole at once. Default: only if the operator asks for it. */
  readonly isShort?: boolean;
}

/** A list of which all items may be loaded: then it can be sorted and says its total. */
export interface List<Item> extends Pages<Item> {
  /** All items; undefined while only a page of them is loaded. */
  readonly all: readonly Item[] | undefined;
  /** Whether there are more items than are ever loaded, which `all` lacks. */
  readonly isCut: boolean;
  /** Loads all items, and returns them; undefined if they are loaded. */
  readonly loadAll: (() => Promise<LoadedList<Item>>) | undefined;
  /** Loads more of a list that is cut; undefined if it is not. */
  readonly loadMore: (() => void) | undefined;
}

/** The items of a list that was loaded as a whole, unless it is cut. */
export type LoadedList<Item> = Pick<List<Item>, 'items' | 'isCut'>;

/** Twenty requests; more take too long to do without being asked, and the server can search instead. */
const maxLoaded = 2000;
/** By how much a list that is cut grows when more is loaded, up to what the memory of a browser holds. */
export const moreTimes = 5;
const mostLoaded = maxLoaded * moreTimes ** 2;

/** A list with cursor pagination, or loaded as a whole. The server cannot sort, so only a whole list can be sorted. */
export function useList<Item>({ isShort = false, ...options }: ListOptions<Item>): List<Item> {
  const [isWanted, want] = useState(isShort);
  const [most, setMost] = useState(maxLoaded);
  const pages = usePages({ ...options, enabled: !isWanted });
  const client = useQueryClient();
  const whole = queryOptions({
    queryKey: [...options.queryKey, { most }],
    queryFn: ({ signal }) => readUpTo(most, (cursor) => options.load(cursor, signal, maxPageSize)),
  });
  const { data, error, isFetching, refetch } = useQuery({
    ...whole,
    enabled: isWanted,
    // While more of the same list is loaded, its beginning stays.
    placeholderData: (before, query) => (isBeginning(query?.queryKey, options.queryKey) ? before : undefined),
  });
  const loadAll = () => {
    want(true);
    return client.fetchQuery(whole);
  };
  if (!isWanted) {
    const isWhole = pages.page === 1 && !pages.hasMore && pages.isLoaded;
    return {
      ...pages,
      all: isWhole ? pages.items : undefined,
      isCut: false,
      loadAll: isWhole || !pages.isLoaded ? undefined : loadAll,
      loadMore: undefined,
    };
  }
  return {
    items: data?.items ?? [],
    all: data?.items,
    isCut: data?.isCut ?? false,
    loadAll: undefined,
    loadMore: data?.isCut && most < mostLoaded ? () => setMost(most * moreTimes) : undefined,
    error,
    isFetching,
    isLoaded: data !== undefined,
    page: 1,
    pageCount: 1,
    hasMore: false,
    turnTo: () => undefined,
    reload: () => void refetch(),
  };
}

/** Whether two queries are about the same list, of which the first may have fewer items. */
function isBeginning(before: QueryKey | undefined, list: QueryKey): boolean {
  return before !== undefined && hashKey(before.slice(0, -1)) === hashKey(list);
}

const maxPageSize = '100';

/** The total in the header of a list, such as `(12)`; undefined while it is not known. */
export function counterOf({ all, isCut }: List<unknown>): string | undefined {
  return all && `(${all.length.toLocaleString('en')}${isCut ? '+' : ''})`;
}
