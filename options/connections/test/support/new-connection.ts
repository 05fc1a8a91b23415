import type { AppId, ConnectionId } from '#shared/contract/fields.ts';
import type { ConnectionScope } from '#shared/contract/operation.ts';
import { operator } from '#test/support/start-service.ts';

let created = 0;

export interface ConnectionOptions {
  /** Default: both. */
  readonly scopes?: readonly ConnectionScope[];
  readonly expiresAt?: string | null;
  /** Default: it does not identify users. */
  readonly identity?: { readonly issuer: string; readonly audience: string } | { readonly trustsUserHeader: true };
  /** Default: clients have the ids of their applications, and users those of the identity provider. */
  readonly logins?: { readonly clients: string; readonly userIdClaim: string };
}

/** Creates a connection of the kind `evaluate` to these applications, with a key; returns the token of the key. */
export async function newConnection(
  applications: readonly string[],
  id = `connection-${++created}`,
  { scopes = ['access:read', 'roles:read'], expiresAt = null, identity, logins }: ConnectionOptions = {},
) {
  const { createConnection } = await import('../../server/connections.ts');
  const { issueConnectionKey } = await import('../../server/connection-keys.ts');
  const connectionId = id as ConnectionId;
  await createConnection(
    { connectionId, kind: 'evaluate', name: 'Gateway', applications: applications as AppId[], ...identity, ...logins },
    operator,
  );
  const { keyId, token } = await issueConnectionKey({ connectionId, scopes, expiresAt, label: null }, operator);
  return { connectionId, keyId, token };
}
