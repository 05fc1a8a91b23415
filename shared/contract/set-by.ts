import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { callerSchema } from './change.ts';
import { describeMembers } from './descriptions.ts';
import { bulkIdSchema, changeIdSchema, timestampSchema } from './fields.ts';

/** Who made a setting, such as a status or a grant, when and why; who and why are unknown after the retention of the history. */
export const setBySchema = /* @__PURE__ */ (() =>
  v.object({
    changeId: changeIdSchema,
    at: timestampSchema,
    caller: v.nullable(callerSchema),
    reason: v.nullable(v.string()),
    ticket: v.nullable(v.string()),
    bulkId: v.nullable(bulkIdSchema),
  }))();
export type SetBy = Answer<typeof setBySchema>;

/* @__PURE__ */ describeMembers(() => setBySchema.entries, {
  changeId: 'The `id` of the change that set it.',
  caller: 'Who set it; `null` after the retention of the history.',
  reason: 'The reason that the caller gave.',
  ticket: 'The ticket that the caller gave; `null` if there was none.',
  bulkId: 'The bulk that the change is part of, such as an offboarding; `null` if it is part of none.',
});
