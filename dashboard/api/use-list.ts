import { useQuery } from '@tanstack/react-query';
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
  /** Loads all items; undefined if they are loaded. */
  readonly loadAll: (() => void) | undefined;
}

/** Twenty requests; more would take too long, and the server can search instead. */
export const maxLoaded = 2000;

/** A list with cursor pagination, or loaded as a whole. The server cannot sort, so only a whole list can be sorted. */
export function useList<Item>({ isShort = false, ...options }: ListOptions<Item>): List<Item> {
  const [isWanted, want] = useState(isShort);
  const pages = usePages({ ...options, enabled: !isWanted });
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...options.queryKey, { whole: true }],
    queryFn: ({ signal }) => readUpTo(maxLoaded, (cursor) => options.load(cursor, signal, maxPageSize)),
    enabled: isWanted,
  });
  if (!isWanted) {
    const isWhole = pages.page === 1 && !pages.hasMore && pages.isLoaded;
    return {
      ...pages,
      all: isWhole ? pages.items : undefined,
      isCut: false,
      loadAll: isWhole || !pages.isLoaded ? undefined : () => want(true),
    };
  }
  return {
    items: data?.items ?? [],
    all: data?.items,
    isCut: data?.isCut ?? false,
    loadAll: undefined,
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

const maxPageSize = '100';

/** The total in the header of a list, such as `(12)`; undefined while it is not known. */
export function counterOf({ all, isCut }: List<unknown>): string | undefined {
  return all && `(${all.length.toLocaleString('en')}${isCut ? '+' : ''})`;
}
