import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/management.ts';
import { queryKeys } from '../api/queries.ts';
import { useApi } from '../api/use-api.ts';
import { usePages } from '../api/use-pages.ts';
import { CreateApplicationDialog } from '../application/create-application-dialog.tsx';
import { Moment } from '../lists/moment.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { applicationPath } from '../shell/paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { usePageTitle } from '../shell/use-page-title.ts';

const columns: readonly TableProps.ColumnDefinition<ApplicationView>[] = [
  {
    id: 'name',
    header: 'Application',
    isRowHeader: true,
    minWidth: 140,
    cell: ({ appId, name }) => <RouteLink to={applicationPath(appId)}>{name}</RouteLink>,
  },
  { id: 'id', header: 'Id', minWidth: 110, cell: ({ appId }) => appId },
  { id: 'created', header: 'Created', minWidth: 130, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { id: 'changed', header: 'Changed', minWidth: 130, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

/** All applications. */
export default function ApplicationsPage() {
  usePageTitle('Applications');
  const api = useApi();
  const navigate = useNavigate();
  const [creating, setCreating] = useState(false);
  const pages = usePages({
    queryKey: queryKeys.applications,
    load: (cursor, signal) => api('list-applications', { query: { cursor }, signal }),
  });
  const create = (variant: 'primary' | 'normal') => (
    <Button variant={variant} onClick={() => setCreating(true)}>
      Create application
    </Button>
  );
  return (
    <>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="applications"
        trackBy={({ appId }) => appId}
        header={
          <Header variant="h1" actions={create('primary')}>
            Applications
          </Header>
        }
        emptyAction={create('normal')}
      />
      {creating && (
        <CreateApplicationDialog
          onClose={() => setCreating(false)}
          onCreated={(appId) => navigate(applicationPath(appId))}
        />
      )}
    </>
  );
}
