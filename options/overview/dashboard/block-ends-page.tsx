import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import { counterOf, useList } from '#dashboard/api/use-list.ts';
import { type Names, useNames } from '#dashboard/history/use-names.ts';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { PagedTable } from '#dashboard/lists/paged-table.tsx';
import { pageParameter, useClearFilters, useFilter } from '#dashboard/lists/use-filter.ts';
import { UserCell } from '#dashboard/lists/user-cell.tsx';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import { useOperator } from '#dashboard/session/use-operator.ts';
import { Breadcrumbs } from '#dashboard/shell/breadcrumbs.tsx';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { applicationPath } from '#dashboard/shell/page-paths.ts';
import { RouteLink } from '#dashboard/shell/route-link.tsx';
import { type BlockEndView, endingBlockDays } from '../contract/overview.ts';

/** The filters, by their names in the URL. The first is the default. */
const views = [
  { id: 'week', text: 'Within 7 days', query: { endsWithin: `P${endingBlockDays}D` } },
  { id: 'all', text: 'Any time', query: {} },
] as const;

/** The blocks that have an end, in all applications, the next to end first. */
export default function BlockEndsPage() {
  usePageTitle('Blocks that end');
  const api = useApi();
  const { restriction } = useOperator();
  const [chosen, choose] = useFilter('show');
  const view = views.find(({ id }) => id === chosen) ?? views[0];
  const pages = useList({
    parameter: pageParameter,
    queryKey: ['block-ends', view.id],
    load: (cursor, signal, limit) => api('list-block-ends', { query: { ...view.query, limit, cursor }, signal }),
  });
  const clearFilters = useClearFilters('show');
  const names = useNames((pages.items ?? []).map(({ userId }) => userId));
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Overview', href: '/overview' }} current="Blocks that end" />
      <PagedTable
        pages={pages}
        columns={columnsOf(names)}
        noun="blocks"
        trackBy={({ userId, appId }) => `${userId} ${appId}`}
        clearFilters={clearFilters}
        header={
          <Header variant="h1" counter={counterOf(pages)} {...(restriction && { description: restriction })}>
            Blocks that end
          </Header>
        }
        filter={
          <SegmentedControl
            label="Blocks to show"
            options={views}
            selectedId={view.id}
            onChange={({ detail }) => choose(detail.selectedId === views[0].id ? undefined : detail.selectedId)}
          />
        }
      />
    </SpaceBetween>
  );
}

function columnsOf({ userName, appName }: Names): TableProps.ColumnDefinition<BlockEndView>[] {
  return [
    {
      id: 'user',
      header: 'User',
      cell: ({ userId }) => <UserCell userId={userId} displayName={userName(userId)} />,
    },
    {
      id: 'application',
      header: 'Application',
      cell: ({ appId }) => <RouteLink to={applicationPath(appId)}>{appName(appId)}</RouteLink>,
    },
    { id: 'until', header: 'Ends', cell: ({ until }) => <LocalTime at={until} /> },
    { id: 'reason', header: 'Reason', cell: ({ reason }) => reason ?? '–' },
  ];
}
