import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { answers, dryRunQuerySchema, pageQuery, timestampSchema } from './fields.ts';
import type { ManageOperation } from './operation.ts';
import type { findingSchema, repairKinds, repairSchema } from './table-repair-answers.ts';

export type RepairKind = (typeof repairKinds)[number];

/** What a repair cannot repair: what is missing is nowhere in the table or, for counters, changes kept coming. */
export const unrepairableKinds = [
  'counters-busy',
  'history-gap',
  'change-forged',
  'feed-altered',
  'account-differs',
  'orphan',
  'key',
] as const satisfies readonly RepairKind[];

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
