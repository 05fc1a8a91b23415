import type { TableProps } from '@cloudscape-design/components/table';

type Column<Item> = TableProps.ColumnDefinition<Item>;
type Sortable = string | number | null | undefined;

/** As people sort names: ignoring case and accents, and `2` before `10`. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Makes a column sortable by a text or a number; items without one come last. */
export function sortBy<Item>(valueIn: (item: Item) => Sortable): Required<Pick<Column<Item>, 'sortingComparator'>> {
  return { sortingComparator: (one, other) => compare(valueIn(one), valueIn(other)) };
}

function compare(one: Sortable, other: Sortable): number {
  const [isMissing, isOtherMissing] = [one == null || one === '', other == null || other === ''];
  if (isMissing || isOtherMissing) return Number(isMissing) - Number(isOtherMissing);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}

/** The column by which a list is sorted, and in which direction. */
export interface Sorting<Item> {
  readonly column: Column<Item>;
  readonly isDescending: boolean;
}

/** Reads `name` or `-name`; undefined for a column that the list lacks or cannot sort by. */
export function readSorting<Item>(text: string, columns: readonly Column<Item>[]): Sorting<Item> | undefined {
  const isDescending = text.startsWith('-');
  const id = isDescending ? text.slice(1) : text;
  const column = columns.find((each) => each.id === id && each.sortingComparator !== undefined);
  return column && { column, isDescending };
}

export function writeSorting<Item>({ column, isDescending }: Sorting<Item>): string {
  return `${isDescending ? '-' : ''}${column.id ?? ''}`;
}

/** The items in this order; equal ones stay in the order of the server. */
export function sortItems<Item>(items: readonly Item[], sorting: Sorting<Item> | undefined): readonly Item[] {
  const compareItems = sorting?.column.sortingComparator;
  if (sorting === undefined || compareItems === undefined) return items;
  const sign = sorting.isDescending ? -1 : 1;
  return items.toSorted((one, other) => sign * compareItems(one, other));
}
