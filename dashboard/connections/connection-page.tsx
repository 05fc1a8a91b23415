import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ConnectionView } from '#shared/contract/connection.ts';
import type { ConnectionKeyView } from '#shared/contract/connection-key.ts';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { keyColumns } from '../application/key-columns.tsx';
import { ActionButton } from '../forms/action-button.tsx';
import { TypedConfirmation } from '../forms/typed-confirmation.tsx';
import { useKeyDialogs } from '../keys/use-key-dialogs.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { QueryStatus } from '../lists/query-status.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi, useWriter } from '../session/dashboard-context.ts';
import { Breadcrumbs } from '../shell/breadcrumbs.tsx';
import { usePageTitle } from '../shell/frame.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';

/** One connection with its tokens. */
export function ConnectionPage({ connectionId }: { readonly connectionId: string }) {
  const api = useApi();
  const query = useQuery({
    queryKey: queryKeys.connection(connectionId),
    queryFn: ({ signal }) => api('get-connection', { path: { connectionId }, signal }),
  });
  const { data: connection } = query;
  usePageTitle(connection?.name ?? connectionId);
  return (
    <SpaceBetween size="l">
      <Breadcrumbs list={{ text: 'Connections', href: '/connections' }} current={connectionId} />
      <Header
        variant="h1"
        description={connection && descriptionOf(connection)}
        actions={connection && <ConnectionActions connection={connection} onSaved={() => void query.refetch()} />}
      >
        {connection?.name ?? connectionId}
      </Header>
      {!query.isSuccess && <QueryStatus query={query} of="the connection" />}
      {connection && <Tokens connectionId={connectionId} />}
    </SpaceBetween>
  );
}

function descriptionOf({ connectionId, applications, issuer, trustsUserHeader }: ConnectionView): string {
  const users = issuer !== null ? `Users by tokens of ${issuer}` : trustsUserHeader && 'Users by the proxy';
  return [connectionId, `May ask about ${applications.join(', ')}`, users].filter(Boolean).join(' · ');
}

interface ConnectionActionsProps {
  readonly connection: ConnectionView;
  readonly onSaved: () => void;
}

function ConnectionActions({ connection, onSaved }: ConnectionActionsProps) {
  const write = useWriter();
  const navigate = useNavigate();
  const [doing, setDoing] = useState<'edit' | 'delete'>();
  const { connectionId } = connection;
  const close = () => setDoing(undefined);
  const remove = async () => {
    await write('delete-connection', { path: { connectionId } });
    navigate('/connections');
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <ActionButton operation="update-connection" onClick={() => setDoing('edit')}>
        Edit
      </ActionButton>
      <ActionButton operation="delete-connection" onClick={() => setDoing('delete')}>
        Delete
      </ActionButton>
      {doing === 'edit' && (
        <ConnectionDialog
          connection={connection}
          onClose={close}
          onSaved={() => {
            close();
            onSaved();
          }}
        />
      )}
      {doing === 'delete' && (
        <TypedConfirmation
          title="Delete connection"
          verb="Delete connection"
          wanted={connectionId}
          label={`Type ${connectionId} to confirm`}
          warning="Its tokens stop working immediately, and its ID can't be used again. Its history stays."
          act={remove}
          onClose={close}
        />
      )}
    </SpaceBetween>
  );
}

function Tokens({ connectionId }: { readonly connectionId: string }) {
  const api = useApi();
  const owner = { connectionId };
  const pages = useList<ConnectionKeyView>({
    isShort: true,
    parameter: pageParameter,
    queryKey: queryKeys.connectionKeys(connectionId),
    load: async (_, signal) => {
      const { keys } = await api('get-connection', { path: { connectionId }, signal });
      return { items: keys, cursor: null };
    },
  });
  const { issue, act, dialog } = useKeyDialogs(pages.reload);
  const columns = keyColumns<ConnectionKeyView>({
    ownerOf: () => owner,
    onRotate: (key) => act('rotate', owner, key),
    onRevoke: (key) => act('revoke', owner, key),
    onEnd: pages.reload,
  });
  return (
    <>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="tokens"
        trackBy={({ keyId }) => keyId}
        header={
          <Header
            variant="h2"
            counter={counterOf(pages)}
            description="Sent as Authorization: Bearer svt_…"
            actions={
              <ActionButton operation="issue-connection-key" onClick={() => issue(owner)}>
                Issue token
              </ActionButton>
            }
          >
            Tokens
          </Header>
        }
      />
      {dialog}
    </>
  );
}
