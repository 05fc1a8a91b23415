import * as v from 'valibot';

/** Whether one change is genuine. */
export const changeVerdictSchema = v.object({
  id: v.string(),
  verdict: v.picklist(['unchanged', 'changed', 'without-mac', 'unknown-root']),
});

/** Whether each of the posted changes is genuine. */
export const changeVerdictsSchema = v.object({ items: v.array(changeVerdictSchema) });
