import Header from '@cloudscape-design/components/header';
import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import type { UserStatus } from '#shared/contract/access.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { userPath } from '../shell/route-link.tsx';
import { userColumns } from '../users/user-columns.tsx';
import { UsersFilter, useDebounced } from '../users/users-filter.tsx';

const CreateUserDialog = lazy(() => import('../users/create-user-dialog.tsx'));

/** The list of users. */
export default function UsersPage() {
  usePageTitle('Users');
  const api = useApi();
  const navigate = useNavigate();
  const [prefix, setPrefix] = useState('');
  const [status, setStatus] = useState<UserStatus>();
  const [creating, setCreating] = useState(false);
  const asked = useDebounced(prefix.trim(), 250);
  const pages = usePages({
    queryKey: [...queryKeys.users, { prefix: asked, status }],
    load: (cursor, signal) => api('list-users', { query: { prefix: asked, status, cursor }, signal }),
  });
  const create = (variant: 'primary' | 'normal') => (
    <ActionButton operation="create-user" variant={variant} onClick={() => setCreating(true)}>
      Create user
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={pages}
        columns={userColumns}
        noun="users"
        trackBy={({ userId }) => userId}
        header={
          <Header variant="h1" actions={create('primary')}>
            Users
          </Header>
        }
        emptyAction={create('normal')}
        filter={<UsersFilter prefix={prefix} onPrefix={setPrefix} status={status} onStatus={setStatus} />}
      />
      {creating && (
        <Suspense>
          <CreateUserDialog onClose={() => setCreating(false)} onCreated={(userId) => navigate(userPath(userId))} />
        </Suspense>
      )}
    </>
  );
}
