import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type List, type LoadedList, moreTimes } from '../api/use-list.ts';
import type { Pages } from '../api/use-pages.ts';
import type { CountedState } from '../options/option-pages.ts';
import { useCounts } from '../options/use-counts.ts';
import { type PagePosition, pageButtons } from './page-buttons.tsx';

export interface Selection<Item> {
  readonly selected: readonly Item[];
  readonly onSelect: (items: readonly Item[]) => void;
}

export interface ListEndProps<Item> {
  readonly noun: string;
  readonly pages: Pages<Item> | List<Item>;
  readonly at: PagePosition;
  /** Undefined if rows cannot be selected. */
  readonly selection: Selection<Item> | undefined;
  /** The status of the users that are listed, or `any`. Undefined for other lists. */
  readonly counted?: string | undefined;
}

/** Below a list: its pages, what it takes to sort and count it, and to select all of it. */
export default function ListEnd<Item>({ noun, pages, at, selection, counted }: ListEndProps<Item>) {
  const { all = [], loadAll, loadMore, isCut = false } = 'all' in pages ? pages : {};
  const users = useCounts({ enabled: isCut && counted !== undefined })?.users;
  const found = users && totalOf(users, counted);
  // On a single page the checkbox in the header does it.
  const maySelectAll = selection && at.pageCount > 1 && all.length > selection.selected.length;
  return (
    <SpaceBetween size="xs" alignItems="center">
      {pageButtons(at, noun)}
      {isCut && (
        <Box variant="small" color="text-body-secondary">
          {found === undefined ? (
            <>
              There are more than {format(all.length)} {noun}
            </>
          ) : (
            <>
              There are {format(found)} {noun}
            </>
          )}
          : only the first {format(all.length)} are sorted and shown. Use the search to find others.
        </Box>
      )}
      {loadMore && (
        <Button variant="inline-link" loading={at.isBusy ?? false} loadingText={`Loading ${noun}`} onClick={loadMore}>
          Load up to {format(all.length * moreTimes)} {noun}
        </Button>
      )}
      {loadAll && (
        <Button variant="inline-link" onClick={() => void loadAll().catch(isShownByList)}>
          Load all {noun}, to sort and count them
        </Button>
      )}
      {loadAll && selection && (
        <Button variant="inline-link" onClick={() => void selectAll(loadAll, selection).catch(isShownByList)}>
          Select all {noun}
        </Button>
      )}
      {maySelectAll && (
        <Button variant="inline-link" onClick={() => selection.onSelect(all)}>
          Select {isCut ? 'the first' : 'all'} {format(all.length)} {noun}
        </Button>
      )}
    </SpaceBetween>
  );
}

/** Selects all items once they are loaded; of a list that is cut, the operator decides about those that are. */
async function selectAll<Item>(loadAll: () => Promise<LoadedList<Item>>, { onSelect }: Selection<Item>): Promise<void> {
  const { items, isCut } = await loadAll();
  if (!isCut) onSelect(items);
}

/** The list shows that it could not be loaded. */
const isShownByList = () => undefined;

/** Undefined for users who are not counted, such as those with a role. */
function totalOf({ active, inactive }: CountedState['users'], counted = ''): number | undefined {
  return new Map([
    ['any', active + inactive],
    ['active', active],
    ['inactive', inactive],
  ]).get(counted);
}

function format(count: number): string {
  return count.toLocaleString('en');
}
