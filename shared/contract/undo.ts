import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { reasonBodySchema } from './change-reason.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleAccess, exampleChanged } from './examples.ts';
import { answers, appIdSchema, changeIdSchema, dryRunQuerySchema, userIdSchema, versionSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';

/** The result of undoing a change; without an application for a change of the user itself. */
const undoneSchema = /* @__PURE__ */ (() =>
  v.object({
    userId: userIdSchema,
    appId: v.exactOptional(appIdSchema),
    changed: v.boolean(),
    changeId: v.nullable(changeIdSchema),
    version: versionSchema,
  }))();
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

/* @__PURE__ */ documentOperation(undoChangeOperation, () => ({
  answer: undoneSchema,
  tag: 'History',
  summary: 'Undo a change',
  description:
    'Restores the state before a change of a status, an access or a role, unless the access or the user has been modified since: `version_mismatch`. Undoing is itself a change, so it can be undone too. If the status had never been set, it is unset again. A block or grant that would have expired by now is not restored: `not_undoable`.',
  example: {
    answer: { userId: exampleAccess.undone.userId, appId: exampleAccess.undone.appId, ...exampleChanged, version: 8 },
  },
}));

/* @__PURE__ */ describeMembers(() => undoneSchema.entries, {
  appId: 'The application. Absent for a change of the user itself.',
  changed: 'Whether the request changed anything. `false` if it was already in this state.',
  changeId: 'The `id` of the change that the request made; `null` if nothing changed.',
});
