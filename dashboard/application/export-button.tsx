import Button from '@cloudscape-design/components/button';
import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../shell/lazy-part.tsx';
import type { ExportListProps } from './export-list.tsx';

/** Generic again, which a lazy part is not. */
const ExportList = lazyPart(() => import('./export-list.tsx')) as <Item>(props: ExportListProps<Item>) => ReactNode;

/** Exports a list, by code that is loaded at the first click. */
export function ExportButton<Item>(props: ExportListProps<Item>) {
  const [isWanted, want] = useState(false);
  const first = (
    <Button loading={isWanted} onClick={() => want(true)}>
      Export as CSV
    </Button>
  );
  return isWanted ? (
    <Suspense fallback={first}>
      <ExportList<Item> {...props} />
    </Suspense>
  ) : (
    first
  );
}
