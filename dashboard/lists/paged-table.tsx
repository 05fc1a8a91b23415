import Box from '@cloudscape-design/components/box';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { Pages } from '../api/use-pages.ts';
import { ProblemAlert } from './problem-alert.tsx';

export interface PagedTableProps<Item> {
  readonly pages: Pages<Item>;
  readonly columns: readonly TableProps.ColumnDefinition<Item>[];
  /** What the items are, such as `users`. */
  readonly noun: string;
  readonly header: ReactNode;
  readonly trackBy: (item: Item) => string;
  /** Shown below the text of an empty list. */
  readonly emptyAction?: ReactNode;
  readonly filter?: ReactNode;
  /** Default: `container`. */
  readonly variant?: TableProps.Variant;
}

/** A paginated table with loading, empty and error states. When a reload fails, the rows stay below the error. */
export function PagedTable<Item>(props: PagedTableProps<Item>) {
  const { pages, columns, noun, header, trackBy, emptyAction, filter, variant = 'container' } = props;
  const { items, isFetching, error, page, pageCount, hasMore, turnTo, reload } = pages;
  const isEmpty = items.length === 0;
  const failure = error && <ProblemAlert error={error} retry={reload} />;
  return (
    <SpaceBetween size="s">
      {!isEmpty && failure}
      <Table<Item>
        variant={variant}
        items={items}
        columnDefinitions={columns}
        trackBy={trackBy}
        header={header}
        filter={filter}
        loading={isFetching && isEmpty}
        loadingText={`Loading ${noun}…`}
        wrapLines
        empty={failure ?? <Empty noun={noun} action={emptyAction} />}
        ariaLabels={{ tableLabel: noun }}
        pagination={
          (pageCount > 1 || hasMore) && (
            <Pagination
              currentPageIndex={page}
              pagesCount={pageCount}
              openEnd={hasMore}
              disabled={isFetching}
              onChange={({ detail }) => turnTo(detail.currentPageIndex)}
              ariaLabels={{
                nextPageLabel: 'Next page',
                previousPageLabel: 'Previous page',
                pageLabel: (number) => `Page ${number}`,
                paginationLabel: `Pages of ${noun}`,
              }}
            />
          )
        }
      />
    </SpaceBetween>
  );
}

function Empty({ noun, action }: { readonly noun: string; readonly action?: ReactNode }) {
  return (
    <Box textAlign="center" padding="s">
      <SpaceBetween size="s">
        <Box color="text-body-secondary">No {noun} found.</Box>
        {action}
      </SpaceBetween>
    </Box>
  );
}
