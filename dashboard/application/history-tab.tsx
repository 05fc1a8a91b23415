import Header from '@cloudscape-design/components/header';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { applicationChangeColumns } from '../history/history-columns.tsx';
import { useUndoColumn } from '../history/undo-column.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';

/** The history of an application; the first page updates automatically while it is visible. */
export default function HistoryTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const pages = usePages({
    parameter: pageParameter,
    queryKey: queryKeys.applicationChanges(appId),
    load: (cursor, signal) => api('list-application-changes', { path: { appId }, query: { cursor }, signal }),
    pollMilliseconds: 3000,
  });
  const undo = useUndoColumn({ changes: pages.items });
  const isLive = pages.page === 1 && !pages.error;
  return (
    <PagedTable
      pages={pages}
      columns={[...applicationChangeColumns, ...undo]}
      noun="changes"
      trackBy={({ id }) => id}
      header={
        <Header variant="h2" description={isLive ? 'Updates automatically.' : undefined}>
          History
        </Header>
      }
    />
  );
}
