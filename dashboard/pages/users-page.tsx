import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { isUserId } from '#shared/contract/fields.ts';
import type { UserView } from '#shared/contract/user.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import type { LoadPage } from '../api/use-pages.ts';
import { ExportButton } from '../application/export-button.tsx';
import { ActionButton } from '../forms/action-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter, useClearFilters, useFilter } from '../lists/use-filter.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { useApi } from '../session/dashboard-context.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { lazyPart } from '../shell/lazy-part.tsx';
import { userPath } from '../shell/page-paths.ts';
import { ChangeUsers, useSelectedUsers } from '../users/change-users.tsx';
import { useKeptText } from '../users/use-debounced.ts';
import { rolesColumn, UsersFilter, userColumns, userFilterOf, userFilters } from '../users/user-list.tsx';

const CreateUserDialog = lazyPart(() => import('../users/create-user-dialog.tsx'));

const links = registeredPages.flatMap(({ userLinks = [] }) => userLinks);

/** The list of users. */
export default function UsersPage() {
  const api = useApi();
  const navigate = useNavigate();
  const [q, search] = useFilter('q');
  const [chosen, choose] = useFilter('status');
  const filter = userFilterOf(chosen);
  const [typed, type] = useKeptText(q, search);
  usePageTitle(q === '' ? 'Users' : `${q} · Users`);
  const clearFilters = useClearFilters('q', 'status');
  const [creating, setCreating] = useState(false);
  const { selected, selection } = useSelectedUsers<UserView>();
  const load: LoadPage<UserView> = (cursor, signal, limit) =>
    api('list-users', { query: { q, ...(filter && userFilters[filter].query), limit, cursor }, signal });
  const pages = useList({ parameter: pageParameter, queryKey: [...queryKeys.users, { q, filter }], load });
  const create = (variant: 'primary' | 'normal') => (
    <ActionButton operation="create-user" variant={variant} onClick={() => setCreating(true)}>
      Create user
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={pages}
        columns={filter?.endsWith('role') ? [...userColumns.slice(0, -1), rolesColumn] : userColumns}
        noun="users"
        counted={q === '' ? (filter ?? 'any') : undefined}
        // A search has the best match first.
        sortedBy={q === '' ? 'id' : undefined}
        trackBy={({ userId }) => userId}
        header={
          <Header
            variant="h1"
            counter={counterOf(pages)}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <ExportButton
                  name="users"
                  load={load}
                  createFile={async (users) => (await import('#shared/csv/user-table.ts')).createUserFile(users)}
                />
                <ChangeUsers users={selected} />
                {links.map(({ text, to, operation }) => (
                  <ActionButton key={to} operation={operation} onClick={() => navigate(to)}>
                    {text}
                  </ActionButton>
                ))}
                {create('primary')}
              </SpaceBetween>
            }
          >
            Users
          </Header>
        }
        selection={selection}
        clearFilters={clearFilters}
        emptyHint={q !== '' && searchHint(q)}
        emptyAction={(q === '' || isUserId(q)) && create('normal')}
        filter={<UsersFilter q={typed} onSearch={type} filter={filter} onFilter={choose} />}
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

function searchHint(q: string): string {
  return [...q].length === 1
    ? 'A single character only matches a user with exactly this ID. Enter at least two.'
    : 'The search matches the beginnings of words in names, e-mail addresses and user IDs, and four letters or more inside names.';
}
