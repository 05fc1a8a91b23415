import Cards, { type CardsProps } from '@cloudscape-design/components/cards';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { SortChoice } from './sort-choice.tsx';
import type { SortedPage } from './use-sorted-page.ts';

export interface CardListProps<Item> extends Omit<CardsProps<Item>, 'cardDefinition'> {
  readonly columns: readonly TableProps.ColumnDefinition<Item>[];
  readonly view: SortedPage<Item>;
}

/** A card for each row of a table, for narrow screens. */
export default function CardList<Item>({ columns, view, filter, ...props }: CardListProps<Item>) {
  const shownFilter =
    view.sortable.length === 0 ? (
      filter
    ) : (
      <SpaceBetween size="xs">
        {filter}
        <SortChoice {...view} />
      </SpaceBetween>
    );
  return <Cards<Item> {...props} filter={shownFilter} cardDefinition={cardOf(columns)} />;
}

/** A card for a row: headed by the cell that names the row, with the other cells below their headers. */
function cardOf<Item>(columns: readonly TableProps.ColumnDefinition<Item>[]) {
  const name = columns.find(({ isRowHeader }) => isRowHeader) ?? columns[0];
  const sections = columns
    .filter((column) => column !== name)
    // Buttons need no header, and not every row has some.
    .map(({ id, header, cell }) => ({
      ...(id !== undefined && { id }),
      ...(id !== 'actions' && { header }),
      content: cell,
    }));
  return { ...(name && { header: name.cell }), sections };
}
