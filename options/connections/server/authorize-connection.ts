import type { ConnectionKind, ConnectionScope } from '#shared/contract/operation.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { hasPassed } from '#shared/core/expiry.ts';
import { recordKeyUsage } from '#shared/domain/request/authorize.ts';
import type { ConnectionCaller } from '#shared/domain/request/request-context.ts';
import type { Connection } from '../table/connection-item.ts';
import type { GuardedRead } from '../table/connection-read.ts';

/** What an endpoint requires of its callers. */
export interface BearerRequirement {
  readonly kind: ConnectionKind;
  /** `null` for an answer without data, for which any scope is enough. */
  readonly scope: ConnectionScope | null;
}

/**
 * Opens what was read for a connection that may ask, and records the use of its key. Throws 401 `key_revoked` or `key_expired`,
 * then 403 `scope_missing`. The token is already verified, so a refusal reveals nothing to strangers.
 */
export async function authorizeConnection<Read extends object>(
  caller: ConnectionCaller,
  guarded: GuardedRead<Read>,
  { kind, scope }: BearerRequirement,
  at: Date,
): Promise<Read & { readonly connection: Connection }> {
  const read = guarded.unwrap();
  const connection = requireUsableToken(caller, read.connection, at);
  if (connection.kind !== kind) {
    throw new ServiceError('scope_missing', { detail: `A connection of the kind ${connection.kind} cannot do this.` });
  }
  await recordKeyUsage(caller, caller.keyId);
  if (scope !== null) requireConnectionScope(connection, caller, scope);
  return { ...read, connection };
}

/** The connection of a token that may be used; 401 `key_revoked` or `key_expired` for any other. */
export function requireUsableToken(
  { keyId }: Pick<ConnectionCaller, 'keyId'>,
  connection: Connection | undefined,
  at: Date,
): Connection {
  const key = connection?.keys[keyId];
  // The token is valid, so the key was issued: if it or its connection no longer exists, it was revoked or deleted.
  if (connection === undefined || key === undefined || key.revokedAt !== null) {
    throw new ServiceError('key_revoked', { detail: 'This token was revoked. Use another one.' });
  }
  if (!hasPassed(key.expiresAt, at)) return connection;
  throw new ServiceError('key_expired', { detail: `This token expired at ${key.expiresAt}. Use another one.` });
}

/** 403 `scope_missing` unless the key has the scope. */
export function requireConnectionScope(
  { keys }: Connection,
  { keyId }: Pick<ConnectionCaller, 'keyId'>,
  scope: ConnectionScope,
): void {
  const { scopes = [] } = keys[keyId] ?? {};
  if (scopes.includes(scope)) return;
  throw new ServiceError('scope_missing', {
    detail: `Requires the scope ${scope}; the key has ${scopes.join(', ') || 'none'}.`,
  });
}
