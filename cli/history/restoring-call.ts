import * as v from 'valibot';
import { setUserAccessOperation } from '#shared/contract/access.ts';
import { updateKeyOperation } from '#shared/contract/api-key.ts';
import { createApplicationOperation, updateApplicationOperation } from '#shared/contract/application.ts';
import type { Change } from '#shared/contract/change.ts';
import { createConnectionOperation, updateConnectionOperation } from '#shared/contract/connection.ts';
import { assignUserRoleOperation, revokeUserRoleOperation } from '#shared/contract/grant.ts';
import { groupRolesOf } from '#shared/contract/group-roles.ts';
import type { OptionAction } from '#shared/contract/option-changes.ts';
import { defineRoleOperation } from '#shared/contract/role.ts';
import { createUserOperation, setUserStatusOperation, updateUserOperation } from '#shared/contract/user.ts';
import type { ManageClient } from '../service/manage-client.ts';

/** Repeats a change. The answer to a creation has no `changed`. */
export type RestoringCall = (query: { readonly dryRun: boolean }) => Promise<object>;

/**
 * The call that restores the state after a change; undefined for a change that cannot be repeated. A new key cannot: the
 * service chooses its id, from which its secret is derived. A role or an application is not deleted: that cannot be undone, and
 * a later definition of the same role must begin without members.
 */
export function restoringCall(client: ManageClient, change: Change): RestoringCall | undefined {
  const { action, userId = '', appId = '', connectionId, role = '', keyId = '' } = change;
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
        connectionId === undefined
          ? client.call('update-key', { path: { appId, keyId }, query, body })
          : client.call('update-connection-key', { path: { connectionId, keyId }, query, body }),
      );
    case 'key.revoked':
      return (query) =>
        connectionId === undefined
          ? client.call('revoke-key', { path: { appId, keyId }, query })
          : client.call('revoke-connection-key', { path: { connectionId, keyId }, query });
    case 'connection.created':
      return withBody(createConnectionOperation.body, change, (body, query) =>
        client.call('create-connection', { query, body }),
      );
    case 'connection.updated':
      return withBody(updateConnectionOperation.body, change, (body, query) =>
        client.call('update-connection', { path: { connectionId: connectionId ?? '' }, query, body }),
      );
    case 'connection.deleted':
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

type Call<Body> = (body: Body, ...query: Parameters<RestoringCall>) => ReturnType<RestoringCall>;

/** Sends every member of the operation's body that the change contains; undefined if it lacks a required one. */
function withBody<Entries extends v.ObjectEntries>(
  { entries }: { readonly entries: Entries },
  { appId, connectionId, after, reason, ticket }: Change,
  call: Call<v.InferOutput<v.ObjectSchema<Entries, undefined>>>,
): RestoringCall | undefined {
  const lists = {
    ...(after?.applications !== undefined && { applications: String(after.applications).split(' ').filter(Boolean) }),
    ...(after?.groupRoles !== undefined && { groupRoles: groupRolesOf(after.groupRoles) }),
  };
  const given = { appId, connectionId, reason, ticket, ...after, ...lists };
  const { success, output } = v.safeParse(v.object(entries), given);
  return success ? (query) => call(output, query) : undefined;
}
