import Button from '@cloudscape-design/components/button';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { allChangeColumns } from '../history/history-columns.tsx';
import { useHistoryFilter } from '../history/history-filter.ts';
import { HistoryFilterFields } from '../history/history-filter-fields.tsx';
import { limitText, loadRows, rowOf } from '../history/history-rows.ts';
import { exportFormats, useExport } from '../history/use-export.tsx';
import { useHistoryTable } from '../history/use-history-table.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { usePageTitle } from '../shell/frame.tsx';

/** How often a page reads on behind a long bulk change. */
const maxRequests = 6;

/** The changes of all users and applications. */
export default function HistoryPage() {
  usePageTitle('History');
  const api = useApi();
  const { restriction } = useOperator();
  const { filter, change, clear, query } = useHistoryFilter();
  const load = async (cursor: string | undefined, signal: AbortSignal) => {
    const read = (place: string | undefined, limit?: number) =>
      api('list-all-changes', { query: { ...query, cursor: place, limit: limitText(limit) }, signal });
    if (filter.user === '') return loadRows(read, cursor, maxRequests);
    // A bulk change changes a user once.
    const page = await read(cursor);
    return { ...page, items: page.items.filter(({ id }) => filter.one === '' || id === filter.one).map(rowOf) };
  };
  const pages = usePages({
    parameter: pageParameter,
    queryKey: [...queryKeys.changes, filter],
    load: (cursor, signal) => load(cursor, signal),
  });
  const { columns, expandable } = useHistoryTable(pages.items, allChangeColumns);
  const save = useExport({
    load: (cursor, signal) => api('list-all-changes', { query: { ...query, limit: '100', cursor }, signal }),
    selection: query,
  });
  return (
    <PagedTable
      pages={pages}
      columns={columns}
      expandable={expandable}
      noun="changes"
      trackBy={({ id }) => id}
      header={
        <Header
          variant="h1"
          description={restriction}
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button iconName="refresh" ariaLabel="Refresh the history" onClick={pages.reload} />
              <ButtonDropdown items={exportFormats} onItemClick={({ detail }) => void save(detail.id)}>
                Export
              </ButtonDropdown>
            </SpaceBetween>
          }
        >
          History
        </Header>
      }
      clearFilters={clear}
      filter={<HistoryFilterFields filter={filter} change={change} />}
    />
  );
}
