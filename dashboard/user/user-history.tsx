import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import type { UserAccessView } from '#shared/contract/access-lists.ts';
import type { Change } from '#shared/contract/change.ts';
import type { UserView } from '#shared/contract/user.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { ChangeEntry } from '../history/change-entry.tsx';
import { isUnmodifiedSince } from '../history/latest-change.ts';
import { useUndoColumn } from '../history/undo-column.tsx';
import { type Names, useNames } from '../history/use-names.ts';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';

export interface UserHistoryProps {
  readonly user: UserView;
  /** The user's accesses with their current versions. */
  readonly accesses: readonly UserAccessView[];
}

const everywhere = { value: '', label: 'All applications' };

/** The history of a user, which can be filtered by application. */
export function UserHistory({ user, accesses }: UserHistoryProps) {
  const { userId } = user;
  const api = useApi();
  const { restriction } = useOperator();
  const [appId, setAppId] = useState('');
  const pages = usePages({
    parameter: pageParameter,
    queryKey: [...queryKeys.userChanges(userId), { appId }],
    load: (cursor, signal) =>
      api('list-user-changes', { path: { userId }, query: { limit: '10', cursor, appId: appId || undefined }, signal }),
  });
  const options = [everywhere, ...accesses.map((access) => ({ value: access.appId, label: access.appName }))];
  const names: Names = { ...useNames([]), userName: () => user.displayName ?? undefined };
  const undo = useUndoColumn({
    changes: pages.items,
    names,
    isCurrent: (change) => isUnmodifiedSince(change, user, accesses),
  });
  return (
    <PagedTable
      pages={pages}
      columns={[whatColumn(names), ...undo]}
      noun="changes"
      trackBy={({ id }) => id}
      header={
        <Header
          variant="h2"
          description={restriction}
          actions={<Button iconName="refresh" ariaLabel="Refresh the history" onClick={pages.reload} />}
        >
          History
        </Header>
      }
      clearFilters={appId === '' ? undefined : () => setAppId('')}
      filter={
        accesses.length > 1 && (
          <Select
            ariaLabel="Application"
            options={options}
            filteringType={options.length > 10 ? 'auto' : 'none'}
            selectedOption={options.find(({ value }) => value === appId) ?? everywhere}
            onChange={({ detail }) => setAppId(detail.selectedOption.value ?? '')}
          />
        )
      }
    />
  );
}

const whatColumn = (names: Names): TableProps.ColumnDefinition<Change> => ({
  id: 'what',
  header: 'Change',
  isRowHeader: true,
  minWidth: 180,
  cell: (change) => <ChangeEntry change={change} names={names} />,
});
