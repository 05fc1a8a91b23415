import type { TableProps } from '@cloudscape-design/components/table';
import type { Change } from '#shared/contract/change.ts';
import { AppCell } from '../lists/app-cell.tsx';
import { LocalTime } from '../lists/local-time.tsx';
import { UserCell } from '../lists/user-cell.tsx';
import { BulkDetails, type FindBulk } from './bulk-details.tsx';
import { countUsers } from './bulk-record.ts';
import { CallerCell } from './caller-cell.tsx';
import { ChangeDetails } from './change-entry.tsx';
import { appOfBulk, type HistoryRow } from './history-rows.ts';
import type { Names } from './use-names.ts';

type Column = TableProps.ColumnDefinition<HistoryRow>;

export interface ColumnsOptions {
  readonly names: Names;
  readonly bulkOf: FindBulk;
}

/** The history of an application, with a column for the user. */
export function applicationChangeColumns(options: ColumnsOptions): readonly Column[] {
  return [when, userColumn(options), changeColumn(options), ...reasonColumns(options)];
}

/** The global history, with columns for the user and the application. */
export function allChangeColumns(options: ColumnsOptions): readonly Column[] {
  return [when, changeColumn(options), userColumn(options), applicationColumn(options), ...reasonColumns(options)];
}

/** The change of a row; of a bulk, the newest. */
function changeOf(row: HistoryRow): Change {
  return row.kind === 'bulk' ? row.newest : row.change;
}

const when: Column = {
  id: 'when',
  header: 'When',
  minWidth: 130,
  cell: (row) => <LocalTime at={changeOf(row).at} withSeconds />,
};

function changeColumn({ names, bulkOf }: ColumnsOptions): Column {
  return {
    id: 'what',
    header: 'Change',
    minWidth: 180,
    isRowHeader: true,
    cell: (row) =>
      row.kind === 'bulk' ? (
        <BulkDetails row={row} bulkOf={bulkOf} names={names} />
      ) : (
        <ChangeDetails change={row.change} names={names} within="application" />
      ),
  };
}

function userColumn({ names, bulkOf }: ColumnsOptions): Column {
  return {
    id: 'user',
    header: 'User',
    minWidth: 110,
    cell: (row) => {
      if (row.kind === 'bulk') return row.isUndo ? '–' : countUsersOf(row.bulkId, bulkOf);
      const { userId, action } = row.change;
      if (userId === undefined) return '–';
      // The change deleted the user, so there is no page to link to.
      if (action === 'user.deleted') return <div className="break">{userId}</div>;
      return <UserCell userId={userId} displayName={names.userName(userId)} />;
    },
  };
}

function countUsersOf(bulkId: string, bulkOf: FindBulk): string {
  const record = bulkOf(bulkId);
  return record === undefined ? '…' : countUsers(record);
}

function applicationColumn({ names }: ColumnsOptions): Column {
  return {
    id: 'application',
    header: 'Application',
    minWidth: 110,
    cell: (row) => {
      const appId = row.kind === 'bulk' ? appOfBulk(row) : row.change.appId;
      return appId === undefined ? '–' : <AppCell appId={appId} name={names.appName(appId)} />;
    },
  };
}

function reasonColumns({ names }: ColumnsOptions): readonly Column[] {
  return [
    {
      id: 'who',
      header: 'Changed by',
      minWidth: 200,
      cell: (row) => <CallerCell caller={changeOf(row).caller} names={names} />,
    },
    {
      id: 'why',
      header: 'Reason',
      minWidth: 120,
      cell: (row) => {
        const { reason, ticket } = changeOf(row);
        return <div className="break">{[reason, ticket].filter(Boolean).join(' · ') || '–'}</div>;
      },
    },
  ];
}
