import type { TableProps } from '@cloudscape-design/components/table';
import type { List } from '../api/use-list.ts';
import type { Pages } from '../api/use-pages.ts';
import type { PagePosition } from './page-buttons.tsx';
import { readSorting, type Sorting, sortItems, writeSorting } from './sort-items.ts';
import { usePlace } from './use-place.ts';

export interface SortedPageOptions<Item> {
  readonly pages: Pages<Item> | List<Item>;
  readonly columns: readonly TableProps.ColumnDefinition<Item>[];
  /** The column by which a whole list is sorted at first, such as `name`. Default: the order of the server. */
  readonly sortedBy?: string | undefined;
  /** Whether the URL keeps the order and the page. */
  readonly isInUrl: boolean;
}

/** What is shown of a list. */
export interface SortedPage<Item> {
  readonly items: readonly Item[];
  readonly at: PagePosition;
  /** The columns by which the list can be sorted; none while only a page of it is loaded. */
  readonly sortable: readonly TableProps.ColumnDefinition<Item>[];
  readonly sorting: Sorting<Item> | undefined;
  readonly sort: (sorting: Sorting<Item>) => void;
}

const pageSize = 25;

/** A page of a list: of one that is loaded as a whole, in the chosen order; of any other, the page of the server. */
export function useSortedPage<Item>(options: SortedPageOptions<Item>): SortedPage<Item> {
  const { pages, columns, sortedBy = '', isInUrl } = options;
  const [place, go] = usePlace(isInUrl);
  const all = 'all' in pages ? pages.all : undefined;
  const sort = (next: Sorting<Item>) => go({ sort: writeSorting(next), page: '' });
  if (all === undefined) return { items: pages.items, at: pages, sortable: [], sorting: undefined, sort };
  const sorting = readSorting(place.sort, columns) ?? readSorting(sortedBy, columns);
  const pageCount = Math.max(1, Math.ceil(all.length / pageSize));
  const page = Math.min(Math.max(1, Math.trunc(Number(place.page)) || 1), pageCount);
  const turnTo = (to: number) => go({ ...place, page: to === 1 ? '' : String(to) });
  return {
    items: sortItems(all, sorting).slice((page - 1) * pageSize, page * pageSize),
    at: { page, pageCount, turnTo },
    sortable: columns.filter(({ sortingComparator }) => sortingComparator !== undefined),
    sorting,
    sort,
  };
}
