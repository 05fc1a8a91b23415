import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ActionButton } from '#dashboard/forms/action-button.tsx';
import { deletionWaitsFor, TypedConfirmation } from '#dashboard/forms/typed-confirmation.tsx';
import { QueryStatus } from '#dashboard/lists/query-status.tsx';
import { useApi, useWriter } from '#dashboard/session/dashboard-context.ts';
import { Breadcrumbs } from '#dashboard/shell/breadcrumbs.tsx';
import { usePageTitle } from '#dashboard/shell/frame.tsx';
import { titleWithTab, usePageTab } from '#dashboard/shell/page-tabs.tsx';
import type { ConnectionView } from '../contract/connection.ts';
import { ConnectionDialog } from './connection-dialog.tsx';
import { connectionQueries } from './connection-queries.ts';
import { ConnectionTokens } from './connection-tokens.tsx';
import { DirectoryTabs, directoryTabs } from './directory-tabs.tsx';
import { kindWords } from './kind-words.ts';

/** One connection with its tokens; a directory in tabs that the URL names. */
export function ConnectionPage({ connectionId }: { readonly connectionId: string }) {
  const api = useApi();
  const query = useQuery({
    queryKey: connectionQueries.one(connectionId),
    queryFn: ({ signal }) => api('get-connection', { path: { connectionId }, signal }),
  });
  const { data: connection } = query;
  const [tab, openTab] = usePageTab(directoryTabs);
  usePageTitle(titleWithTab(connection?.name ?? connectionId, directoryTabs, tab));
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
      {connection?.kind === 'evaluate' && <ConnectionTokens connection={connection} />}
      {connection?.kind === 'scim' && <DirectoryTabs connection={connection} tab={tab} onOpen={openTab} />}
    </SpaceBetween>
  );
}

function descriptionOf(connection: ConnectionView): string {
  const { connectionId, kind, applications, issuer, trustsUserHeader, clients } = connection;
  const named = applications.join(', ');
  if (kind === 'scim') {
    const roles = named && `Its groups may assign roles in ${named}`;
    return [connectionId, kindWords.scim, roles].filter(Boolean).join(' · ');
  }
  const users = issuer !== null ? `Users by tokens of ${issuer}` : trustsUserHeader && 'Users by the proxy';
  const logins = clients !== null && `Clients ${clients}`;
  return [connectionId, `May ask about ${named}`, users, logins].filter(Boolean).join(' · ');
}

interface ConnectionActionsProps {
  readonly connection: ConnectionView;
  readonly onSaved: () => void;
}

function ConnectionActions({ connection, onSaved }: ConnectionActionsProps) {
  const write = useWriter();
  const navigate = useNavigate();
  const [doing, setDoing] = useState<'edit' | 'delete'>();
  const { connectionId, kind } = connection;
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
      <ActionButton operation="delete-connection" isDestructive onClick={() => setDoing('delete')}>
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
          warning={
            <>
              Its tokens stop working immediately, and its ID can't be used again. Its history stays.
              {kind === 'scim' && ' Its users keep their status and roles, and no directory manages them any more.'}
            </>
          }
          {...(kind === 'scim' && { waitsFor: deletionWaitsFor })}
          act={remove}
          onClose={close}
        />
      )}
    </SpaceBetween>
  );
}
