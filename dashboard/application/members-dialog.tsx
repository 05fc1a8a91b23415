import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import type { TableProps } from '@cloudscape-design/components/table';
import type { MemberView, RoleView } from '#shared/contract/role.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { RouteLink, userPath } from '../shell/route-link.tsx';

const columns: readonly TableProps.ColumnDefinition<MemberView>[] = [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    cell: ({ userId }) => <RouteLink to={userPath(userId)}>{userId}</RouteLink>,
  },
  {
    id: 'until',
    header: 'Until',
    cell: ({ expiresAt }) => (expiresAt === null ? 'No expiry' : <LocalTime at={expiresAt} />),
  },
];

/** The users to whom a role is assigned. */
export function MembersDialog({
  role: { appId, role },
  onClose,
}: {
  readonly role: RoleView;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const pages = usePages({
    queryKey: queryKeys.roleMembers(appId, role),
    load: (cursor, signal) => api('list-members', { path: { appId, role }, query: { cursor }, signal }),
  });
  return (
    <Modal visible header={`Members of ${role}`} closeAriaLabel="Close" onDismiss={onClose}>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="members"
        variant="embedded"
        trackBy={({ userId }) => userId}
        header={<Header variant="h3">Users</Header>}
      />
    </Modal>
  );
}
