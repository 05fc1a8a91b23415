import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { RoleView } from '#shared/contract/role.ts';
import type { MemberView } from '#shared/contract/role-members.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { BulkButton } from '../bulk/bulk-button.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { UserCell } from '../lists/user-cell.tsx';
import { useApi } from '../session/dashboard-context.ts';

const columns: readonly TableProps.ColumnDefinition<MemberView>[] = [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    cell: ({ userId, displayName }) => <UserCell userId={userId} displayName={displayName} />,
  },
  { id: 'email', header: 'E-mail', cell: ({ email }) => <div className="break">{email ?? '–'}</div> },
  {
    id: 'until',
    header: 'Until',
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
  const [selected, select] = useState<readonly MemberView[]>([]);
  const pages = usePages({
    queryKey: queryKeys.roleMembers(appId, role),
    load: (cursor, signal) => api('list-members', { path: { appId, role }, query: { cursor }, signal }),
  });
  return (
    <Modal visible header={`Members of ${role}`} closeAriaLabel="Close" size="large" onDismiss={onClose}>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="members"
        variant="embedded"
        trackBy={({ userId }) => userId}
        selection={{ selected, onSelect: select }}
        header={
          <Header
            variant="h3"
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <BulkButton users={selected} action="revoke" appId={appId} role={role} disabled={selected.length === 0}>
                  Remove users…
                </BulkButton>
                <BulkButton users={[]} action="assign" appId={appId} role={role}>
                  Add users…
                </BulkButton>
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
