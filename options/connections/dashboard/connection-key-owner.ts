import type { KeyOwner } from '#dashboard/keys/key-owner.ts';
import { type ConnectionKind, type ConnectionScope, connectionKinds } from '#shared/contract/operation.ts';
import type { ConnectionView } from '../contract/connection.ts';

const descriptions: Readonly<Record<ConnectionScope, string>> = {
  'access:read': 'Ask whether users are allowed to use the applications',
  'roles:read': 'Ask for roles, and get the roles of users',
  'users:write': 'Create, change and deactivate the users of the directory',
  'roles:write': 'Keep groups, and assign the roles that they are mapped to',
};

const storeHints: Readonly<Record<ConnectionKind, string>> = {
  evaluate: 'Store it where the gateway reads its secrets.',
  scim: 'Enter it in the directory.',
};

const words = {
  owner: 'connection',
  key: 'token',
  short: 'token',
  secret: 'token',
  usedAs: 'with the token of',
} as const;

const operations = {
  issue: 'issue-connection-key',
  label: 'update-connection-key',
  rotate: 'rotate-connection-key',
  revoke: 'revoke-connection-key',
} as const;

/**
 * A connection, whose keys are bearer tokens: the secret of a key is its token. A token can do at first all that its kind of
 * connection can.
 */
export function connectionKeyOwner({ connectionId, kind }: ConnectionView): KeyOwner {
  return {
    appId: undefined,
    words: { ...words, storeHint: storeHints[kind] },
    scopes: connectionKinds[kind].map((name) => ({ name, description: descriptions[name], isUsual: true })),
    operations,
    writesWith: (write) => ({
      issue: async ({ scopes, ...body }) =>
        withSecret(
          await write('issue-connection-key', {
            path: { connectionId },
            body: { ...body, scopes: scopes as ConnectionScope[] },
          }),
        ),
      label: async (keyId, body) => {
        await write('update-connection-key', { path: { connectionId, keyId }, body });
      },
      rotate: async (keyId, body) =>
        withSecret(await write('rotate-connection-key', { path: { connectionId, keyId }, body })),
      revoke: async (keyId) => {
        await write('revoke-connection-key', { path: { connectionId, keyId } });
      },
    }),
  };
}

function withSecret<Key extends { readonly token: string }>({ token: secret, ...key }: Key) {
  return { ...key, secret };
}
