import Header from '@cloudscape-design/components/header';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { applicationChangeColumns } from '../history/history-columns.tsx';
import { limitText, loadRows } from '../history/history-rows.ts';
import { useHistoryTable } from '../history/use-history-table.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';

/** The first page is loaded again every few seconds. */
const maxRequests = 2;

/** The history of an application; the first page updates automatically while it is visible. */
export default function HistoryTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const pages = usePages({
    parameter: pageParameter,
    queryKey: queryKeys.applicationChanges(appId),
    load: (cursor, signal) =>
      loadRows(
        (place, limit) =>
          api('list-application-changes', {
            path: { appId },
            query: { cursor: place, limit: limitText(limit) },
            signal,
          }),
        cursor,
        maxRequests,
      ),
    pollMilliseconds: 3000,
  });
  const { columns, expandable } = useHistoryTable(pages.items, applicationChangeColumns);
  const isLive = pages.page === 1 && !pages.error;
  return (
    <PagedTable
      pages={pages}
      columns={columns}
      expandable={expandable}
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
