import type { TableProps } from '@cloudscape-design/components/table';
import type { Access } from '#shared/contract/access.ts';
import { userPath } from '../shell/paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { AccessStatus } from '../user/access-status.tsx';

/** What holds for each user of an application. */
export const accessColumns: readonly TableProps.ColumnDefinition<Access>[] = [
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
