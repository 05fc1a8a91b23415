import * as v from 'valibot';

/** Reveals that a Change was altered, or that the one before it is missing; `shared/integrity` computes it. */
export const changeIntegritySchema = v.object({
  root: v.string(),
  previous: v.nullable(v.string()),
  salt: v.exactOptional(v.string()),
  personal: v.exactOptional(v.string()),
  mac: v.string(),
});
