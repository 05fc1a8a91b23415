// The members that several records share come first: a record can describe one in words of its own.
import './answers-documents.ts';
import './bulk-documents.ts';
import './change-details-documents.ts';
import './change-documents.ts';
import './change-reason-documents.ts';
import './fields-documents.ts';
import './problems-documents.ts';
import './resource-fields-documents.ts';
import './set-by-documents.ts';

import * as catalog from '#options/catalog.ts';
import * as accessCheck from './access-check-documents.ts';
import * as access from './access-documents.ts';
import * as accessLists from './access-lists-documents.ts';
import * as accessSnapshot from './access-snapshot-documents.ts';
import { type AddedMembers, withMembers } from './added-members.ts';
import * as apiKey from './api-key-documents.ts';
import * as application from './application-documents.ts';
import type { coreManageOperations, coreServiceOperations } from './core-operations.ts';
import type { DocumentsOf, OperationDocumentation } from './documentation.ts';
import { pathExamples } from './examples.ts';
import * as grant from './grant-documents.ts';
import * as history from './history-documents.ts';
import { membersOf } from './members-of-options.ts';
import type { Operation, OperationRequest } from './operation.ts';
import * as operator from './operator-documents.ts';
import * as role from './role-documents.ts';
import * as roleMembers from './role-members-documents.ts';
import * as undo from './undo-documents.ts';
import * as user from './user-documents.ts';

export { descriptionOf } from './descriptions.ts';

/** The documents of every operation of the core: without those of one, this does not compile. */
const documents: DocumentsOf<typeof coreServiceOperations & typeof coreManageOperations> = {
  'get-access': access.getAccessDocuments,
  'set-access': access.setAccessDocuments,
  'assign-role': grant.assignRoleDocuments,
  'revoke-role': grant.revokeRoleDocuments,
  'check-access': accessCheck.checkAccessDocuments,
  'get-snapshot': accessSnapshot.getSnapshotDocuments,
  'list-changes': history.listChangesDocuments,
  'get-operator': operator.getOperatorDocuments,
  'create-application': application.createApplicationDocuments,
  'list-applications': application.listApplicationsDocuments,
  'get-application': application.getApplicationDocuments,
  'update-application': application.updateApplicationDocuments,
  'delete-application': application.deleteApplicationDocuments,
  'issue-key': apiKey.issueKeyDocuments,
  'list-keys': apiKey.listKeysDocuments,
  'list-all-keys': apiKey.listAllKeysDocuments,
  'update-key': apiKey.updateKeyDocuments,
  'revoke-key': apiKey.revokeKeyDocuments,
  'rotate-key': apiKey.rotateKeyDocuments,
  'list-roles': role.listRolesDocuments,
  'define-role': role.defineRoleDocuments,
  'get-role': role.getRoleDocuments,
  'delete-role': role.deleteRoleDocuments,
  'list-members': roleMembers.listMembersDocuments,
  'assign-role-in-bulk': roleMembers.assignRoleInBulkDocuments,
  'revoke-role-in-bulk': roleMembers.revokeRoleInBulkDocuments,
  'list-application-users': accessLists.listApplicationUsersDocuments,
  'set-access-in-bulk': accessLists.setAccessInBulkDocuments,
  'list-application-changes': history.listApplicationChangesDocuments,
  'list-users': user.listUsersDocuments,
  'resolve-users': user.resolveUsersDocuments,
  'create-user': user.createUserDocuments,
  'get-user': user.getUserDocuments,
  'update-user': user.updateUserDocuments,
  'delete-user': user.deleteUserDocuments,
  'set-user-status': user.setUserStatusDocuments,
  'set-user-status-in-bulk': user.setUserStatusInBulkDocuments,
  'list-user-access': accessLists.listUserAccessDocuments,
  'set-user-access': access.setUserAccessDocuments,
  'assign-user-role': grant.assignUserRoleDocuments,
  'revoke-user-role': grant.revokeUserRoleDocuments,
  'list-user-changes': history.listUserChangesDocuments,
  'verify-changes': history.verifyChangesDocuments,
  'list-all-changes': history.listAllChangesDocuments,
  'undo-change': undo.undoChangeDocuments,
};

/** What options add to answers, by the operation. */
const added: readonly Readonly<Record<string, AddedMembers>>[] = membersOf(catalog, 'answers');

const byName = new Map<string, OperationDocumentation>(
  [documents, ...membersOf(catalog, 'documents')]
    .flatMap((part) => Object.entries<OperationDocumentation>(part))
    .map(([name, described]) => [
      name,
      withMembers(
        described,
        added.flatMap(({ [name]: one }) => one ?? []),
      ),
    ]),
);

/** The documents of an operation, always the same object. */
export function documentationOf(operation: Operation): OperationDocumentation {
  const documentation = byName.get(operation.name);
  if (documentation === undefined) throw new Error(`${operation.name} is not documented`);
  return documentation;
}

/** The request of an operation's example, about this user where its path names one. */
export function exampleRequest<Described extends Operation>(
  operation: Described,
  userId: string,
): OperationRequest<Described> {
  const { answer: _, ...request } = documentationOf(operation).example;
  const ids = { ...pathExamples, userId };
  const path = Object.entries(ids).filter(([name]) => operation.path.includes(`{${name}}`));
  // Which parts a request has follows from the record, which a type parameter does not tell.
  const call: object = { ...request, ...(path.length > 0 && { path: Object.fromEntries(path) }) };
  return call as OperationRequest<Described>;
}
