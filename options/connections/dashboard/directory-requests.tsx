import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { useQuery } from '@tanstack/react-query';
import { counterOf, useList } from '#dashboard/api/use-list.ts';
import { Fact } from '#dashboard/lists/fact.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { PagedTable } from '#dashboard/lists/paged-table.tsx';
import { ProblemAlert } from '#dashboard/lists/problem-alert.tsx';
import { QueryStatus } from '#dashboard/lists/query-status.tsx';
import { pageParameter } from '#dashboard/lists/use-filter.ts';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import type { RefusedRequest } from '../contract/connection-activity.ts';
import { connectionQueries } from './connection-queries.ts';

/** When a directory last sent a request, how many in the last 24 hours, and the latest that were refused. */
export function DirectoryRequests({ connectionId }: { readonly connectionId: string }) {
  const api = useApi();
  const query = useQuery({
    queryKey: connectionQueries.activity(connectionId),
    queryFn: ({ signal }) => api('get-connection-activity', { path: { connectionId }, signal }),
  });
  const { data: activity } = query;
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: [...connectionQueries.activity(connectionId), 'refusals', query.dataUpdatedAt],
    load: async () => ({ items: [...(activity?.refusals ?? [])], cursor: null }),
  });
  if (activity === undefined) return <QueryStatus query={query} of="the requests" />;
  const { lastRequestAt, requests, refused } = activity;
  return (
    <SpaceBetween size="l">
      {query.error && <ProblemAlert error={query.error} />}
      <Container
        header={
          <Header
            variant="h2"
            description="Counts may lack the last minute."
            actions={
              <Button iconName="refresh" loading={query.isFetching} onClick={() => void query.refetch()}>
                Refresh
              </Button>
            }
          >
            Last 24 hours
          </Header>
        }
      >
        <ColumnLayout columns={3}>
          <Fact label="Last request">{lastRequestAt === null ? 'None' : <LocalTime at={lastRequestAt} />}</Fact>
          <Fact label="Requests">{requests}</Fact>
          <Fact label="Refused">{refused}</Fact>
        </ColumnLayout>
      </Container>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="refused requests"
        trackBy={({ at, method, path, detail }) => `${at} ${method} ${path} ${detail}`}
        header={
          <Header variant="h2" counter={counterOf(pages)} description="The latest of the last seven days.">
            Refused requests
          </Header>
        }
      />
    </SpaceBetween>
  );
}

const columns: readonly TableProps.ColumnDefinition<RefusedRequest>[] = [
  { id: 'at', header: 'Time', isRowHeader: true, minWidth: 140, cell: ({ at }) => <LocalTime at={at} withSeconds /> },
  {
    id: 'request',
    header: 'Request',
    minWidth: 160,
    cell: ({ method, path }) => (
      <span className="break">
        {method} {path}
      </span>
    ),
  },
  {
    id: 'answer',
    header: 'Answer',
    minWidth: 110,
    cell: ({ status, scimType }) => <span className="break">{[status, scimType].filter(Boolean).join(' ')}</span>,
  },
  { id: 'detail', header: 'Reason', minWidth: 200, cell: ({ detail }) => <span className="break">{detail}</span> },
];
