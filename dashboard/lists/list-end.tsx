import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type List, maxLoaded } from '../api/use-list.ts';
import type { Pages } from '../api/use-pages.ts';
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
}

/** Below a list: its pages, what it takes to sort and count it, and to select all of it. */
export default function ListEnd<Item>({ noun, pages, at, selection }: ListEndProps<Item>) {
  const { all = [], loadAll, isCut = false } = 'all' in pages ? pages : {};
  // On a single page the checkbox in the header does it.
  const maySelectAll = selection && at.pageCount > 1 && all.length > selection.selected.length;
  return (
    <SpaceBetween size="xs" alignItems="center">
      {pageButtons(at, noun)}
      {isCut && (
        <Box variant="small" color="text-body-secondary">
          There are more than {maxLoaded.toLocaleString('en')} {noun}: only the first are shown. Use the search to find
          others.
        </Box>
      )}
      {loadAll && (
        <Button variant="inline-link" onClick={loadAll}>
          Load all {noun}, to sort and count them
        </Button>
      )}
      {maySelectAll && (
        <Button variant="inline-link" onClick={() => selection.onSelect(all)}>
          Select {isCut ? 'the first' : 'all'} {all.length.toLocaleString('en')} {noun}
        </Button>
      )}
    </SpaceBetween>
  );
}
