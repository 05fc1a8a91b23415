import type { TableProps } from '@cloudscape-design/components/table';
import { useContext, useState } from 'react';
import { BulksContext } from '../options/bulks-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { RouteLink } from '../shell/route-link.tsx';
import type { FindBulk } from './bulk-details.tsx';
import { describeUndone, useBulks } from './bulk-record.ts';
import type { ColumnsOptions } from './history-columns.tsx';
import { appOfBulk, type BulkRow, changesIn, type HistoryRow, rowOf } from './history-rows.ts';
import { useUndoColumn } from './undo-column.tsx';
import { useNames } from './use-names.ts';

type Columns = readonly TableProps.ColumnDefinition<HistoryRow>[];

/** The columns of a history with its Undo buttons, and how its bulk changes unfold. */
export function useHistoryTable(
  rows: readonly HistoryRow[],
  columnsOf: (options: ColumnsOptions) => Columns,
): { readonly columns: Columns; readonly expandable: TableProps.ExpandableRows<HistoryRow> | undefined } {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { kindOf } = useContext(BulksContext);
  const bulkRows = rows.filter((row) => row.kind === 'bulk');
  const shown = changesIn(rows.filter(({ kind, id }) => kind === 'change' || open.has(id)));
  const named = bulkRows.filter(({ changes }) => kindOf(changes) !== undefined).map(({ newest }) => newest);
  const names = useNames([...shown, ...named].flatMap(({ userId = [] }) => userId));
  const bulkOf = useBulks(bulkRows.map((row) => ({ bulkId: row.bulkId, appId: appOfBulk(row) })));
  const undo = useUndoColumn({ changes: changesIn(rows), names });
  const undoInRows = undo.map(({ id = '', header, minWidth = 0, cell }) => ({
    id,
    header,
    minWidth,
    cell: (row: HistoryRow) => (row.kind === 'bulk' ? <UndoBulkLink row={row} bulkOf={bulkOf} /> : cell(row.change)),
  }));
  const expandable: TableProps.ExpandableRows<HistoryRow> = {
    getItemChildren: (row) => (row.kind === 'bulk' ? row.changes.map(rowOf) : []),
    isItemExpandable: ({ kind }) => kind === 'bulk',
    expandedItems: bulkRows.filter(({ id }) => open.has(id)),
    onExpandableItemToggle: ({ detail: { item, expanded } }) =>
      setOpen((before) => new Set([...before].filter((id) => id !== item.id).concat(expanded ? [item.id] : []))),
  };
  return {
    columns: [...columnsOf({ names, bulkOf }), ...undoInRows],
    expandable: bulkRows.length > 0 ? expandable : undefined,
  };
}

/** Leads to where an option undoes it, unless nothing is left to undo. */
function UndoBulkLink({ row, bulkOf }: { readonly row: BulkRow; readonly bulkOf: FindBulk }) {
  const { may } = useOperator();
  const { bulkId, isUndo } = row;
  const appId = appOfBulk(row);
  const record = bulkOf(bulkId);
  const { pages } = useContext(BulksContext);
  const undo = pages?.undo({ bulkId, appId });
  if (isUndo || undo === undefined || !may(undo.operation, appId) || record === undefined) return null;
  if (describeUndone(record) === 'Undone') return 'Undone';
  return <RouteLink to={undo.to}>Undo…</RouteLink>;
}
