import { queryKeys } from '../api/queries.ts';
import { KeyList } from '../keys/key-list.tsx';
import { useApi } from '../session/dashboard-context.ts';
import { applicationKeyOwner } from './application-key-owner.ts';

/** The API keys of an application. */
export default function KeysTab({ appId }: { readonly appId: string }) {
  const api = useApi();
  return (
    <KeyList
      owner={applicationKeyOwner(appId)}
      title="API keys"
      description="The application's backend signs its requests with an API key."
      noun="API keys"
      issueVerb="Issue key"
      queryKey={queryKeys.applicationKeys(appId)}
      load={(cursor, signal, limit) => api('list-keys', { path: { appId }, query: { limit, cursor }, signal })}
    />
  );
}
