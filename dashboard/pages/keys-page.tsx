import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ListedKeyView } from '#shared/contract/api-key.ts';
import { endsSoonDays, unusedDays } from '#shared/contract/key-attention.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { keyColumns } from '../application/api-key-columns.tsx';
import { applicationKeyOwner } from '../application/application-key-owner.ts';
import { useKeyDialogs } from '../keys/use-key-dialogs.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { sortBy } from '../lists/sort-items.ts';
import { pageParameter, useClearFilters, useFilter } from '../lists/use-filter.ts';
import { registeredPages } from '../options/registered-pages.ts';
import { useApi } from '../session/dashboard-context.ts';
import { useOperator } from '../session/use-operator.ts';
import { usePageTitle } from '../shell/frame.tsx';
import { applicationPath } from '../shell/page-paths.ts';
import { RouteLink } from '../shell/route-link.tsx';

/** The filters, by their names in the URL. The first is the default. */
const views = [
  { id: 'active', text: 'Active', query: { state: 'active' } },
  { id: 'ends-soon', text: 'Expires soon', query: { endsWithin: `P${endsSoonDays}D` } },
  { id: 'unused', text: `Unused for ${unusedDays} days`, query: { state: 'active', unusedFor: `P${unusedDays}D` } },
  { id: 'ended', text: 'Expired or revoked', query: { state: 'ended' } },
] as const;

const links = registeredPages.flatMap(({ keyLinks = [] }) => keyLinks);

/** The API keys of all applications, with filters for those that expire soon or are unused; label, rotate, revoke. */
export default function KeysPage() {
  usePageTitle('API keys');
  const api = useApi();
  const { restriction } = useOperator();
  const [chosen, choose] = useFilter('show');
  const view = views.find(({ id }) => id === chosen) ?? views[0];
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: [...queryKeys.keys, view.id],
    load: (cursor, signal, limit) => api('list-all-keys', { query: { ...view.query, limit, cursor }, signal }),
  });
  const { act, dialog } = useKeyDialogs(pages.reload);
  const clearFilters = useClearFilters('show');
  const actions = {
    ownerOf: ({ appId }: ListedKeyView) => applicationKeyOwner(appId),
    onLabel: (key: ListedKeyView) => act('label', applicationKeyOwner(key.appId), key),
    onRotate: (key: ListedKeyView) => act('rotate', applicationKeyOwner(key.appId), key),
    onRevoke: (key: ListedKeyView) => act('revoke', applicationKeyOwner(key.appId), key),
    onEnd: pages.reload,
  };
  return (
    <>
      <PagedTable
        pages={pages}
        columns={keyColumns(actions, [applicationColumn])}
        noun="API keys"
        sortedBy="application"
        trackBy={({ keyId }) => keyId}
        header={
          <Header
            variant="h1"
            counter={counterOf(pages)}
            description={restriction ?? 'Keys of all applications. To issue a key, open its application.'}
            actions={restriction === undefined && <Links />}
          >
            API keys
          </Header>
        }
        clearFilters={clearFilters}
        filter={
          <SegmentedControl
            label="Keys to show"
            options={views}
            selectedId={view.id}
            onChange={({ detail }) => choose(detail.selectedId === views[0].id ? undefined : detail.selectedId)}
          />
        }
      />
      {dialog}
    </>
  );
}

function Links() {
  return (
    <SpaceBetween direction="horizontal" size="m">
      {links.map(({ text, to }) => (
        <RouteLink key={to} to={to}>
          {text}
        </RouteLink>
      ))}
    </SpaceBetween>
  );
}

const applicationColumn = {
  id: 'application',
  header: 'Application',
  minWidth: 120,
  ...sortBy<ListedKeyView>(({ applicationName }) => applicationName),
  cell: ({ appId, applicationName }: ListedKeyView) => (
    <RouteLink to={`${applicationPath(appId)}?tab=keys`}>{applicationName}</RouteLink>
  ),
};
