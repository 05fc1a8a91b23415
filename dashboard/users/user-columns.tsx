import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { TableProps } from '@cloudscape-design/components/table';
import type { UserStatus } from '#shared/contract/access.ts';
import type { UserView } from '#shared/contract/user.ts';
import { LocalTime } from '../lists/local-time.tsx';
import { UserCell } from '../lists/user-cell.tsx';
import { userStatusLabels } from '../words.ts';

export const userColumns: readonly TableProps.ColumnDefinition<UserView>[] = [
  {
    id: 'id',
    header: 'User',
    isRowHeader: true,
    minWidth: 140,
    cell: ({ userId, displayName }) => <UserCell userId={userId} displayName={displayName} />,
  },
  { id: 'status', header: 'Status', minWidth: 110, cell: ({ status }) => <UserStatusIndicator status={status} /> },
  { id: 'email', header: 'E-mail', minWidth: 140, cell: ({ email }) => email ?? '–' },
  { id: 'created', header: 'Created', minWidth: 140, cell: ({ createdAt }) => <LocalTime at={createdAt} /> },
];

function UserStatusIndicator({ status }: { readonly status: UserStatus }) {
  return (
    <StatusIndicator type={status === 'active' ? 'success' : 'stopped'}>{userStatusLabels[status]}</StatusIndicator>
  );
}
