// The fields come first: an outcome describes one in words of its own.
import '#shared/contract/set-by-documents.ts';

import { pageSchema } from '#shared/contract/answers.ts';
import { describedPage } from '#shared/contract/answers-documents.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import type { undoBulkOperation, undoStatusBulkOperation } from './bulk-undo.ts';
import { undoOutcomeSchema } from './bulk-undo-answers.ts';

const description =
  'A page at a time, latest first: each change of the bulk is undone separately, like `undo-change`, unless anything but the bulk has modified the access or the user since: then its outcome is `version_mismatch`. One that is undone already is `unchanged`, so a request whose answer was lost can be repeated. The index of the changes can lag by some seconds: repeat the request to undo what it missed.';

export const undoBulkDocuments: OperationDocumentation<typeof undoBulkOperation> = {
  answer: describedPage(pageSchema(undoOutcomeSchema)),
  tag: 'History',
  summary: 'Undo a bulk in an application',
  description: `Undoes the access and role changes of a bulk. ${description}`,
  example: { answer: { items: [], cursor: null } },
};

export const undoStatusBulkDocuments: OperationDocumentation<typeof undoStatusBulkOperation> = {
  answer: describedPage(pageSchema(undoOutcomeSchema)),
  tag: 'History',
  summary: 'Undo a bulk of the status of users',
  description,
  example: { answer: { items: [], cursor: null } },
};

describeMembers(undoOutcomeSchema.entries, {
  changeId: 'The `id` of the change of the bulk.',
});
