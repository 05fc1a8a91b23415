import * as v from 'valibot';
import type { Answer } from '#shared/contract/answers.ts';
import { answers, dryRunQuerySchema, pageQuery, timestampSchema } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type { findingSchema, repairSchema } from './table-repair-answers.ts';

export type Finding = Answer<typeof findingSchema>;

export type Repair = Answer<typeof repairSchema>;

const repairQuerySchema = v.strictObject({
  ...pageQuery,
  ...dryRunQuerySchema.entries,
  restartFeeds: v.optional(timestampSchema),
});

export const repairOperation = {
  name: 'repair',
  method: 'POST',
  path: '/api/manage/repair',
  role: 'admin',
  query: repairQuerySchema,
  answer: answers<typeof repairSchema>(),
  errors: [],
} as const satisfies ManageOperation;
