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
import { accessCheckDocuments } from './access-check-documents.ts';
import { accessDocuments } from './access-documents.ts';
import { accessListsDocuments } from './access-lists-documents.ts';
import { accessSnapshotDocuments } from './access-snapshot-documents.ts';
import { type AddedMembers, withMembers } from './added-members.ts';
import { apiKeyDocuments } from './api-key-documents.ts';
import { applicationDocuments } from './application-documents.ts';
import type { coreManageOperations, coreServiceOperations } from './core-operations.ts';
import type { DocumentsOf, OperationDocumentation } from './documentation.ts';
import { pathExamples } from './examples.ts';
import { grantDocuments } from './grant-documents.ts';
import { historyDocuments } from './history-documents.ts';
import { membersOf } from './members-of-options.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { operatorDocuments } from './operator-documents.ts';
import { roleDocuments } from './role-documents.ts';
import { roleMembersDocuments } from './role-members-documents.ts';
import { undoDocuments } from './undo-documents.ts';
import { userDocuments } from './user-documents.ts';

export { descriptionOf } from './descriptions.ts';

/** The documents of every operation of the core: without those of one, this does not compile. */
const documents: DocumentsOf<typeof coreServiceOperations & typeof coreManageOperations> = {
  ...accessDocuments,
  ...grantDocuments,
  ...accessCheckDocuments,
  ...accessSnapshotDocuments,
  ...historyDocuments,
  ...operatorDocuments,
  ...applicationDocuments,
  ...apiKeyDocuments,
  ...roleDocuments,
  ...roleMembersDocuments,
  ...accessListsDocuments,
  ...userDocuments,
  ...undoDocuments,
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
