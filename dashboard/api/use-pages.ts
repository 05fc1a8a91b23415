import { hashKey, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Page } from '#shared/contract/answers.ts';

export interface PagesOptions<Item> {
  /** Identifies the list with its filters; a new key starts again at the first page. */
  readonly queryKey: QueryKey;
  readonly load: LoadPage<Item>;
  /** Interval for reloading the first page while it is visible and without error. Default: no polling. */
  readonly pollMilliseconds?: number;
}

export type LoadPage<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;

/** A list with cursor pagination. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly error: Error | null;
  readonly isFetching: boolean;
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  /** Whether there are more pages than `pageCount`. */
  readonly hasMore: boolean;
  turnTo(page: number): void;
  /** Loads the page again; the items stay meanwhile. */
  reload(): void;
}

export function usePages<Item>({ queryKey, load, pollMilliseconds }: PagesOptions<Item>): Pages<Item> {
  const list = hashKey(queryKey);
  const [place, setPlace] = useState(() => firstPage(list));
  const { page, cursors } = place.list === list ? place : firstPage(list);
  const cursor = cursors[page - 1];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKey, { cursor }],
    queryFn: ({ signal }) => loadFilled(load, cursor, signal),
    refetchInterval: ({ state }) => page === 1 && state.status !== 'error' && (pollMilliseconds ?? false),
  });
  const next = data?.cursor ?? undefined;
  const turnTo = (wanted: number) => {
    const known = next === undefined ? cursors : [...cursors.slice(0, page), next];
    setPlace({ list, page: Math.min(Math.max(wanted, 1), known.length), cursors: known });
  };
  return {
    items: data?.items ?? [],
    error,
    isFetching,
    page,
    pageCount: Math.max(cursors.length, page),
    hasMore: next !== undefined,
    turnTo,
    reload: () => void refetch(),
  };
}

interface Place {
  readonly list: string;
  readonly page: number;
  /** One for each page known so far. */
  readonly cursors: readonly (string | undefined)[];
}

function firstPage(list: string): Place {
  return { list, page: 1, cursors: [undefined] };
}

/** A filter can leave a page empty: continues until there is an item or no further page. */
export async function loadFilled<Item>(load: LoadPage<Item>, cursor: string | undefined, signal: AbortSignal) {
  let page = await load(cursor, signal);
  while (page.items.length === 0 && page.cursor !== null) page = await load(page.cursor, signal);
  return page;
}
