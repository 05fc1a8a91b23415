import Pagination from '@cloudscape-design/components/pagination';
import { type ReactNode, useState } from 'react';

/** The current page of a list. */
export interface PagePosition {
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  /** Whether there are more pages than `pageCount`. Default: no. */
  readonly hasMore?: boolean;
  /** Whether the buttons are inactive while a page loads. Default: no. */
  readonly isBusy?: boolean;
  turnTo(page: number): void;
}

/** The page buttons of a list; undefined for a single page, so that the table reserves no space for it. */
export function pageButtons(at: PagePosition, noun: string): ReactNode {
  const { page, pageCount, hasMore = false, isBusy = false, turnTo } = at;
  if (pageCount === 1 && !hasMore) return undefined;
  return (
    <Pagination
      currentPageIndex={page}
      pagesCount={pageCount}
      openEnd={hasMore}
      disabled={isBusy}
      onChange={({ detail }) => turnTo(detail.currentPageIndex)}
      ariaLabels={{
        nextPageLabel: 'Next page',
        previousPageLabel: 'Previous page',
        pageLabel: (number) => `Page ${number}`,
        paginationLabel: `Pages of ${noun}`,
      }}
    />
  );
}

/** One page of a list that is loaded as a whole; if the list shrinks, the last page. */
export function useLoadedPages<Item>(items: readonly Item[], pageSize: number): [readonly Item[], PagePosition] {
  const [wanted, turnTo] = useState(1);
  const pageCount = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(wanted, pageCount);
  return [items.slice((page - 1) * pageSize, page * pageSize), { page, pageCount, turnTo }];
}
