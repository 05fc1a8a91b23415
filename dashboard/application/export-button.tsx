import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../shell/lazy-part.tsx';
import type { ExportListProps } from './export-list.tsx';

/** Generic again, which a lazy part is not. */
const ExportList = lazyPart(() => import('./export-list.tsx')) as <Item>(props: ExportListProps<Item>) => ReactNode;

/** Exports a list, by code that no first visit loads. */
export function ExportButton<Item>(props: ExportListProps<Item>) {
  return (
    <Suspense>
      <ExportList<Item> {...props} />
    </Suspense>
  );
}
