import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { type ReactNode, useState } from 'react';
import { pageButtons, useLoadedPages } from '#dashboard/lists/page-buttons.tsx';
import { UserCell } from '#dashboard/lists/user-cell.tsx';

/** The outcome for one name, or its preview. */
export interface OutcomeRow {
  readonly key: string;
  readonly name: string;
  readonly userId?: string | undefined;
  readonly displayName?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly kind: OutcomeKind;
  /** Why it failed. */
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}
export type OutcomeKind = 'changed' | 'unchanged' | 'failed' | 'waiting';

/** The label of each kind, such as `Will change` in a preview. */
export type OutcomeLabels = Readonly<Record<OutcomeKind, string>>;

export interface OutcomeTableProps {
  readonly title: string;
  readonly rows: readonly OutcomeRow[];
  readonly labels: OutcomeLabels;
  readonly actions?: ReactNode;
}

const kinds = ['changed', 'unchanged', 'failed', 'waiting'] as const;
const pageSize = 25;

/** The outcome for each user, which can be filtered by kind. */
export function OutcomeTable({ title, rows, labels, actions }: OutcomeTableProps) {
  const [chosen, choose] = useState('all');
  const counts = Map.groupBy(rows, ({ kind }) => kind);
  const shown = counts.get(chosen as OutcomeKind) ?? rows;
  const [onPage, at] = useLoadedPages(shown, pageSize);
  const options = kinds.flatMap((kind) => {
    const count = counts.get(kind)?.length ?? 0;
    return count === 0 ? [] : [{ id: kind, text: `${labels[kind]} (${count.toLocaleString('en')})` }];
  });
  return (
    <Table<OutcomeRow>
      items={onPage}
      columnDefinitions={columnsOf(labels)}
      trackBy="key"
      wrapLines
      header={
        <Header variant="h2" counter={`(${rows.length.toLocaleString('en')})`} actions={actions}>
          {title}
        </Header>
      }
      filter={
        options.length > 1 && (
          <SegmentedControl
            label="Show"
            selectedId={options.some(({ id }) => id === chosen) ? chosen : 'all'}
            options={[{ id: 'all', text: 'All' }, ...options]}
            onChange={({ detail }) => choose(detail.selectedId)}
          />
        )
      }
      ariaLabels={{ tableLabel: title }}
      footer={pageButtons(at, title)}
    />
  );
}

const types: Readonly<Record<OutcomeKind, StatusIndicatorProps.Type>> = {
  changed: 'success',
  unchanged: 'info',
  failed: 'error',
  waiting: 'pending',
};

const columnsOf = (labels: OutcomeLabels): readonly TableProps.ColumnDefinition<OutcomeRow>[] => [
  {
    id: 'user',
    header: 'User',
    isRowHeader: true,
    minWidth: 110,
    cell: ({ userId, name, displayName, email }) =>
      userId === undefined ? (
        <div className="break">{name}</div>
      ) : (
        <UserCell userId={userId} displayName={displayName} email={email} />
      ),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    minWidth: 155,
    cell: ({ kind, detail }) => (
      <>
        <StatusIndicator type={types[kind]}>{labels[kind]}</StatusIndicator>
        {detail && (
          <Box variant="small" display="block">
            {detail}
          </Box>
        )}
      </>
    ),
  },
];
