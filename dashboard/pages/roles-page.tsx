import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import type { RoleView } from '#shared/contract/role.ts';
import { SearchInput } from '../forms/search-input.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { useClearFilters, useFilter } from '../lists/use-filter.ts';
import { wholeList } from '../lists/whole-list.ts';
import { RoleSearchProgress } from '../roles/role-progress.tsx';
import { useRolesAnywhere } from '../roles/use-roles-anywhere.ts';
import { useOperator } from '../session/use-operator.ts';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';
import { applicationPath, rolePath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';
import { useKeptText } from '../users/use-debounced.ts';

/** A name of roles, with those of all applications that have it. */
interface NamedRole {
  readonly role: string;
  readonly defined: readonly RoleView[];
}

/** More are counted. */
const maxNamed = 3;

const columns: readonly TableProps.ColumnDefinition<NamedRole>[] = [
  {
    id: 'role',
    header: 'Role',
    isRowHeader: true,
    minWidth: 140,
    ...sortBy<NamedRole>(({ role }) => role),
    cell: ({ role }) => (
      <span className="break">
        <RouteLink to={rolePath(role)}>{role}</RouteLink>
      </span>
    ),
  },
  {
    id: 'count',
    header: 'Applications',
    minWidth: 120,
    ...sortBy<NamedRole>(({ defined }) => defined.length),
    cell: ({ defined }) => defined.length.toLocaleString('en'),
  },
  {
    id: 'applications',
    header: 'Defined in',
    minWidth: 200,
    cell: ({ defined }) => (
      <SpaceBetween direction="horizontal" size="xs">
        {defined.slice(0, maxNamed).map(({ appId }) => (
          <RouteLink key={appId} to={`${applicationPath(appId)}?tab=roles`}>
            {appId}
          </RouteLink>
        ))}
        {defined.length > maxNamed && `and ${(defined.length - maxNamed).toLocaleString('en')} more`}
      </SpaceBetween>
    ),
  },
];

/** The names of all roles, over all applications. */
export default function RolesPage() {
  usePageTitle('Roles');
  const { restriction } = useOperator();
  const found = useRolesAnywhere();
  const [q, search] = useFilter('q');
  const [typed, type] = useKeptText(q, search);
  const clearFilters = useClearFilters('q');
  const named = [...Map.groupBy(found.roles, ({ role }) => role)].map(([role, defined]) => ({ role, defined }));
  const shown = named.filter(({ role }) => role.toLowerCase().includes(q.toLowerCase()));
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Applications', href: '/applications' }} current="Roles" />
      <RoleSearchProgress found={found} />
      <PagedTable
        pages={wholeList(shown, { isFetching: found.state === 'running' })}
        columns={columns}
        noun="roles"
        sortedBy="role"
        trackBy={({ role }) => role}
        header={
          <Header
            variant="h1"
            counter={`(${shown.length.toLocaleString('en')})`}
            description={restriction ?? 'The roles of all applications, by name'}
          >
            Roles
          </Header>
        }
        clearFilters={clearFilters}
        filter={<SearchInput value={typed} label="Find roles by name" placeholder="Name of a role" onChange={type} />}
      />
    </SpaceBetween>
  );
}
