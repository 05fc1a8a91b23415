import type { ManagementClient } from '#client/management/management-client.ts';
import * as options from '#options/restorings.ts';
import { setUserAccessOperation } from '#shared/contract/access.ts';
import { updateKeyOperation } from '#shared/contract/api-key.ts';
import { createApplicationOperation, updateApplicationOperation } from '#shared/contract/application.ts';
import type { Change } from '#shared/contract/change.ts';
import { assignUserRoleOperation, revokeUserRoleOperation } from '#shared/contract/grant.ts';
import type { OptionAction } from '#shared/contract/option-changes.ts';
import { defineRoleOperation } from '#shared/contract/role.ts';
import { createUserOperation, setUserStatusOperation, updateUserOperation } from '#shared/contract/user.ts';
import { type OptionRestoring, type RestoringCall, withBody } from './restoring-body.ts';

/** How the options restore what they keep. */
export const restorings = Object.values<OptionRestoring>(options);

/**
 * The call that restores the state after a change; undefined for a change that cannot be repeated. A new key cannot: the
 * service chooses its id, from which its secret is derived. A role or an application is not deleted: that cannot be undone, and
 * a later definition of the same role must begin without members.
 */
export function restoringCall(client: ManagementClient, change: Change): RestoringCall | undefined {
  const ofOption = restorings.find((one) => one.isOwn(change));
  if (ofOption !== undefined) return ofOption.callFor(client, change);
  const { action, userId = '', appId = '', role = '', keyId = '' } = change;
  switch (action) {
    case 'user.created':
      return withBody(createUserOperation.body.wrapped, change, (body, query) =>
        client.call('create-user', { path: { userId }, query, body }),
      );
    case 'user.updated':
      return withBody(updateUserOperation.body, change, (body, query) =>
        client.call('update-user', { path: { userId }, query, body }),
      );
    case 'user.status.changed':
      return withBody(setUserStatusOperation.body, change, (body, query) =>
        client.call('set-user-status', { path: { userId }, query, body }),
      );
    case 'user.deleted':
      return (query) => client.call('delete-user', { path: { userId }, query });
    case 'access.changed':
      return withBody(setUserAccessOperation.body, change, (body, query) =>
        client.call('set-user-access', { path: { userId, appId }, query, body }),
      );
    case 'role.assigned':
      return withBody(assignUserRoleOperation.body.wrapped, change, (body, query) =>
        client.call('assign-user-role', { path: { userId, appId, role }, query, body }),
      );
    case 'role.revoked':
      return withBody(revokeUserRoleOperation.body.wrapped, change, (body, query) =>
        client.call('revoke-user-role', { path: { userId, appId, role }, query, body }),
      );
    case 'role.defined':
      return withBody(defineRoleOperation.body.wrapped, change, (body, query) =>
        client.call('define-role', { path: { appId, role }, query, body }),
      );
    case 'application.created':
      return withBody(createApplicationOperation.body, change, (body, query) =>
        client.call('create-application', { query, body }),
      );
    case 'application.updated':
      return withBody(updateApplicationOperation.body, change, (body, query) =>
        client.call('update-application', { path: { appId }, query, body }),
      );
    case 'key.updated':
      return withBody(updateKeyOperation.body, change, (body, query) =>
        client.call('update-key', { path: { appId, keyId }, query, body }),
      );
    case 'key.revoked':
      return (query) => client.call('revoke-key', { path: { appId, keyId }, query });
    case 'key.issued':
    case 'key.rotated':
    case 'role.deleted':
    case 'application.deleted':
    case 'application.reviewed':
      return undefined;
    // What options record is theirs to restore. A new webhook, for one, gets a secret that its receiver must be given.
    default:
      action satisfies OptionAction;
      return undefined;
  }
}
