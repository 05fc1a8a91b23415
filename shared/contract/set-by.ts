import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { callerSchema } from './change-schemas.ts';
import { bulkIdSchema, changeIdSchema, timestampSchema } from './fields.ts';

/** Who made a setting, such as a status or a grant, when and why; who and why are unknown after the retention of the history. */
export const setBySchema = v.object({
  changeId: changeIdSchema,
  at: timestampSchema,
  caller: v.nullable(callerSchema),
  reason: v.nullable(v.string()),
  ticket: v.nullable(v.string()),
  bulkId: v.nullable(bulkIdSchema),
});
export type SetBy = Answer<typeof setBySchema>;
