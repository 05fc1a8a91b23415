import * as v from 'valibot';
import type { Answer, PageOf } from '#shared/contract/answers.ts';
import { bulkEntries } from '#shared/contract/bulk.ts';
import { reasonEntries } from '#shared/contract/change-reason.ts';
import { answers, pageQuery } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type { undoOutcomeSchema } from './bulk-undo-answers.ts';

const undoBulkBodySchema = v.optional(v.strictObject({ dryRun: bulkEntries.dryRun, ...reasonEntries }), {});

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
