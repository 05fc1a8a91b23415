import Pagination from '@cloudscape-design/components/pagination';
import { useState } from 'react';

/** Where a list is, among its pages. */
export interface PagePosition {
  /** From 1. */
  readonly page: number;
  readonly pageCount: number;
  /** Whether there are more pages than `pageCount`. Default: no. */
  readonly hasMore?: boolean;
  /** Whether the buttons are switched off for a moment. Default: no. */
  readonly isBusy?: boolean;
  turnTo(page: number): void;
}

/** The buttons to turn the pages of a list; none for a single page. */
export function PageButtons({ at, noun }: { readonly at: PagePosition; readonly noun: string }) {
  const { page, pageCount, hasMore = false, isBusy = false, turnTo } = at;
  if (pageCount === 1 && !hasMore) return null;
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

/** One page of items that are all loaded; a list that got shorter stays within its pages. */
export function useLoadedPages<Item>(items: readonly Item[], pageSize: number): [readonly Item[], PagePosition] {
  const [wanted, turnTo] = useState(1);
  const pageCount = Math.max(1, Math.ceil(items.length / pageSize));
  const page = Math.min(wanted, pageCount);
  return [items.slice((page - 1) * pageSize, page * pageSize), { page, pageCount, turnTo }];
}
