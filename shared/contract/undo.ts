import type { Answer } from './answers.ts';
import { reasonBodySchema } from './change-reason.ts';
import { answers, dryRunQuerySchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import type { undoneSchema } from './undo-answers.ts';

export type Undone = Answer<typeof undoneSchema>;

/** Only the change names its application, so the role is checked after reading the change. */
export const undoChangeOperation = {
  name: 'undo-change',
  method: 'POST',
  path: '/api/manage/users/{userId}/changes/{changeId}/undo',
  role: 'support',
  forLimited: 'narrowed',
  query: dryRunQuerySchema,
  body: reasonBodySchema,
  answer: answers<typeof undoneSchema>(),
  errors: [
    'change_not_found',
    'not_undoable',
    'version_mismatch',
    'user_not_found',
    'application_not_found',
    'role_not_found',
    'reason_required',
  ],
} as const satisfies ManageOperation;

/** The Management API: undoing changes. */
export const undoManageOperations = {
  'undo-change': undoChangeOperation,
} as const;
