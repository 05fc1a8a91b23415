import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import type { RoleView } from '#shared/contract/role.ts';
import type { MemberView } from '#shared/contract/role-members.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { UserCell } from '../lists/user-cell.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { ChangeUsers, useSelectedUsers } from '../users/change-users.tsx';

const columns: readonly TableProps.ColumnDefinition<MemberView>[] = [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    ...sortBy<MemberView>(({ displayName, userId }) => displayName ?? userId),
    cell: ({ userId, displayName }) => <UserCell userId={userId} displayName={displayName} />,
  },
  {
    id: 'email',
    header: 'E-mail',
    ...sortBy<MemberView>(({ email }) => email),
    cell: ({ email }) => <div className="break">{email ?? '–'}</div>,
  },
  {
    id: 'until',
    header: 'Until',
    ...sortBy<MemberView>(({ expiresAt }) => expiresAt && Date.parse(expiresAt)),
    cell: ({ expiresAt }) => (expiresAt === null ? 'No expiry' : <LocalTime at={expiresAt} />),
  },
];

/** The users who have a role. */
export function MembersDialog({
  role: { appId, role },
  onClose,
}: {
  readonly role: RoleView;
  readonly onClose: () => void;
}) {
  const api = useApi();
  const { selected, selection } = useSelectedUsers<MemberView>(appId);
  const pages = useList({
    queryKey: queryKeys.roleMembers(appId, role),
    load: (cursor, signal, limit) => api('list-members', { path: { appId, role }, query: { limit, cursor }, signal }),
  });
  return (
    <Modal visible header={`Members of ${role}`} closeAriaLabel="Close" size="large" onDismiss={onClose}>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="members"
        sortedBy="user"
        variant="embedded"
        trackBy={({ userId }) => userId}
        selection={selection}
        header={
          <Header
            variant="h3"
            counter={counterOf(pages)}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <ChangeUsers
                  users={selected}
                  action="revoke"
                  appId={appId}
                  role={role}
                  disabled={selected.length === 0}
                >
                  Remove users…
                </ChangeUsers>
                <ChangeUsers users={[]} action="assign" appId={appId} role={role}>
                  Add users…
                </ChangeUsers>
              </SpaceBetween>
            }
          >
            Users
          </Header>
        }
      />
    </Modal>
  );
}
