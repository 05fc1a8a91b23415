import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { queryKeys } from '../api/queries.ts';
import { useApi } from '../api/use-api.ts';
import { usePages } from '../api/use-pages.ts';
import { userChangeColumns } from '../history/change-columns.tsx';
import { PagedTable } from '../lists/paged-table.tsx';

/** What happened to a user: who, what, before → after, why. */
export function UserHistory({ userId }: { readonly userId: string }) {
  const api = useApi();
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
          actions={<Button iconName="refresh" ariaLabel="Read the history again" onClick={pages.reload} />}
        >
          History
        </Header>
      }
    />
  );
}
