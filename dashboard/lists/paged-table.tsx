import Box from '@cloudscape-design/components/box';
import Cards from '@cloudscape-design/components/cards';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import type { Pages } from '../api/use-pages.ts';
import { PageButtons } from './page-buttons.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { useIsNarrow } from './use-is-narrow.ts';

export interface PagedTableProps<Item> {
  readonly pages: Pages<Item>;
  /** A column with the id `actions` stays in sight when the others have to be scrolled. */
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
  /** Lets rows be selected, on several pages too. Default: they cannot be. */
  readonly selection?: Selection<Item> | undefined;
}

export interface Selection<Item> {
  readonly selected: readonly Item[];
  readonly onSelect: (items: readonly Item[]) => void;
}

/**
 * A paginated table with loading, empty and error states, on a narrow screen a card for each row. When a reload fails, the
 * rows stay below the error.
 */
export function PagedTable<Item>(props: PagedTableProps<Item>) {
  const { pages, columns, noun, header, trackBy, emptyAction, filter, variant = 'container', selection } = props;
  const { items, isFetching, error, reload } = pages;
  const isNarrow = useIsNarrow();
  const isEmpty = items.length === 0;
  const failure = error && <ProblemAlert error={error} retry={reload} />;
  const shared = {
    items,
    trackBy,
    header,
    filter,
    loading: isFetching && isEmpty,
    loadingText: `Loading ${noun}…`,
    empty: failure ?? <Empty noun={noun} action={emptyAction} />,
    pagination: <PageButtons at={{ ...pages, isBusy: isFetching }} noun={noun} />,
    ...(selection && {
      selectionType: 'multi' as const,
      selectedItems: selection.selected,
      onSelectionChange: ({ detail }: { readonly detail: { readonly selectedItems: Item[] } }) =>
        selection.onSelect(detail.selectedItems),
    }),
  };
  const ariaLabels = {
    selectionGroupLabel: `Select ${noun}`,
    allItemsSelectionLabel: () => `Select all ${noun} of this page`,
    itemSelectionLabel: (_: unknown, item: Item) => `Select ${trackBy(item)}`,
  };
  return (
    <SpaceBetween size="s">
      {!isEmpty && failure}
      {isNarrow ? (
        <Cards<Item> {...shared} cardDefinition={cardOf(columns)} ariaLabels={{ ...ariaLabels, cardsLabel: noun }} />
      ) : (
        <Table<Item>
          {...shared}
          variant={variant}
          columnDefinitions={columns}
          wrapLines
          stickyColumns={{ first: 1, last: columns.at(-1)?.id === 'actions' ? 1 : 0 }}
          ariaLabels={{ ...ariaLabels, tableLabel: noun }}
        />
      )}
    </SpaceBetween>
  );
}

/** A card for a row: headed by the cell that names the row, with the other cells below their headers. */
function cardOf<Item>(columns: readonly TableProps.ColumnDefinition<Item>[]) {
  const name = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0];
  const sections = columns
    .filter((column) => column !== name)
    // Buttons say themselves what they do, and not every row has some.
    .map(({ id, header, cell }) => ({
      ...(id !== undefined && { id }),
      ...(id !== 'actions' && { header }),
      content: cell,
    }));
  return { ...(name && { header: name.cell }), sections };
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
