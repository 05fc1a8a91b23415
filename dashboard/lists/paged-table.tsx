import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type ReactNode, Suspense, useRef } from 'react';
import type { List } from '../api/use-list.ts';
import type { Pages } from '../api/use-pages.ts';
import { lazyPart } from '../shell/lazy-part.tsx';
import { useIsNarrow } from '../shell/narrow-screen.ts';
import type { CardListProps } from './card-list.tsx';
import type { ListEndProps, Selection } from './list-end.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { Spinner } from './query-status.tsx';
import { type SortedPage, useSortedPage } from './use-sorted-page.ts';

/** Generic again, which a lazy part is not. */
const CardList = lazyPart(() => import('./card-list.tsx')) as <Item>(props: CardListProps<Item>) => ReactNode;

/** Below the list, so the list is shown before it is loaded. */
const ListEnd = lazyPart(() => import('./list-end.tsx')) as <Item>(props: ListEndProps<Item>) => ReactNode;

export interface PagedTableProps<Item> {
  readonly pages: Pages<Item> | List<Item>;
  /** The column by which a list that is loaded as a whole is sorted at first. Default: the order of the server. */
  readonly sortedBy?: string | undefined;
  /** A column with the id `actions` stays visible while the others scroll. */
  readonly columns: readonly TableProps.ColumnDefinition<Item>[];
  /** The kind of items, such as `users`. */
  readonly noun: string;
  readonly header: ReactNode;
  readonly trackBy: (item: Item) => string;
  /** What to try if the list is empty, and the buttons for it. */
  readonly emptyHint?: ReactNode;
  readonly emptyAction?: ReactNode;
  readonly filter?: ReactNode;
  /** Offered if the list is empty. Default: the list is not filtered. */
  readonly clearFilters?: (() => void) | undefined;
  /** Default: `container`. */
  readonly variant?: TableProps.Variant;
  /** Which users are listed, if all of them are counted; the number is read only if not all can be loaded at once. */
  readonly counted?: string | undefined;
  /** Makes rows selectable, across pages. Default: not selectable. */
  readonly selection?: Selection<Item> | undefined;
  /** Rows with rows below them; on a narrow screen they stay folded. */
  readonly expandable?: TableProps.ExpandableRows<Item> | undefined;
}

/**
 * A paginated table with loading, empty and error states; on a narrow screen, a card for each row. A list that is loaded as a
 * whole can be sorted. If a reload fails, the rows stay below the error.
 */
export function PagedTable<Item>(props: PagedTableProps<Item>) {
  const {
    pages,
    columns,
    noun,
    header,
    trackBy,
    filter,
    variant = 'container',
    selection,
    expandable,
    sortedBy,
    counted,
  } = props;
  const { isFetching, error, reload } = pages;
  const view = useSortedPage({ pages, columns, sortedBy, isInUrl: variant !== 'embedded' });
  const { items, at } = view;
  const isNarrow = useIsNarrow();
  const top = useRef<HTMLDivElement>(null);
  const turnTo = (page: number) => {
    at.turnTo(page);
    top.current?.scrollIntoView();
  };
  const { loadAll, isCut = false } = 'all' in pages ? pages : {};
  const end = (at.pageCount > 1 || at.hasMore || loadAll || isCut) && (
    <Suspense>
      <ListEnd<Item>
        at={{ ...at, isBusy: isFetching, turnTo }}
        noun={noun}
        pages={pages}
        selection={selection}
        counted={counted}
      />
    </Suspense>
  );
  const isEmpty = items.length === 0;
  const failure = error && <ProblemAlert error={error} retry={reload} />;
  const shared = {
    items,
    trackBy,
    header,
    filter,
    loading: isFetching && isEmpty,
    loadingText: `Loading ${noun}…`,
    empty: failure ?? <Empty {...props} />,
    ...(selection && {
      selectionType: 'multi' as const,
      selectedItems: selection.selected,
      onSelectionChange: ({ detail }: { readonly detail: { readonly selectedItems: Item[] } }) =>
        selection.onSelect(detail.selectedItems),
    }),
  };
  const ariaLabels = {
    selectionGroupLabel: `Select ${noun}`,
    allItemsSelectionLabel: () => `Select all ${noun} on this page`,
    itemSelectionLabel: (_: unknown, item: Item) => `Select ${trackBy(item)}`,
    expandButtonLabel: () => 'Unfold the bulk change',
    collapseButtonLabel: () => 'Fold the bulk change',
  };
  return (
    <div ref={top}>
      <SpaceBetween size="s">
        {!isEmpty && failure}
        {isNarrow ? (
          <Suspense fallback={<Spinner of={noun} />}>
            <CardList<Item>
              {...shared}
              view={view}
              columns={columns}
              ariaLabels={{ ...ariaLabels, cardsLabel: noun }}
            />
          </Suspense>
        ) : (
          <Table<Item>
            {...shared}
            {...sortingOf(view)}
            variant={variant}
            {...unfolding(expandable)}
            // Otherwise Tab would skip the links and buttons of a list that unfolds, and reach them in all others.
            enableKeyboardNavigation={false}
            columnDefinitions={view.sortable.length > 0 ? columns : columns.map(unsortable)}
            wrapLines
            stickyColumns={{ first: 1, last: columns.at(-1)?.id === 'actions' ? 1 : 0 }}
            footer={end || undefined}
            ariaLabels={{ ...ariaLabels, tableLabel: noun }}
          />
        )}
        {isNarrow && end}
      </SpaceBetween>
    </div>
  );
}

function sortingOf<Item>({ sortable, sorting, sort }: SortedPage<Item>) {
  return {
    ...(sorting && { sortingColumn: sorting.column, sortingDescending: sorting.isDescending }),
    onSortingChange: ({ detail }: { readonly detail: TableProps.SortingState<Item> }) => {
      const { sortingComparator: chosen } = detail.sortingColumn;
      const column = sortable.find(({ sortingComparator }) => sortingComparator === chosen);
      if (column !== undefined) sort({ column, isDescending: detail.isDescending ?? false });
    },
  };
}

function unsortable<Item>({ sortingComparator: _, ...column }: TableProps.ColumnDefinition<Item>) {
  return column;
}

type EmptyProps = Pick<PagedTableProps<unknown>, 'noun' | 'emptyHint' | 'emptyAction' | 'clearFilters'>;

function Empty({ noun, emptyHint, emptyAction, clearFilters }: EmptyProps) {
  return (
    <Box textAlign="center" padding="s" color="text-body-secondary">
      <SpaceBetween size="s">
        <Box color="inherit">
          {clearFilters ? `No ${noun} match.` : `No ${noun} yet.`} {emptyHint}
        </Box>
        <div className="centered">
          <SpaceBetween direction="horizontal" size="xs">
            {clearFilters && <Button onClick={clearFilters}>Clear filters</Button>}
            {emptyAction}
          </SpaceBetween>
        </div>
      </SpaceBetween>
    </Box>
  );
}

/** How rows unfold, if they do. */
function unfolding<Item>(expandable: PagedTableProps<Item>['expandable']): Pick<TableProps<Item>, 'expandableRows'> {
  return expandable === undefined ? {} : { expandableRows: expandable };
}
