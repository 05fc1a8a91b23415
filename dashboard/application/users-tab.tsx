import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import type { ApplicationUserView } from '#shared/contract/access-lists.ts';
import type { ApplicationView } from '#shared/contract/application.ts';
import { describeOthers } from '#shared/contract/wording.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import type { LoadPage } from '../api/use-pages.ts';
import { SearchInput } from '../forms/search-input.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { pageParameter, useClearFilters, useFilter } from '../lists/use-filter.ts';
import { UserCell } from '../lists/user-cell.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { AccessControl } from '../user/access-control.tsx';
import { UserStatus } from '../user/access-status.tsx';
import { AccessSwitch } from '../user/access-switch.tsx';
import { ChangeUsers, useSelectedUsers } from '../users/change-users.tsx';
import { useKeptText } from '../users/use-debounced.ts';
import { accessLabels } from '../words.ts';
import { ExportButton } from './export-button.tsx';

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

/** A search also finds users without a setting or a role. */
function labelOf(filter: Filter, q: string): string {
  return filter === 'set' && q !== '' ? 'With any access' : filters[filter].label;
}

/** The users of an application with a setting or roles, or by effective status, with a switch each. */
export default function UsersTab({ application }: { readonly application: ApplicationView }) {
  const { missingRole } = useOperator();
  const { appId, rolloutPercent } = application;
  const api = useApi();
  const [chosen, choose] = useFilter('access');
  const filter = filterNames.find((known) => known === chosen) ?? 'set';
  const { selected, selection } = useSelectedUsers<ApplicationUserView>(appId);
  const [q, search] = useFilter('q');
  const [typed, type] = useKeptText(q, search);
  const clearFilters = useClearFilters('access', 'q');
  const load: LoadPage<ApplicationUserView> = (cursor, signal, limit) => {
    const query = { ...filters[filter].query, ...(q !== '' && { q }), limit, cursor };
    return api('list-application-users', { path: { appId }, query, signal });
  };
  const pages = useList({
    parameter: pageParameter,
    queryKey: [...queryKeys.applicationUsers(appId), { filter, q }],
    load,
  });
  const options = filterNames.map((value) => ({ value, label: labelOf(value, q) }));
  return (
    <PagedTable
      pages={pages}
      columns={columnsOf(application)}
      noun="users"
      // A search has the best match first.
      sortedBy={q === '' ? 'user' : undefined}
      trackBy={({ userId }) => userId}
      selection={selection}
      clearFilters={clearFilters}
      emptyHint={
        clearFilters === undefined &&
        'A user is listed once allowed, blocked or given a role here. The search finds all others.'
      }
      header={
        <Header
          variant="h2"
          counter={counterOf(pages)}
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <ExportButton
                name={`users-of-${appId}`}
                load={load}
                createFile={async (users) => (await import('./users-file.ts')).createUsersFile(users)}
              />
              <ChangeUsers users={selected} appId={appId} />
            </SpaceBetween>
          }
          description={[
            filter === 'set' &&
              q === '' &&
              `Users with a setting or roles. All others: ${describeOthers(rolloutPercent)}.`,
            missingRole('set-user-access', appId),
          ]
            .filter(Boolean)
            .join(' ')}
        >
          Users
        </Header>
      }
      filter={
        <Grid gridDefinition={[{ colspan: { default: 12, xs: 7 } }, { colspan: { default: 12, xs: 5 } }]}>
          <SearchInput
            value={typed}
            label="Find users by name, e-mail or user ID"
            placeholder="Name, e-mail or user ID"
            onChange={type}
          />
          <Select
            ariaLabel="Users to show"
            options={options}
            selectedOption={options.find(({ value }) => value === filter) ?? null}
            onChange={({ detail: { selectedOption } }) =>
              choose(selectedOption.value === 'set' ? undefined : selectedOption.value)
            }
          />
        </Grid>
      }
    />
  );
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
    ...sortBy<ApplicationUserView>(({ displayName, userId }) => displayName ?? userId),
    cell: ({ userId, displayName, email }) => <UserCell userId={userId} displayName={displayName} email={email} />,
  },
  {
    id: 'switch',
    header: 'Setting',
    minWidth: 140,
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
    ...sortBy<ApplicationUserView>(({ effectiveStatus }) => accessLabels[effectiveStatus]),
    cell: (access) => <UserStatus access={access} rolloutPercent={rolloutPercent} />,
  },
  {
    id: 'roles',
    header: 'Roles',
    minWidth: 120,
    cell: ({ roles }) => (roles.length === 0 ? '–' : roles.map((role) => role.name).join(', ')),
  },
];
