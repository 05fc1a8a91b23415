import Table, { type TableProps } from '@cloudscape-design/components/table';
import { pageButtons, useLoadedPages } from '../lists/page-buttons.tsx';
import { ApplicationName } from './access-card.tsx';
import { AccessControl } from './access-control.tsx';
import { StatusBadge, StatusDetails } from './access-status.tsx';
import { AccessSwitch } from './access-switch.tsx';
import { RoleTokens } from './role-tokens.tsx';
import { SettingNote } from './setting-note.tsx';
import type { NamedAccess } from './use-user-access.ts';

/** More rows, each with a switch and roles, take longer than a second to render. */
const pageSize = 100;

/** Many applications, one row each, with the same switches and roles as a card. */
export function AccessTable({ accesses }: { readonly accesses: readonly NamedAccess[] }) {
  const [shown, at] = useLoadedPages(accesses, pageSize);
  return (
    <Table
      variant="container"
      items={shown}
      columnDefinitions={columns}
      trackBy={({ appId }) => appId}
      ariaLabels={{ tableLabel: 'applications' }}
      stickyColumns={{ first: 1 }}
      wrapLines
      footer={pageButtons(at, 'applications')}
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<NamedAccess>[] = [
  {
    id: 'application',
    header: 'Application',
    isRowHeader: true,
    minWidth: 150,
    cell: (access) => <ApplicationName access={access} />,
  },
  {
    id: 'switch',
    header: 'Setting',
    // Cloudscape breaks the label of a switch or a status anywhere if its column is too narrow.
    minWidth: 140,
    cell: (access) => (
      <div data-testid={`access-${access.appId}`}>
        <AccessControl access={access}>{(change) => <AccessSwitch access={access} change={change} />}</AccessControl>
      </div>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 130,
    cell: (access) => (
      <>
        {access.decidedBy !== 'user' && <StatusBadge access={access} />}
        {(access.explicit || access.decidedBy === 'rollout') && (
          <StatusDetails access={access} rolloutPercent={access.rolloutPercent} isWithinUser />
        )}
        {access.explicit && <SettingNote setting={access.statusSetBy} />}
      </>
    ),
  },
  {
    id: 'roles',
    header: 'Roles',
    minWidth: 120,
    cell: (access) => (
      <AccessControl access={access}>{(change) => <RoleTokens access={access} change={change} inRow />}</AccessControl>
    ),
  },
];
