import * as v from 'valibot';
import { callerSchema } from './change.ts';
import { describeMembers } from './descriptions.ts';
import { bulkIdSchema, changeIdSchema, timestampSchema } from './fields.ts';

/** Who set a status, when and why; who and why are unknown after the retention of the history. */
export const statusSettingSchema = /* @__PURE__ */ (() =>
  v.object({
    changeId: changeIdSchema,
    at: timestampSchema,
    caller: v.nullable(callerSchema),
    reason: v.nullable(v.string()),
    ticket: v.nullable(v.string()),
    bulkId: v.nullable(bulkIdSchema),
  }))();

/* @__PURE__ */ describeMembers(() => statusSettingSchema.entries, {
  changeId: 'The `id` of the change that set it.',
  caller: 'Who set it; `null` after the retention of the history.',
  reason: 'The reason that the caller gave.',
  ticket: 'The ticket that the caller gave; `null` if there was none.',
  bulkId: 'The bulk that the change is part of, such as an offboarding; `null` if it is part of none.',
});
