import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { type Access, accessStatuses, type AccessStatus as Status } from '#shared/contract/access.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { PagedTable } from '../lists/paged-table.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { RouteLink, userPath } from '../shell/route-link.tsx';
import { AccessStatus } from '../user/access-status.tsx';

const anyStatus = { value: 'any', label: 'Any status' };
const options = [anyStatus, { value: 'enabled', label: 'Enabled' }, { value: 'disabled', label: 'Disabled' }];

/** The users with an explicit setting or with roles; all others are enabled by default. */
export default function UsersTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const [status, setStatus] = useState<Status>();
  const pages = usePages({
    queryKey: [...queryKeys.applicationUsers(appId), { status }],
    load: (cursor, signal) => api('list-application-users', { path: { appId }, query: { status, cursor }, signal }),
  });
  return (
    <PagedTable
      pages={pages}
      columns={columns}
      noun="users"
      trackBy={({ userId }) => userId}
      header={
        <Header
          variant="h2"
          description="Users with an explicit setting or with roles. All others are enabled by default."
        >
          Users
        </Header>
      }
      filter={
        <Select
          ariaLabel="Status"
          options={options}
          selectedOption={options.find(({ value }) => value === status) ?? anyStatus}
          onChange={({ detail }) => setStatus(accessStatuses.find((known) => known === detail.selectedOption.value))}
        />
      }
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<Access>[] = [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    minWidth: 130,
    cell: ({ userId }) => <RouteLink to={userPath(userId)}>{userId}</RouteLink>,
  },
  { id: 'status', header: 'Status', minWidth: 180, cell: (access) => <AccessStatus access={access} /> },
  {
    id: 'roles',
    header: 'Roles',
    minWidth: 120,
    cell: ({ roles }) => (roles.length === 0 ? '–' : roles.map(({ name }) => name).join(', ')),
  },
];
