import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { RoleView } from '#shared/contract/role.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';
import { MembersDialog } from './members-dialog.tsx';
import { DefineRoleDialog, DeleteRoleDialog } from './role-dialogs.tsx';

/** The open dialog; `define` without a role creates a new one. */
interface Doing {
  readonly what: 'define' | 'members' | 'delete';
  readonly role?: RoleView;
}

/** The roles of an application: define, list members, delete. */
export default function RolesTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const [doing, setDoing] = useState<Doing>();
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: queryKeys.applicationRoles(appId),
    load: (cursor, signal, limit) => api('list-roles', { path: { appId }, query: { limit, cursor }, signal }),
  });
  const close = () => setDoing(undefined);
  const done = () => {
    close();
    pages.reload();
  };
  const define = (
    <ActionButton operation="define-role" appId={appId} onClick={() => setDoing({ what: 'define' })}>
      Define role
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={pages}
        columns={[...columns, actionsColumn(setDoing)]}
        noun="roles"
        sortedBy="role"
        trackBy={({ role }) => role}
        emptyHint="A role is a name that the application knows, such as editor. Users get it in this application only."
        emptyAction={define}
        header={
          <Header variant="h2" counter={counterOf(pages)} actions={define}>
            Roles
          </Header>
        }
      />
      {doing?.what === 'define' && (
        <DefineRoleDialog appId={appId} role={doing.role} onClose={close} onDefined={done} />
      )}
      {doing?.what === 'members' && doing.role && <MembersDialog role={doing.role} onClose={close} />}
      {doing?.what === 'delete' && doing.role && (
        <DeleteRoleDialog role={doing.role} onClose={close} onDeleted={done} />
      )}
    </>
  );
}

const columns: readonly TableProps.ColumnDefinition<RoleView>[] = [
  {
    id: 'role',
    header: 'Role',
    isRowHeader: true,
    minWidth: 130,
    ...sortBy<RoleView>(({ role }) => role),
    cell: ({ role, description }) => (
      <>
        {role}
        {description !== null && (
          <Box variant="small" display="block">
            {description}
          </Box>
        )}
      </>
    ),
  },
];

function actionsColumn(onDo: (doing: Doing) => void): TableProps.ColumnDefinition<RoleView> {
  return {
    id: 'actions',
    header: 'Actions',
    minWidth: 130,
    cell: (role) => (
      <SpaceBetween direction="horizontal" size="s">
        <Button
          variant="inline-link"
          ariaLabel={`View members of ${role.role}`}
          onClick={() => onDo({ what: 'members', role })}
        >
          View members
        </Button>
        <ActionButton
          operation="define-role"
          appId={role.appId}
          variant="inline-link"
          ariaLabel={`Edit ${role.role}`}
          onClick={() => onDo({ what: 'define', role })}
        >
          Edit
        </ActionButton>
        <ActionButton
          operation="delete-role"
          appId={role.appId}
          isDestructive
          variant="inline-link"
          ariaLabel={`Delete ${role.role}`}
          onClick={() => onDo({ what: 'delete', role })}
        >
          Delete
        </ActionButton>
      </SpaceBetween>
    ),
  };
}
