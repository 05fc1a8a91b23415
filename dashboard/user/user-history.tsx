import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import { useCallback, useEffect } from 'react';
import { useApi } from '../api/use-api.ts';
import { usePages } from '../api/use-pages.ts';
import { userChangeColumns } from '../history/change-columns.tsx';
import { PagedTable } from '../lists/paged-table.tsx';

export interface UserHistoryProps {
  readonly userId: string;
  /** Anything that differs when there is something new to read. */
  readonly news: unknown;
}

/** What happened to a user: who, what, before → after, why. */
export function UserHistory({ userId, news }: UserHistoryProps) {
  const api = useApi();
  const pages = usePages(
    useCallback(
      (cursor, signal) => api('list-user-changes', { path: { userId }, query: { limit: '10', cursor }, signal }),
      [api, userId],
    ),
  );
  const { reload } = pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: news is the reason to read again
  useEffect(reload, [reload, news]);
  return (
    <PagedTable
      pages={pages}
      columns={userChangeColumns}
      noun="changes"
      trackBy={({ id }) => id}
      header={
        <Header
          variant="h2"
          actions={<Button iconName="refresh" ariaLabel="Read the history again" onClick={reload} />}
        >
          History
        </Header>
      }
    />
  );
}
