import * as v from 'valibot';
import { type Answer, type PageOf, pageSchema } from './answers.ts';
import { bulkEntries, bulkOutcomeSchema } from './bulk.ts';
import { reasonEntries } from './change-reason.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { answers, changeIdSchema, pageQuery } from './fields.ts';
import type { ManageOperation } from './operation.ts';

const undoBulkBodySchema = v.optional(v.strictObject({ dryRun: bulkEntries.dryRun, ...reasonEntries }), {});

const undoOutcomeSchema = /* @__PURE__ */ (() =>
  v.object({ ...bulkOutcomeSchema.entries, changeId: changeIdSchema }))();
export type UndoOutcome = Answer<typeof undoOutcomeSchema>;

const undoQuerySchema = v.strictObject(pageQuery);

export const undoBulkOperation = {
  name: 'undo-bulk',
  method: 'POST',
  path: '/api/manage/applications/{appId}/bulks/{bulkId}/undo',
  role: 'support',
  query: undoQuerySchema,
  body: undoBulkBodySchema,
  answer: answers<PageOf<typeof undoOutcomeSchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

export const undoStatusBulkOperation = {
  name: 'undo-status-bulk',
  method: 'POST',
  path: '/api/manage/bulks/{bulkId}/undo',
  role: 'support',
  query: undoQuerySchema,
  body: undoBulkBodySchema,
  answer: answers<PageOf<typeof undoOutcomeSchema>>(),
  errors: [],
} as const satisfies ManageOperation;

const description =
  'A page at a time, latest first: each change of the bulk is undone separately, like `undo-change`, unless anything but the bulk has modified the access or the user since: then its outcome is `version_mismatch`. One that is undone already is `unchanged`, so a request whose answer was lost can be repeated. The index of the changes can lag by some seconds: repeat the request to undo what it missed.';

/* @__PURE__ */ documentOperation(undoBulkOperation, () => ({
  answer: pageSchema(undoOutcomeSchema),
  tag: 'History',
  summary: 'Undo a bulk in an application',
  description: `Undoes the access and role changes of a bulk. ${description}`,
  example: { answer: { items: [], cursor: null } },
}));

/* @__PURE__ */ documentOperation(undoStatusBulkOperation, () => ({
  answer: pageSchema(undoOutcomeSchema),
  tag: 'History',
  summary: 'Undo a bulk of the status of users',
  description,
  example: { answer: { items: [], cursor: null } },
}));

/* @__PURE__ */ describeMembers(() => undoOutcomeSchema.entries, {
  changeId: 'The `id` of the change of the bulk.',
});
