import * as v from 'valibot';
import { timestampSchema } from '#shared/contract/fields.ts';

const countSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

/** How often requests of a connection were refused, and why. */
export const refusalSchema = v.object({
  at: timestampSchema,
  method: v.string(),
  path: v.string(),
  status: v.number(),
  scimType: v.nullable(v.string()),
  detail: v.string(),
});

/** What a connection did lately. */
export const connectionActivitySchema = v.object({
  lastRequestAt: v.nullable(timestampSchema),
  requests: countSchema,
  refused: countSchema,
  refusals: v.array(refusalSchema),
});
