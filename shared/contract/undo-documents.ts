import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleAccess, exampleChanged } from './examples.ts';
import type { undoManageOperations } from './undo.ts';
import { undoneSchema } from './undo-answers.ts';

export const undoDocuments: DocumentsOf<typeof undoManageOperations> = {
  'undo-change': {
    answer: undoneSchema,
    tag: 'History',
    summary: 'Undo a change',
    description:
      'Restores the state before a change of a status, an access or a role, unless the access or the user has been modified since: `version_mismatch`. Undoing is itself a change, so it can be undone too. If the status had never been set, it is unset again. A block or grant that would have expired by now is not restored: `not_undoable`.',
    example: {
      answer: { userId: exampleAccess.undone.userId, appId: exampleAccess.undone.appId, ...exampleChanged, version: 8 },
    },
  },
};

describeMembers(undoneSchema.entries, {
  appId: 'The application. Absent for a change of the user itself.',
  changed: 'Whether the request changed anything. `false` if it was already in this state.',
  changeId: 'The `id` of the change that the request made; `null` if nothing changed.',
});
