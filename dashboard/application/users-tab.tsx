import Header from '@cloudscape-design/components/header';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { fullRollout } from '#shared/contract/rollout.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { BulkButton } from '../bulk/bulk-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter, useClearFilters, useFilter } from '../lists/use-filter.ts';
import { UserCell } from '../lists/user-cell.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { AccessControl } from '../user/access-control.tsx';
import { StatusBadge, StatusDetails } from '../user/access-status.tsx';
import { AccessSwitch } from '../user/access-switch.tsx';
import { SettingNote } from '../user/setting-note.tsx';
import { accessLabels } from '../words.ts';

/** Which users each filter shows. */
const filters = {
  set: { label: 'With a setting or role', query: {} },
  disabled: { label: accessLabels.disabled, query: { effectiveStatus: 'disabled' } },
  blocked: {
    label: `${accessLabels.disabled}: by a setting`,
    query: { effectiveStatus: 'disabled', decidedBy: 'explicit' },
  },
  inactive: {
    label: `${accessLabels.disabled}: user inactive`,
    query: { effectiveStatus: 'disabled', decidedBy: 'user' },
  },
  rollout: {
    label: `${accessLabels.disabled}: by the rollout`,
    query: { effectiveStatus: 'disabled', decidedBy: 'rollout' },
  },
  enabled: { label: accessLabels.enabled, query: { effectiveStatus: 'enabled' } },
} as const;
type Filter = keyof typeof filters;

const filterNames = Object.keys(filters) as Filter[];
const options: readonly SelectProps.Option[] = filterNames.map((value) => ({ value, label: filters[value].label }));

/** The users of an application with a setting or roles, or by effective status, with a switch each. */
export default function UsersTab({ application }: { readonly application: ApplicationView }) {
  const { appId, rolloutPercent } = application;
  const api = useApi();
  const [chosen, choose] = useFilter('access');
  const filter = filterNames.find((known) => known === chosen) ?? 'set';
  const [selected, select] = useState<readonly ApplicationUserView[]>([]);
  const clearFilters = useClearFilters('access');
  const pages = usePages({
    parameter: pageParameter,
    queryKey: [...queryKeys.applicationUsers(appId), { filter }],
    load: (cursor, signal) =>
      api('list-application-users', { path: { appId }, query: { ...filters[filter].query, cursor }, signal }),
  });
  return (
    <PagedTable
      pages={pages}
      columns={columnsOf(application)}
      noun="users"
      trackBy={({ userId }) => userId}
      selection={{ selected, onSelect: select }}
      clearFilters={clearFilters}
      header={
        <Header
          variant="h2"
          actions={<BulkButton users={selected} appId={appId} />}
          description={
            filter === 'set' ? `Users with a setting or roles. ${describeOthers(rolloutPercent)}` : undefined
          }
        >
          Users
        </Header>
      }
      filter={
        <Select
          ariaLabel="Users to show"
          options={options}
          selectedOption={options.find(({ value }) => value === filter) ?? null}
          onChange={({ detail: { selectedOption } }) =>
            choose(selectedOption.value === 'set' ? undefined : selectedOption.value)
          }
        />
      }
    />
  );
}

function describeOthers(rolloutPercent: number): string {
  if (rolloutPercent === fullRollout) return 'All others are allowed by default.';
  return rolloutPercent === 0
    ? 'All others are blocked by the rollout.'
    : `Of all others, ${rolloutPercent}% are allowed.`;
}

const columnsOf = ({
  name: appName,
  rolloutPercent,
  requireReason,
}: ApplicationView): readonly TableProps.ColumnDefinition<ApplicationUserView>[] => [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    minWidth: 150,
    cell: ({ userId, displayName, email }) => <UserCell userId={userId} displayName={displayName} email={email} />,
  },
  {
    id: 'switch',
    header: 'Setting',
    minWidth: 120,
    cell: (access) => (
      <AccessControl access={{ ...access, appName, rolloutPercent, requireReason }}>
        {(change) => <AccessSwitch access={{ ...access, appName, rolloutPercent, requireReason }} change={change} />}
      </AccessControl>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 180,
    cell: (access) => (
      <SpaceBetween size="xxxs">
        <StatusBadge access={access} />
        <StatusDetails access={access} rolloutPercent={rolloutPercent} />
        {access.decidedBy === 'user' ? (
          <SettingNote setting={access.userStatusSetBy} withReason />
        ) : (
          access.explicit && <SettingNote setting={access.statusSetBy} />
        )}
      </SpaceBetween>
    ),
  },
  {
    id: 'roles',
    header: 'Roles',
    minWidth: 120,
    cell: ({ roles }) => (roles.length === 0 ? '–' : roles.map((role) => role.name).join(', ')),
  },
];
