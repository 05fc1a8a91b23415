import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { userStatuses } from '#shared/contract/access.ts';
import { isUserId } from '#shared/contract/fields.ts';
import type { UserView } from '#shared/contract/user.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { BulkButton } from '../bulk/bulk-button.tsx';
import { ActionButton } from '../forms/action-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter, useFilter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { lazyPart } from '../shell/lazy-part.ts';
import { userPath } from '../shell/route-link.tsx';
import { useKeptText } from '../users/use-debounced.ts';
import { userColumns } from '../users/user-columns.tsx';
import { UsersFilter } from '../users/users-filter.tsx';

const CreateUserDialog = lazyPart(() => import('../users/create-user-dialog.tsx'));

/** The list of users. */
export default function UsersPage() {
  usePageTitle('Users');
  const api = useApi();
  const navigate = useNavigate();
  const [q, search] = useFilter('q');
  const [chosen, choose] = useFilter('status');
  const status = userStatuses.find((known) => known === chosen);
  const [typed, type] = useKeptText(q, search);
  const [creating, setCreating] = useState(false);
  const [selected, select] = useState<readonly UserView[]>([]);
  const pages = usePages({
    parameter: pageParameter,
    queryKey: [...queryKeys.users, { q, status }],
    load: (cursor, signal) => api('list-users', { query: { q, status, cursor }, signal }),
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
          <Header
            variant="h1"
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <BulkButton users={selected} />
                {create('primary')}
              </SpaceBetween>
            }
          >
            Users
          </Header>
        }
        selection={{ selected, onSelect: select }}
        emptyAction={<NobodyFound q={q} create={create('normal')} />}
        filter={<UsersFilter q={typed} onSearch={type} status={status} onStatus={choose} />}
      />
      {creating && (
        <Suspense>
          <CreateUserDialog
            known={isUserId(q) ? q : ''}
            onClose={() => setCreating(false)}
            onCreated={(userId) => navigate(userPath(userId))}
          />
        </Suspense>
      )}
    </>
  );
}

/** A user can be created who is not there; what cannot be an id is a search that found nobody. */
function NobodyFound({ q, create }: { readonly q: string; readonly create: ReactNode }) {
  const isShort = [...q].length === 1;
  return (
    <SpaceBetween size="s">
      {q !== '' && (
        <Box color="text-body-secondary">
          {isShort
            ? 'One character finds only the user of exactly this id. Type at least two.'
            : 'The search compares the beginnings of the words of names, e-mail addresses and ids.'}
        </Box>
      )}
      {(q === '' || isUserId(q)) && create}
    </SpaceBetween>
  );
}
