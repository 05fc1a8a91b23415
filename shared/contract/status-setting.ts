import * as v from 'valibot';
import { callerSchema } from './change.ts';
import { describeMembers } from './descriptions.ts';
import { changeIdSchema, timestampSchema } from './fields.ts';

/** Who set a status, when and why; who and why are unknown once the change is older than changes are kept. */
export const statusSettingSchema = /* @__PURE__ */ (() =>
  v.object({
    changeId: changeIdSchema,
    at: timestampSchema,
    caller: v.nullable(callerSchema),
    reason: v.nullable(v.string()),
  }))();

/* @__PURE__ */ describeMembers(() => statusSettingSchema.entries, {
  changeId: 'The change that set it, by its `id` in the history.',
  at: 'When it was set.',
  caller: 'Who set it; `null` once the change is older than changes are kept.',
  reason: 'Why, as the caller gave it.',
});
