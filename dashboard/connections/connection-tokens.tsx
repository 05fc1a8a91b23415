import type { ConnectionView } from '#shared/contract/connection.ts';
import { queryKeys } from '../api/queries.ts';
import { KeyList } from '../keys/key-list.tsx';
import { useApi } from '../session/dashboard-context.ts';

/** The keys of a connection, whose secrets are bearer tokens. */
export function ConnectionTokens({ connection: { connectionId, kind } }: { readonly connection: ConnectionView }) {
  const api = useApi();
  return (
    <KeyList
      owner={{ connectionId, kind }}
      title="Tokens"
      description="Sent as Authorization: Bearer svt_…"
      noun="tokens"
      issueVerb="Issue token"
      queryKey={queryKeys.connectionKeys(connectionId)}
      load={async (_, signal) => {
        const { keys } = await api('get-connection', { path: { connectionId }, signal });
        return { items: keys, cursor: null };
      }}
    />
  );
}
