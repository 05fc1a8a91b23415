import Header from '@cloudscape-design/components/header';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ApplicationView } from '#shared/contract/application.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { CreateApplicationDialog } from '../application/create-application-dialog.tsx';
import { ActionButton } from '../forms/action-button.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { applicationPath, RouteLink } from '../shell/route-link.tsx';

const columns: readonly TableProps.ColumnDefinition<ApplicationView>[] = [
  {
    id: 'name',
    header: 'Application',
    isRowHeader: true,
    minWidth: 140,
    cell: ({ appId, name }) => <RouteLink to={applicationPath(appId)}>{name}</RouteLink>,
  },
  { id: 'id', header: 'ID', minWidth: 110, cell: ({ appId }) => appId },
  { id: 'rollout', header: 'Rollout', minWidth: 90, cell: ({ rolloutPercent }) => `${rolloutPercent}%` },
  { id: 'created', header: 'Created', minWidth: 130, cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
  { id: 'changed', header: 'Changed', minWidth: 130, cell: ({ updatedAt }) => <LocalTime at={updatedAt} /> },
];

/** The list of applications. */
export default function ApplicationsPage() {
  usePageTitle('Applications');
  const api = useApi();
  const navigate = useNavigate();
  const { restriction } = useOperator();
  const [creating, setCreating] = useState(false);
  const pages = usePages({
    parameter: pageParameter,
    queryKey: queryKeys.applications,
    load: (cursor, signal) => api('list-applications', { query: { cursor }, signal }),
  });
  const create = (variant: 'primary' | 'normal') => (
    <ActionButton operation="create-application" variant={variant} onClick={() => setCreating(true)}>
      Create application
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="applications"
        trackBy={({ appId }) => appId}
        header={
          <Header variant="h1" description={restriction} actions={create('primary')}>
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
