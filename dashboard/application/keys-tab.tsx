import Header from '@cloudscape-design/components/header';
import { queryKeys } from '../api/queries.ts';
import { counterOf, useList } from '../api/use-list.ts';
import { ActionButton } from '../forms/action-button.tsx';
import { useKeyDialogs } from '../keys/use-key-dialogs.tsx';
import { PagedTable } from '../lists/paged-table.tsx';
import { pageParameter } from '../lists/use-filter.ts';
import { useApi } from '../session/dashboard-context.ts';
import { keyColumns } from './key-columns.tsx';

/** The API keys of an application: issue, label, rotate, revoke. */
export default function KeysTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  const pages = useList({
    isShort: true,
    parameter: pageParameter,
    queryKey: queryKeys.applicationKeys(appId),
    load: (cursor, signal, limit) => api('list-keys', { path: { appId }, query: { limit, cursor }, signal }),
  });
  const owner = { appId };
  const { issue, act, dialog } = useKeyDialogs(pages.reload);
  const columns = keyColumns({
    ownerOf: () => owner,
    onLabel: (key) => act('label', owner, key),
    onRotate: (key) => act('rotate', owner, key),
    onRevoke: (key) => act('revoke', owner, key),
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
            counter={counterOf(pages)}
            description="The application's backend signs its requests with an API key."
            actions={
              <ActionButton operation="issue-key" appId={appId} onClick={() => issue(owner)}>
                Issue key
              </ActionButton>
            }
          >
            API keys
          </Header>
        }
      />
      {dialog}
    </>
  );
}
