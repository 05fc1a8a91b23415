import type { NewConnection } from '#options/connections/server/connections.ts';
import type { ConnectionId, KeyId } from '#shared/contract/fields.ts';
import type { ConnectionContext } from '#shared/domain/request/request-context.ts';
import { operator } from '#test/support/start-service.ts';
import type { DirectoryUserState } from '../../scim/directory.ts';

let created = 0;

/** Creates a connection of the kind `scim` with a key; returns the context of its requests. */
export async function newDirectory(
  settings: Partial<NewConnection> = {},
  { scopes }: { readonly scopes?: readonly ('users:write' | 'roles:write')[] } = {},
): Promise<ConnectionContext> {
  const { createConnection } = await import('#options/connections/server/connections.ts');
  const { issueConnectionKey } = await import('#options/connections/server/connection-keys.ts');
  const connectionId = (settings.connectionId ?? `directory-${++created}`) as ConnectionId;
  const directory = { kind: 'scim', name: 'Okta', applications: [], userIdAttribute: 'userName' } as const;
  await createConnection({ ...directory, ...settings, connectionId }, operator);
  const { keyId } = await issueConnectionKey({ connectionId, scopes, expiresAt: null, label: null }, operator);
  return {
    caller: { kind: 'connection', connectionId, keyId: keyId as KeyId },
    requestId: 'request',
    sourceIp: '203.0.113.7',
  };
}

/** What a directory says of a user. */
export function aDirectoryUser(userName: string, given: Partial<DirectoryUserState> = {}): DirectoryUserState {
  const value = userName.includes('@') ? userName : `${userName}@example.com`;
  const attributes = { displayName: `Name of ${userName}`, emails: [{ value }] };
  return { userName, externalId: `external-${userName}`, active: true, attributes, ...given };
}

/** Creates a user in a group of a new directory. */
export async function newMemberOfDirectory() {
  const { provisionUser } = await import('../../server/provision-user.ts');
  const { createDirectoryGroup } = await import('../../server/change-directory-group.ts');
  const context = await newDirectory({ connectionId: `members-${Date.now()}-${++created}` as ConnectionId });
  const { user } = await provisionUser(aDirectoryUser(`member-${Date.now()}-${++created}`), context);
  const { id } = await createDirectoryGroup({ displayName: 'Staff', externalId: null, members: [user.id] }, context);
  return { connectionId: context.caller.connectionId, userId: user.id, groupId: id };
}
