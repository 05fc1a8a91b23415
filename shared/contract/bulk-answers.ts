import * as v from 'valibot';

/** The outcome for one user of a bulk request. */
export const bulkOutcomeSchema = v.object({
  /** As requested, even if it is not a valid user id. */
  userId: v.string(),
  outcome: v.picklist(['changed', 'unchanged', 'failed']),
  problem: v.exactOptional(v.object({ code: v.string(), detail: v.string() })),
});

/** The outcomes of a bulk request. */
export const bulkOutcomesSchema = v.object({ items: v.array(bulkOutcomeSchema) });
