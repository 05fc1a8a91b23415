import type { Changed } from '#shared/contract/answers.ts';
import type { keyFields } from '#shared/contract/api-key-fields.ts';
import type { FieldChanges } from '#shared/contract/field-forms.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { type ConnectionKind, type ConnectionScope, connectionKinds } from '#shared/contract/operation.ts';
import { invalidField } from '#shared/core/errors.ts';
import { type KeyRotation, Keyring, type NewKey } from '#shared/domain/api-key/keyring.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import type { ConnectionKeyView, IssuedConnectionKeyView } from '../contract/connection-key.ts';
import { connectionRoots } from '../contract/connection-names.ts';
import { deriveToken, formatConnectionKeyId } from './connection-token.ts';
import { changeConnection } from './connections.ts';

interface OfConnection {
  readonly connectionId: ConnectionId;
}
interface NamedKey extends OfConnection {
  readonly keyId: string;
}

/** Issues a key; only this answer contains its bearer token. */
export async function issueConnectionKey(
  request: OfConnection & NewKey<ConnectionScope>,
  context: RequestContext,
): Promise<IssuedConnectionKeyView> {
  const { secret: token, ...key } = await keysOf(request).issue(request, context);
  return { ...key, token };
}

export async function rotateConnectionKey(
  rotation: OfConnection & KeyRotation,
  context: RequestContext,
): Promise<IssuedConnectionKeyView> {
  const { secret: token, ...key } = await keysOf(rotation).rotate(rotation, context);
  return { ...key, token };
}

export async function updateConnectionKey(
  command: NamedKey & FieldChanges<typeof keyFields>,
  context: RequestContext,
): Promise<Changed<ConnectionKeyView>> {
  return keysOf(command).update(command, context);
}

export async function revokeConnectionKey(
  named: NamedKey,
  context: RequestContext,
): Promise<Changed<ConnectionKeyView>> {
  return keysOf(named).revoke(named.keyId, context);
}

/** The keys of a connection. */
function keysOf({ connectionId }: OfConnection): Keyring<ConnectionScope> {
  return new Keyring({
    owner: { connectionId },
    roots: connectionRoots,
    formatId: (id) => formatConnectionKeyId({ ...id, connectionId }),
    deriveSecret: deriveToken,
    grantScopes: ({ kind = 'evaluate' }, asked) => scopesOfKind(kind, asked),
    change: (context, { decide, answerOf }) =>
      changeConnection({ connectionId }, context, {
        decide,
        answerOf: ({ connection, changed }) => answerOf(connection.keys, changed),
      }),
  });
}

/** The scopes of a new key; by default all of the kind. */
function scopesOfKind(
  kind: ConnectionKind,
  asked: readonly ConnectionScope[] = connectionKinds[kind],
): readonly ConnectionScope[] {
  const known: readonly ConnectionScope[] = connectionKinds[kind];
  if (asked.every((scope) => known.includes(scope))) return asked;
  throw invalidField('scopes', `must be among ${known.join(', ')}: the connection is of the kind ${kind}`);
}
