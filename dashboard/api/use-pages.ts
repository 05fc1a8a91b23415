import { useCallback, useState } from 'react';
import type { Page } from '#shared/contract/management.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

/** A list that is read page by page, each by the cursor of the one before. */
export interface Pages<Item> extends Omit<Loaded<Page<Item>>, 'value'> {
  readonly items: readonly Item[];
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  /** Whether there are more pages than counted. */
  readonly hasMore: boolean;
  turnTo(page: number): void;
}

export type LoadPage<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Item>>;

/** Reads a list page by page, from the first one with every new `load` (wrap it in useCallback). */
export function usePages<Item>(load: LoadPage<Item>): Pages<Item> {
  const [place, setPlace] = useState<{ of: unknown; page: number; cursors: readonly (string | undefined)[] }>(
    start(load),
  );
  const { page, cursors } = place.of === load ? place : start(load);
  const cursor = cursors[page - 1];
  const { value, ...rest } = useLoaded(useCallback((signal) => loadFilled(load, cursor, signal), [load, cursor]));
  const next = value?.cursor ?? undefined;
  const turnTo = (wanted: number) => {
    const known = next === undefined ? cursors : [...cursors.slice(0, page), next];
    const reachable = Math.min(Math.max(wanted, 1), known.length);
    setPlace({ of: load, page: reachable, cursors: known });
  };
  const pageCount = Math.max(cursors.length, page);
  return { ...rest, items: value?.items ?? [], page, pageCount, hasMore: next !== undefined, turnTo };
}

/** A filter may leave nothing of what one request looked at: then on, until there is something to show or no more. */
async function loadFilled<Item>(
  load: LoadPage<Item>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Item>> {
  let page = await load(cursor, signal);
  while (page.items.length === 0 && page.cursor !== null) page = await load(page.cursor, signal);
  return page;
}

function start(load: unknown) {
  return { of: load, page: 1, cursors: [undefined] };
}
