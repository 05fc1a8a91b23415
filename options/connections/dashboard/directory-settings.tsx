import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { counterOf, useList } from '#dashboard/api/use-list.ts';
import { useAllApplications } from '#dashboard/forms/use-all-applications.ts';
import { AppCell } from '#dashboard/lists/app-cell.tsx';
import { Fact } from '#dashboard/lists/fact.tsx';
import { PagedTable } from '#dashboard/lists/paged-table.tsx';
import { sortBy } from '#dashboard/lists/sort-items.ts';
import { pageParameter } from '#dashboard/lists/use-filter.ts';
import type { ConnectionView } from '../contract/connection.ts';
import { connectionQueries } from './connection-queries.ts';
import type { GroupRow } from './group-roles-field.tsx';

/** How a directory's users are identified, and which roles its groups assign. */
export function DirectorySettings({ connection }: { readonly connection: ConnectionView }) {
  const { connectionId, version, userIdAttribute, takeover, groupRoles } = connection;
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: [...connectionQueries.one(connectionId), 'groups', version],
    load: async () => ({ items: [...groupRoles], cursor: null }),
  });
  const { data: applications = [] } = useAllApplications();
  const nameOf = (appId: string) => applications.find((one) => one.appId === appId)?.name ?? appId;
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Users</Header>}>
        <ColumnLayout columns={2}>
          <Fact label="User ID">The attribute {userIdAttribute}</Fact>
          <Fact label="Existing users with the same ID">
            {takeover === 'matching' ? 'Taken over, unless a directory manages them' : 'Refused'}
          </Fact>
        </ColumnLayout>
      </Container>
      <PagedTable
        pages={pages}
        columns={columnsOf(nameOf)}
        noun="roles of groups"
        sortedBy="group"
        trackBy={({ group, appId, role }) => `${appId} ${role} ${group}`}
        emptyHint="Edit the connection to assign roles to its groups."
        header={
          <Header
            variant="h2"
            counter={counterOf(pages)}
            description="A change applies to the members of a group with the next change that the directory sends for it."
          >
            Roles of groups
          </Header>
        }
      />
    </SpaceBetween>
  );
}

function columnsOf(nameOf: (appId: string) => string): readonly TableProps.ColumnDefinition<GroupRow>[] {
  return [
    {
      id: 'group',
      header: 'Group',
      isRowHeader: true,
      minWidth: 140,
      ...sortBy<GroupRow>(({ group }) => group),
      cell: ({ group }) => <span className="break">{group}</span>,
    },
    {
      id: 'application',
      header: 'Application',
      minWidth: 140,
      ...sortBy<GroupRow>(({ appId }) => nameOf(appId)),
      cell: ({ appId }) => <AppCell appId={appId} name={nameOf(appId)} />,
    },
    {
      id: 'role',
      header: 'Role',
      minWidth: 120,
      ...sortBy<GroupRow>(({ role }) => role),
      cell: ({ role }) => <span className="break">{role}</span>,
    },
  ];
}
