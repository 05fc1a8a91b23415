import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import type { TableProps } from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { counterOf, useList } from '#dashboard/api/use-list.ts';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { endsSoon, isActive, isIdle } from '#dashboard/keys/key-status.tsx';
import { LocalTime } from '#dashboard/lists/local-time.tsx';
import { PagedTable } from '#dashboard/lists/paged-table.tsx';
import { sortBy } from '#dashboard/lists/sort-items.ts';
import { pageParameter, useClearFilters, useFilter } from '#dashboard/lists/use-filter.ts';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { RouteLink } from '#dashboard/shell/route-link.tsx';
import { unusedDays } from '#shared/contract/key-attention.ts';
import type { ConnectionView } from '../contract/connection.ts';
import { type Connected, ConnectedDialog } from './connected-dialog.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';
import { ConnectionPage } from './connection-page.tsx';
import { connectionPath } from './connection-paths.ts';
import { connectionQueries } from './connection-queries.ts';
import { kindWords } from './kind-words.ts';

const columns: readonly TableProps.ColumnDefinition<ConnectionView>[] = [
  {
    id: 'name',
    header: 'Connection',
    isRowHeader: true,
    minWidth: 140,
    ...sortBy<ConnectionView>(({ name }) => name),
    cell: ({ connectionId, name }) => <RouteLink to={connectionPath(connectionId)}>{name}</RouteLink>,
  },
  {
    id: 'id',
    header: 'ID',
    minWidth: 110,
    ...sortBy<ConnectionView>(({ connectionId }) => connectionId),
    cell: ({ connectionId }) => connectionId,
  },
  {
    id: 'kind',
    header: 'Kind',
    minWidth: 100,
    ...sortBy<ConnectionView>(({ kind }) => kindWords[kind]),
    cell: ({ kind }) => kindWords[kind],
  },
  {
    id: 'applications',
    header: 'Applications',
    minWidth: 140,
    cell: ({ applications }) => <span className="break">{applications.join(', ')}</span>,
  },
  {
    id: 'tokens',
    header: 'Active tokens',
    minWidth: 120,
    ...sortBy<ConnectionView>(activeTokens),
    cell: activeTokens,
  },
  {
    id: 'created',
    header: 'Created',
    minWidth: 130,
    ...sortBy<ConnectionView>(({ createdAt }) => Date.parse(createdAt)),
    cell: ({ createdAt }) => <LocalTime at={createdAt} />,
  },
];

function activeTokens({ keys }: ConnectionView): number {
  return keys.filter((key) => isActive(key, Date.now())).length;
}

/** The filters, by their names in the URL. The first is the default. */
const views = [
  { id: 'all', text: 'All', isShown: () => true },
  { id: 'ends-soon', text: 'A token expires soon', isShown: ({ keys }: ConnectionView) => keys.some(endsSoon) },
  {
    id: 'unused',
    text: `A token unused for ${unusedDays} days`,
    isShown: ({ keys }: ConnectionView) => keys.some(isIdle),
  },
] as const;

/** The list of connections, or the one that the URL names. */
export default function ConnectionsPage() {
  const { connectionId } = useParams();
  return connectionId === undefined ? <Connections /> : <ConnectionPage connectionId={connectionId} />;
}

/** Gateways, directories and other software that call with a bearer token. */
function Connections() {
  usePageTitle('Connections');
  const api = useApi();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [connected, setConnected] = useState<Connected>();
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: connectionQueries.all,
    load: (cursor, signal, limit) => api('list-connections', { query: { limit, cursor }, signal }),
  });
  const [chosen, choose] = useFilter('show');
  const view = views.find(({ id }) => id === chosen) ?? views[0];
  const clearFilters = useClearFilters('show');
  const shown = { ...pages, items: pages.items.filter(view.isShown), all: pages.all?.filter(view.isShown) };
  const create = (variant: 'primary' | 'normal') => (
    <ActionButton operation="create-connection" variant={variant} onClick={() => setCreating(true)}>
      Create connection
    </ActionButton>
  );
  return (
    <>
      <PagedTable
        pages={shown}
        columns={columns}
        noun="connections"
        sortedBy="name"
        trackBy={({ connectionId }) => connectionId}
        header={
          <Header
            variant="h1"
            counter={counterOf(shown)}
            description="Gateways, directories and other software that call with a bearer token, because they can't sign requests."
            actions={create('primary')}
          >
            Connections
          </Header>
        }
        emptyAction={create('normal')}
        clearFilters={clearFilters}
        filter={
          <SegmentedControl
            label="Connections to show"
            options={views}
            selectedId={view.id}
            onChange={({ detail }) => choose(detail.selectedId === views[0].id ? undefined : detail.selectedId)}
          />
        }
      />
      {isCreating && (
        <ConnectionDialog
          onClose={() => setCreating(false)}
          onSaved={(_, created) => {
            setCreating(false);
            setConnected(created);
          }}
        />
      )}
      {connected !== undefined && (
        <ConnectedDialog connected={connected} onClose={() => navigate(pathAfter(connected))} />
      )}
    </>
  );
}

/** The page of a new connection, which goes on saying what to enter where it is connected. */
function pathAfter({ connection, setup }: Connected): string {
  const guide = setup.purpose === undefined ? `?${new URLSearchParams({ in: setup.id })}` : '';
  return `${connectionPath(connection.connectionId)}${guide}`;
}
