import Header from '@cloudscape-design/components/header';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { RoleView } from '#shared/contract/role.ts';
import type { MemberView } from '#shared/contract/role-members.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { BulkButton } from '../bulk/bulk-button.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { UserCell } from '../lists/user-cell.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';

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
  const { mayInAny } = useOperator();
  const [selected, select] = useState<readonly MemberView[]>([]);
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
        selection={mayInAny('set-access-in-bulk', appId) ? { selected, onSelect: select } : undefined}
        header={
          <Header
            variant="h3"
            counter={counterOf(pages)}
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
