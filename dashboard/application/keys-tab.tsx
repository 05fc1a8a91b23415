import Header from '@cloudscape-design/components/header';
import { useState } from 'react';
import type { IssuedKeyView, KeyView } from '#shared/contract/api-key.ts';
import { queryKeys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { IssueKeyDialog } from './issue-key-dialog.tsx';
import { keyColumns } from './key-columns.tsx';
import { RevokeKeyDialog, RotateKeyDialog } from './rotate-revoke-dialogs.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type Doing =
  | { readonly what: 'issue' }
  | { readonly what: 'rotate' | 'revoke'; readonly key: KeyView }
  | { readonly what: 'show'; readonly key: IssuedKeyView };

/** The API keys of an application: issue, rotate, revoke. A secret is kept only in the dialog that shows it. */
export default function KeysTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const [doing, setDoing] = useState<Doing>();
  const pages = usePages({
    queryKey: queryKeys.applicationKeys(appId),
    load: (cursor, signal) => api('list-keys', { path: { appId }, query: { limit: '100', cursor }, signal }),
  });
  const close = () => setDoing(undefined);
  const show = (key: IssuedKeyView) => {
    setDoing({ what: 'show', key });
    pages.reload();
  };
  const columns = keyColumns({
    appId,
    onRotate: (key) => setDoing({ what: 'rotate', key }),
    onRevoke: (key) => setDoing({ what: 'revoke', key }),
    onEnd: pages.reload,
  });
  return (
    <>
      <PagedTable
        pages={pages}
        columns={columns}
        noun="API keys"
        trackBy={({ keyId }) => keyId}
        header={
          <Header
            variant="h2"
            description="The application's backend signs its requests with an API key."
            actions={
              <ActionButton operation="issue-key" appId={appId} onClick={() => setDoing({ what: 'issue' })}>
                Issue key
              </ActionButton>
            }
          >
            API keys
          </Header>
        }
      />
      {doing?.what === 'issue' && <IssueKeyDialog appId={appId} onClose={close} onIssued={show} />}
      {doing?.what === 'rotate' && (
        <RotateKeyDialog appId={appId} apiKey={doing.key} onClose={close} onRotated={show} />
      )}
      {doing?.what === 'revoke' && (
        <RevokeKeyDialog
          appId={appId}
          apiKey={doing.key}
          onClose={close}
          onRevoked={() => {
            close();
            pages.reload();
          }}
        />
      )}
      {doing?.what === 'show' && <SecretDialog issued={doing.key} onClose={close} />}
    </>
  );
}
