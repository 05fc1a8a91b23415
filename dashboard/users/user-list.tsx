import Grid from '@cloudscape-design/components/grid';
import Select from '@cloudscape-design/components/select';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import type { UserStatus } from '#shared/contract/access.ts';
import type { ListedUserView, UserView } from '#shared/contract/user.ts';
import { SearchInput } from '../forms/search-input.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { UserCell } from '../lists/user-cell.tsx';
import { userStatusLabels } from '../words.ts';
import { byName, usersSearch } from './users-search.ts';

export const userColumns: readonly TableProps.ColumnDefinition<UserView>[] = [
  {
    id: 'id',
    header: 'User',
    isRowHeader: true,
    minWidth: 140,
    ...byName,
    cell: ({ userId, displayName }) => <UserCell userId={userId} displayName={displayName} />,
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 125,
    ...sortBy<UserView>(({ status }) => userStatusLabels[status]),
    cell: ({ status }) => <UserStatusIndicator status={status} />,
  },
  {
    id: 'email',
    header: 'E-mail',
    minWidth: 140,
    ...sortBy<UserView>(({ email }) => email),
    cell: ({ email }) => <span className="break">{email ?? '–'}</span>,
  },
  {
    id: 'created',
    header: 'Created',
    minWidth: 140,
    ...sortBy<UserView>(({ createdAt }) => Date.parse(createdAt)),
    cell: ({ createdAt }) => <LocalTime at={createdAt} />,
  },
];

/** Which roles, in a list of users who have one, in place of the last column. */
export const rolesColumn: TableProps.ColumnDefinition<ListedUserView> = {
  id: 'roles',
  header: 'Roles',
  minWidth: 140,
  cell: ({ roles = [] }) => (
    <span className="break">{roles.map(({ appId, name }) => `${name} in ${appId}`).join(', ')}</span>
  ),
};

function UserStatusIndicator({ status }: { readonly status: UserStatus }) {
  return (
    <StatusIndicator type={status === 'active' ? 'success' : 'stopped'}>{userStatusLabels[status]}</StatusIndicator>
  );
}

interface UsersFilterProps {
  /** The search text: beginnings of words, or insides of names. */
  readonly q: string;
  readonly onSearch: (q: string) => void;
  /** Undefined means any user. */
  readonly filter: UserFilter | undefined;
  readonly onFilter: (filter: UserFilter | undefined) => void;
}

/** The filters of the list, by their values in the URL, with what they ask for. */
export const userFilters = {
  active: { label: userStatusLabels.active, query: { status: 'active' } },
  inactive: { label: userStatusLabels.inactive, query: { status: 'inactive' } },
  'with-role': { label: 'Has a role', query: { hasRole: 'true' } },
  'inactive-with-role': { label: 'Inactive with roles', query: { status: 'inactive', hasRole: 'true' } },
} as const;
export type UserFilter = keyof typeof userFilters;

const filterNames = Object.keys(userFilters) as UserFilter[];
const anyUser = { value: 'any', label: 'Any status' };
const options = [anyUser, ...filterNames.map((value) => ({ value, label: userFilters[value].label }))];

/** The filter with this name, if there is one. */
export function userFilterOf(name: string | undefined): UserFilter | undefined {
  return filterNames.find((known) => known === name);
}

/** Finds users by name, e-mail address or ID, and filters them by status and roles. */
export function UsersFilter({ q, onSearch, filter, onFilter }: UsersFilterProps) {
  const selected = options.find(({ value }) => value === filter) ?? anyUser;
  return (
    <Grid gridDefinition={[{ colspan: { default: 12, xs: 8 } }, { colspan: { default: 12, xs: 4 } }]}>
      <SearchInput value={q} {...usersSearch} onChange={onSearch} />
      <Select
        selectedOption={selected}
        options={options}
        ariaLabel="Status"
        onChange={({ detail }) => onFilter(userFilterOf(detail.selectedOption.value))}
      />
    </Grid>
  );
}
