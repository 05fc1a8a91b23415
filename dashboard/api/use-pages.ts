import { hashKey, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Page } from '#shared/contract/answers.ts';
import { fieldError, ProblemError } from './problem-error.ts';

export interface PagesOptions<Item> {
  /** Identifies the list with its filters; a new key returns to the first page. */
  readonly queryKey: QueryKey;
  readonly load: LoadPage<Item>;
  /**
   * The URL parameter that keeps the page, so that Back and a reload return to it. Default: none, as for a list in a dialog,
   * which always starts at its first page.
   */
  readonly parameter?: string;
  /**
   * Interval for reloading the first page while it is visible; a failed reload is followed by the next. Default: no
   * polling.
   */
  readonly pollMilliseconds?: number;
  /** Default: yes. */
  readonly enabled?: boolean;
}

/** Loads a page of the server's size, or of another size. */
export type LoadPage<Item> = (cursor: string | undefined, signal: AbortSignal, limit?: string) => Promise<Page<Item>>;

/** A list with cursor pagination. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly error: Error | null;
  readonly isFetching: boolean;
  /** Whether the page has been loaded. */
  readonly isLoaded: boolean;
  /** From 1, among the pages seen so far. */
  readonly page: number;
  readonly pageCount: number;
  /** Whether there are more pages than `pageCount`. */
  readonly hasMore: boolean;
  turnTo(page: number): void;
  /** Reloads the page; the items stay visible meanwhile. */
  reload(): void;
}

export function usePages<Item>(options: PagesOptions<Item>): Pages<Item> {
  const { queryKey, load, parameter, pollMilliseconds, enabled = true } = options;
  const { page, cursors, go } = useCurrentPage(hashKey(queryKey), parameter);
  const cursor = cursors[page - 1];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKey, { cursor }],
    queryFn: ({ signal }) => loadFilled(load, cursor, signal),
    enabled,
    refetchInterval: ({ state }) => page === 1 && state.data !== undefined && (pollMilliseconds ?? false),
  });
  const next = data?.cursor ?? undefined;
  const hasBadCursor = fieldError(error, 'query:cursor') !== undefined;
  const turnTo = (wanted: number) => {
    const known = next === undefined ? cursors : [...cursors.slice(0, page), next];
    go(Math.min(Math.max(wanted, 1), known.length), known);
  };
  return {
    items: data?.items ?? [],
    error: hasBadCursor ? noSuchPage : error,
    isFetching,
    isLoaded: data !== undefined,
    page,
    pageCount: Math.max(cursors.length, page),
    hasMore: next !== undefined,
    turnTo,
    reload: () => (hasBadCursor ? go(1, [undefined]) : void refetch()),
  };
}

/** For a URL with an edited or truncated cursor. */
const noSuchPage = new ProblemError({
  code: 'invalid_request',
  title: 'This page of the list does not exist',
  detail: 'The link may be incomplete. Try again to go to the first page.',
});

/** Skips pages that a filter leaves empty. */
export async function loadFilled<Item>(load: LoadPage<Item>, cursor: string | undefined, signal: AbortSignal) {
  let page = await load(cursor, signal);
  while (page.items.length === 0 && page.cursor !== null) page = await load(page.cursor, signal);
  return page;
}

/** The current page of a list with cursor pagination. */
interface CurrentPage {
  /** From 1. */
  readonly page: number;
  /** One for each page known so far; the first page has none. */
  readonly cursors: Cursors;
  readonly go: (page: number, cursors: Cursors) => void;
}

type Cursors = readonly (string | undefined)[];

/** The current page of a list, kept in a URL parameter, or without one in memory while the list stays the same. */
function useCurrentPage(list: string, parameter: string | undefined): CurrentPage {
  const inUrl = useUrlPage(list, parameter ?? '');
  const inMemory = useMemoryPage(list);
  return parameter === undefined ? inMemory : inUrl;
}

function useMemoryPage(list: string): CurrentPage {
  const [kept, keep] = useState({ list, page: 1, cursors: firstPage });
  const { page, cursors } = kept.list === list ? kept : { page: 1, cursors: firstPage };
  return { page, cursors, go: (to, known) => keep({ list, page: to, cursors: known }) };
}

const firstPage: Cursors = [undefined];

/**
 * The URL has the cursor of the page, and the browser's history entry those of the pages before it. In a newly opened URL these
 * are unknown, so the previous page is the first.
 */
function useUrlPage(list: string, parameter: string): CurrentPage {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const parameters = new URLSearchParams(search);
  const cursor = parameters.get(parameter) ?? undefined;
  const cursors =
    readState(state)?.[`${parameter} ${list}`] ?? (cursor === undefined ? firstPage : [undefined, cursor]);
  const at = cursors.indexOf(cursor);
  return {
    page: Math.max(at, 0) + 1,
    cursors,
    go: (page, known) => {
      const to = known[page - 1];
      if (to === undefined) parameters.delete(parameter);
      else parameters.set(parameter, to);
      void navigate({ search: parameters.toString() }, { state: { [`${parameter} ${list}`]: known } });
    },
  };
}

/** The cursors by list. The state of another page, such as the users for a bulk change, has no such members. */
function readState(state: unknown): Readonly<Record<string, Cursors>> | undefined {
  return typeof state === 'object' && state !== null ? (state as Readonly<Record<string, Cursors>>) : undefined;
}
