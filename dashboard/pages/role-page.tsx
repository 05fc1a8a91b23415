import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useParams } from 'react-router';
import type { RoleHolder } from '#client/management/roles-anywhere.ts';
import { countOf } from '#shared/contract/wording.ts';
import { createHoldersFile } from '#shared/csv/holder-table.ts';
import { ExportButton } from '../application/export-button.tsx';
import { AppCell } from '../lists/app-cell.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { UserCell } from '../lists/user-cell.tsx';
import { wholeList } from '../lists/whole-list.ts';
import { RoleSearchProgress } from '../roles/role-progress.tsx';
import { useRolesAnywhere } from '../roles/use-roles-anywhere.ts';
import { useOperator } from '../session/use-operator.ts';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';

const columns: readonly TableProps.ColumnDefinition<RoleHolder>[] = [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    minWidth: 140,
    ...sortBy<RoleHolder>(({ displayName, userId }) => displayName ?? userId),
    cell: ({ userId, displayName }) => <UserCell userId={userId} displayName={displayName} />,
  },
  {
    id: 'application',
    header: 'Application',
    minWidth: 140,
    ...sortBy<RoleHolder>(({ appName }) => appName),
    cell: ({ appId, appName }) => <AppCell appId={appId} name={appName} />,
  },
  {
    id: 'email',
    header: 'E-mail',
    minWidth: 140,
    ...sortBy<RoleHolder>(({ email }) => email),
    cell: ({ email }) => <span className="break">{email ?? '–'}</span>,
  },
  {
    id: 'until',
    header: 'Until',
    minWidth: 130,
    ...sortBy<RoleHolder>(({ expiresAt }) => expiresAt && Date.parse(expiresAt)),
    cell: ({ expiresAt }) => (expiresAt === null ? 'No expiry' : <LocalTime at={expiresAt} />),
  },
];

/** Who has a role of this name, in all applications. */
export default function RolePage() {
  const { role = '' } = useParams();
  usePageTitle(`Role ${role}`);
  const { restriction } = useOperator();
  const found = useRolesAnywhere(role);
  const { holders, roles, state } = found;
  // Rows of one user follow each other by application, whatever they are sorted by.
  const sorted = [...holders].sort((one, other) => one.appName.localeCompare(other.appName));
  const applications = roles.filter((one) => one.role === role).length;
  const users = new Set(holders.map(({ userId }) => userId)).size;
  const summary = `${countOf(users, 'user')} in ${countOf(new Set(holders.map(({ appId }) => appId)).size, 'application')}; ${countOf(applications, 'application')} ${applications === 1 ? 'defines' : 'define'} it`;
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Roles', href: '/roles' }} current={role} />
      <RoleSearchProgress found={found} />
      <PagedTable
        pages={wholeList(sorted, { isFetching: state === 'running' })}
        columns={columns}
        noun="holders"
        sortedBy="user"
        trackBy={({ userId, appId }) => `${appId}/${userId}`}
        header={
          <Header
            variant="h1"
            counter={`(${holders.length.toLocaleString('en')})`}
            description={[summary, restriction].filter(Boolean).join('. ')}
            actions={
              <ExportButton<RoleHolder>
                name={`holders-of-${role}`}
                noun="row"
                load={async () => ({ items: sorted, cursor: null })}
                createFile={async (rows) => createHoldersFile(role, rows)}
              />
            }
          >
            <span className="break">Who has the role {role}</span>
          </Header>
        }
        emptyHint={
          state === 'ended' &&
          (applications === 0
            ? 'No application has a role of this name. Names are case-sensitive.'
            : 'The role is defined, but no one has it.')
        }
      />
    </SpaceBetween>
  );
}
