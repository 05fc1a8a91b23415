import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { userStatuses } from '#shared/contract/access.ts';
import { isUserId } from '#shared/contract/fields.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { userPath } from '../shell/route-link.tsx';
import { useKeptText } from '../users/use-debounced.ts';
import { userColumns } from '../users/user-columns.tsx';
import { UsersFilter } from '../users/users-filter.tsx';

const CreateUserDialog = lazy(() => import('../users/create-user-dialog.tsx'));

/** The list of users. */
export default function UsersPage() {
  usePageTitle('Users');
  const api = useApi();
  const navigate = useNavigate();
  const { q, status, filter } = useFilter();
  const [typed, type] = useKeptText(q, (text) => filter('q', text));
  const [creating, setCreating] = useState(false);
  const pages = usePages({
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
          <Header variant="h1" actions={create('primary')}>
            Users
          </Header>
        }
        emptyAction={<NobodyFound q={q} create={create('normal')} />}
        filter={<UsersFilter q={typed} onSearch={type} status={status} onStatus={(one) => filter('status', one)} />}
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

/** What is looked for, as the URL has it, so that it can be bookmarked and survives Back. */
function useFilter() {
  const [parameters, setParameters] = useSearchParams();
  const filter = (name: 'q' | 'status', value: string | undefined) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const status = userStatuses.find((known) => known === parameters.get('status'));
  return { q: parameters.get('q')?.trim() ?? '', status, filter };
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
