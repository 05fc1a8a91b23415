import Grid from '@cloudscape-design/components/grid';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import { type UserStatus, userStatuses } from '#shared/contract/access.ts';
import type { UserView } from '#shared/contract/user.ts';
import { LocalTime } from '../lists/local-time.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { UserCell } from '../lists/user-cell.tsx';
import { userStatusLabels } from '../words.ts';

export const userColumns: readonly TableProps.ColumnDefinition<UserView>[] = [
  {
    id: 'id',
    header: 'User',
    isRowHeader: true,
    minWidth: 140,
    ...sortBy<UserView>(({ displayName, userId }) => displayName ?? userId),
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

function UserStatusIndicator({ status }: { readonly status: UserStatus }) {
  return (
    <StatusIndicator type={status === 'active' ? 'success' : 'stopped'}>{userStatusLabels[status]}</StatusIndicator>
  );
}

interface UsersFilterProps {
  /** The search text: beginnings of words, or insides of names. */
  readonly q: string;
  readonly onSearch: (q: string) => void;
  /** Undefined means any status. */
  readonly status: UserStatus | undefined;
  readonly onStatus: (status: UserStatus | undefined) => void;
}

const anyStatus = { value: 'any', label: 'Any status' };
const options = [anyStatus, ...userStatuses.map((value) => ({ value, label: userStatusLabels[value] }))];

/** Finds users by name, e-mail address or ID, and filters them by status. */
export function UsersFilter({ q, onSearch, status, onStatus }: UsersFilterProps) {
  const selected = options.find(({ value }) => value === status) ?? anyStatus;
  return (
    <Grid gridDefinition={[{ colspan: { default: 12, xs: 8 } }, { colspan: { default: 12, xs: 4 } }]}>
      <Input
        type="search"
        value={q}
        ariaLabel="Find users by name, e-mail or user ID"
        placeholder="Name, e-mail or user ID"
        clearAriaLabel="Clear"
        onChange={({ detail }) => onSearch(detail.value)}
      />
      <Select
        selectedOption={selected}
        options={options}
        ariaLabel="Status"
        onChange={({ detail }) => onStatus(userStatuses.find((known) => known === detail.selectedOption.value))}
      />
    </Grid>
  );
}
