import Box from '@cloudscape-design/components/box';
import type { TableProps } from '@cloudscape-design/components/table';
import type { UserView } from '#shared/contract/management.ts';
import { Moment } from '../lists/moment.tsx';
import { userPath } from '../shell/paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { UserStatusIndicator } from './user-status-indicator.tsx';

export const userColumns: readonly TableProps.ColumnDefinition<UserView>[] = [
  {
    id: 'id',
    header: 'User',
    isRowHeader: true,
    minWidth: 140,
    cell: ({ userId, displayName }) => (
      <>
        <RouteLink to={userPath(userId)}>{userId}</RouteLink>
        {displayName !== null && (
          <Box variant="small" display="block">
            {displayName}
          </Box>
        )}
      </>
    ),
  },
  { id: 'status', header: 'Status', minWidth: 110, cell: ({ status }) => <UserStatusIndicator status={status} /> },
  { id: 'email', header: 'E-mail', minWidth: 140, cell: ({ email }) => email ?? '–' },
  { id: 'created', header: 'Created', minWidth: 140, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];
