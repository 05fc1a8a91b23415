import * as access from './access.ts';
import * as accessCheck from './access-check.ts';
import * as accessLists from './access-lists.ts';
import * as accessSnapshot from './access-snapshot.ts';
import * as apiKey from './api-key.ts';
import * as application from './application.ts';
import * as grant from './grant.ts';
import * as history from './history.ts';
import { getOperatorOperation } from './operator.ts';
import * as role from './role.ts';
import * as roleMembers from './role-members.ts';
import { undoChangeOperation } from './undo.ts';
import * as user from './user.ts';

/** What the core has of the Service API, by the names of its operations. */
export const coreServiceOperations = {
  'get-access': access.getAccessOperation,
  'set-access': access.setAccessOperation,
  'assign-role': grant.assignRoleOperation,
  'revoke-role': grant.revokeRoleOperation,
  'check-access': accessCheck.checkAccessOperation,
  'get-snapshot': accessSnapshot.getSnapshotOperation,
  'list-changes': history.listChangesOperation,
} as const;

/** What the core has of the Management API. */
export const coreManageOperations = {
  'get-operator': getOperatorOperation,
  'create-application': application.createApplicationOperation,
  'list-applications': application.listApplicationsOperation,
  'get-application': application.getApplicationOperation,
  'update-application': application.updateApplicationOperation,
  'delete-application': application.deleteApplicationOperation,
  'issue-key': apiKey.issueKeyOperation,
  'list-keys': apiKey.listKeysOperation,
  'list-all-keys': apiKey.listAllKeysOperation,
  'update-key': apiKey.updateKeyOperation,
  'revoke-key': apiKey.revokeKeyOperation,
  'rotate-key': apiKey.rotateKeyOperation,
  'list-roles': role.listRolesOperation,
  'define-role': role.defineRoleOperation,
  'get-role': role.getRoleOperation,
  'delete-role': role.deleteRoleOperation,
  'list-members': roleMembers.listMembersOperation,
  'assign-role-in-bulk': roleMembers.assignRoleInBulkOperation,
  'revoke-role-in-bulk': roleMembers.revokeRoleInBulkOperation,
  'list-application-users': accessLists.listApplicationUsersOperation,
  'set-access-in-bulk': accessLists.setAccessInBulkOperation,
  'list-application-changes': history.listApplicationChangesOperation,
  'list-users': user.listUsersOperation,
  'resolve-users': user.resolveUsersOperation,
  'create-user': user.createUserOperation,
  'get-user': user.getUserOperation,
  'update-user': user.updateUserOperation,
  'delete-user': user.deleteUserOperation,
  'set-user-status': user.setUserStatusOperation,
  'set-user-status-in-bulk': user.setUserStatusInBulkOperation,
  'list-user-access': accessLists.listUserAccessOperation,
  'set-user-access': access.setUserAccessOperation,
  'assign-user-role': grant.assignUserRoleOperation,
  'revoke-user-role': grant.revokeUserRoleOperation,
  'list-user-changes': history.listUserChangesOperation,
  'verify-changes': history.verifyChangesOperation,
  'list-all-changes': history.listAllChangesOperation,
  'undo-change': undoChangeOperation,
} as const;
