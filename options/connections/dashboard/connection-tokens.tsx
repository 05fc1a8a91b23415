import { KeyList } from '#dashboard/keys/key-list.tsx';
import { useApi } from '#dashboard/session/dashboard-context.ts';
import type { ConnectionView } from '../contract/connection.ts';
import { connectionKeyOwner } from './connection-key-owner.ts';
import { connectionQueries } from './connection-queries.ts';

/** The keys of a connection, whose secrets are bearer tokens. */
export function ConnectionTokens({ connection }: { readonly connection: ConnectionView }) {
  const { connectionId } = connection;
  const api = useApi();
  return (
    <KeyList
      owner={connectionKeyOwner(connection)}
      title="Tokens"
      description="Sent as Authorization: Bearer svt_…"
      noun="tokens"
      issueVerb="Issue token"
      queryKey={connectionQueries.keys(connectionId)}
      load={async (_, signal) => {
        const { keys } = await api('get-connection', { path: { connectionId }, signal });
        return { items: keys, cursor: null };
      }}
    />
  );
}
