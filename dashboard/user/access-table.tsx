import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import { PageButtons, useLoadedPages } from '../lists/page-buttons.tsx';
import { ApplicationName } from './access-card.tsx';
import { AccessControl } from './access-control.tsx';
import { StatusBadge, StatusDetails } from './access-status.tsx';
import { AccessSwitch } from './access-switch.tsx';
import { RoleTokens } from './role-tokens.tsx';
import { SettingNote } from './setting-note.tsx';

/** More rows, each with a switch and roles, take longer than a second to draw. */
const pageSize = 100;

/** Many applications, a row each, with the same switches and roles as a card. */
export function AccessTable({ accesses }: { readonly accesses: readonly UserAccessView[] }) {
  const [shown, at] = useLoadedPages(accesses, pageSize);
  return (
    <Table
      variant="container"
      items={shown}
      columnDefinitions={columns}
      trackBy={({ appId }) => appId}
      ariaLabels={{ tableLabel: 'applications' }}
      stickyColumns={{ first: 1 }}
      empty="No application fits."
      wrapLines
      pagination={<PageButtons at={at} noun="applications" />}
    />
  );
}

const columns: readonly TableProps.ColumnDefinition<UserAccessView>[] = [
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
    minWidth: 110,
    cell: (access) => (
      <div data-testid={`access-${access.appId}`}>
        <AccessControl access={access}>{(change) => <AccessSwitch access={access} change={change} />}</AccessControl>
      </div>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    minWidth: 110,
    cell: (access) => (
      <>
        <StatusBadge access={access} />
        {(access.explicit || access.decidedBy === 'rollout') && (
          <StatusDetails access={access} rolloutPercent={access.rolloutPercent} />
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
