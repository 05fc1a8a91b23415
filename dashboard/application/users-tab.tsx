import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { type Access, accessStatuses, type AccessStatus as Status } from '#shared/contract/access.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { PagedTable } from '../lists/paged-table.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { RouteLink, userPath } from '../shell/route-link.tsx';
import { AccessStatus } from '../user/access-status.tsx';

const anyStatus = { value: 'any', label: 'Any status' };
const options = [anyStatus, { value: 'enabled', label: 'Enabled' }, { value: 'disabled', label: 'Disabled' }];

/** The users with an explicit setting or with roles; of all others the rollout decides. */
export default function UsersTab({ application }: { readonly application: ApplicationView }) {
  const { appId, rolloutPercent } = application;
  const api = useApi();
  const [status, setStatus] = useState<Status>();
  const pages = usePages({
    queryKey: [...queryKeys.applicationUsers(appId), { status }],
    load: (cursor, signal) => api('list-application-users', { path: { appId }, query: { status, cursor }, signal }),
  });
  return (
    <PagedTable
      pages={pages}
      columns={columnsOf(rolloutPercent)}
      noun="users"
      trackBy={({ userId }) => userId}
      header={
        <Header
          variant="h2"
          description={`Users with an explicit setting or with roles. ${describeOthers(rolloutPercent)}`}
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

function describeOthers(rolloutPercent: number): string {
  if (rolloutPercent === fullRollout) return 'All others are enabled by default.';
  return rolloutPercent === 0 ? 'All others are disabled.' : `Of all others, ${rolloutPercent} % are enabled.`;
}

const columnsOf = (rolloutPercent: number): readonly TableProps.ColumnDefinition<Access>[] => [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    minWidth: 130,
    cell: ({ userId }) => <RouteLink to={userPath(userId)}>{userId}</RouteLink>,
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 180,
    cell: (access) => <AccessStatus access={access} rolloutPercent={rolloutPercent} />,
  },
  {
    id: 'roles',
    header: 'Roles',
    minWidth: 120,
    cell: ({ roles }) => (roles.length === 0 ? '–' : roles.map(({ name }) => name).join(', ')),
  },
];
