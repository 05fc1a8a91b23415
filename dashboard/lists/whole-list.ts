import type { List } from '../api/use-list.ts';

/** A list whose items are all there, or are still being collected. */
export function wholeList<Item>(items: readonly Item[], { isFetching }: { readonly isFetching: boolean }): List<Item> {
  return {
    items,
    all: items,
    isCut: false,
    isFetching,
    isLoaded: true,
    loadAll: undefined,
    loadMore: undefined,
    error: null,
    page: 1,
    pageCount: 1,
    hasMore: false,
    turnTo: () => undefined,
    reload: () => undefined,
  };
}
