import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** The current page of a list with cursor pagination. */
export interface Place {
  /** From 1. */
  readonly page: number;
  /** One for each page known so far; the first page has none. */
  readonly cursors: Cursors;
  readonly go: (page: number, cursors: Cursors) => void;
}

type Cursors = readonly (string | undefined)[];

/** The current page of a list, kept in a URL parameter, or without one in memory while the list stays the same. */
export function usePlace(list: string, parameter: string | undefined): Place {
  const inUrl = useUrlPlace(list, parameter ?? '');
  const inMemory = useMemoryPlace(list);
  return parameter === undefined ? inMemory : inUrl;
}

function useMemoryPlace(list: string): Place {
  const [kept, keep] = useState({ list, page: 1, cursors: firstPage });
  const { page, cursors } = kept.list === list ? kept : { page: 1, cursors: firstPage };
  return { page, cursors, go: (to, known) => keep({ list, page: to, cursors: known }) };
}

const firstPage: Cursors = [undefined];

/**
 * The URL has the cursor of the page, and the browser's history entry those of the pages before it. In a newly opened URL these
 * are unknown, so the previous page is the first.
 */
function useUrlPlace(list: string, parameter: string): Place {
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

/** Only this file sets a state. */
function readState(state: unknown): Readonly<Record<string, Cursors>> | undefined {
  return typeof state === 'object' && state !== null ? (state as Readonly<Record<string, Cursors>>) : undefined;
}
