import {
  type OptionRestoring,
  type RestoredChange,
  type RestoringCall,
  withBody,
} from '#cli/history/restoring-body.ts';
import type { ManagementClient } from '#client/management/management-client.ts';
import { updateKeyBodySchema } from '#shared/contract/api-key.ts';
import type { Change } from '#shared/contract/change.ts';
import { createConnectionOperation, updateConnectionOperation } from '../contract/connection.ts';
import { groupRolesOf } from '../contract/group-roles.ts';

/** How `changes apply` restores connections and their keys. */
export const connectionRestoring: OptionRestoring = {
  isOwn: ({ connectionId }) => connectionId !== undefined,
  creations: ['connection.created'],
  parts: { 'connection.updated': 'connection settings' },
  callFor: (client, change) => restoringCallOf(client, withLists(change)),
};

function restoringCallOf(client: ManagementClient, change: RestoredChange): RestoringCall | undefined {
  const { action, connectionId = '', keyId = '' } = change;
  switch (action) {
    case 'connection.created':
      return withBody(createConnectionOperation.body, change, (body, query) =>
        client.call('create-connection', { query, body }),
      );
    case 'connection.updated':
      return withBody(updateConnectionOperation.body, change, (body, query) =>
        client.call('update-connection', { path: { connectionId }, query, body }),
      );
    case 'key.updated':
      return withBody(updateKeyBodySchema, change, (body, query) =>
        client.call('update-connection-key', { path: { connectionId, keyId }, query, body }),
      );
    case 'key.revoked':
      return (query) => client.call('revoke-connection-key', { path: { connectionId, keyId }, query });
    default:
      return undefined;
  }
}

/** A list in a Change is a text. */
function withLists(change: Change): RestoredChange {
  const { after } = change;
  const lists = {
    ...(after?.applications !== undefined && { applications: String(after.applications).split(' ').filter(Boolean) }),
    ...(after?.groupRoles !== undefined && { groupRoles: groupRolesOf(after.groupRoles) }),
  };
  return { ...change, after: after && { ...after, ...lists } };
}
