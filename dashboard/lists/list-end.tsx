import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { maxLoaded } from '../api/use-list.ts';
import { type PagePosition, pageButtons } from './page-buttons.tsx';

export interface ListEndProps {
  readonly noun: string;
  readonly at: PagePosition;
  /** How many items are loaded, on all pages. */
  readonly count: number;
  /** Loads the whole list; undefined if it is loaded. */
  readonly loadAll: (() => void) | undefined;
  /** Selects all items that are loaded; undefined if they are selected, or cannot be. */
  readonly selectAll: (() => void) | undefined;
  /** Whether the list has more items than are ever loaded. */
  readonly isCut: boolean;
}

/** Below a list: its pages, what it takes to sort and count it, and to select all of it. */
export default function ListEnd({ noun, at, count, loadAll, selectAll, isCut }: ListEndProps) {
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
      {selectAll && (
        <Button variant="inline-link" onClick={selectAll}>
          Select {isCut ? 'the first' : 'all'} {count.toLocaleString('en')} {noun}
        </Button>
      )}
    </SpaceBetween>
  );
}
