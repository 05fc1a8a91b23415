import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { userChangeColumns } from '../history/history-columns.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';

/** The history of a user. */
export function UserHistory({ userId }: { readonly userId: string }) {
  const api = useApi();
  const { limit } = useOperator();
  const pages = usePages({
    queryKey: queryKeys.userChanges(userId),
    load: (cursor, signal) => api('list-user-changes', { path: { userId }, query: { limit: '10', cursor }, signal }),
  });
  return (
    <PagedTable
      pages={pages}
      columns={userChangeColumns}
      noun="changes"
      trackBy={({ id }) => id}
      header={
        <Header
          variant="h2"
          description={limit}
          actions={<Button iconName="refresh" ariaLabel="Refresh the history" onClick={pages.reload} />}
        >
          History
        </Header>
      }
    />
  );
}
