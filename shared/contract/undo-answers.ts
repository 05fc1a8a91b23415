import * as v from 'valibot';
import { appIdSchema, changeIdSchema, userIdSchema, versionSchema } from './fields.ts';

/** The result of undoing a change; without an application for a change of the user itself. */
export const undoneSchema = v.object({
  userId: userIdSchema,
  appId: v.exactOptional(appIdSchema),
  changed: v.boolean(),
  changeId: v.nullable(changeIdSchema),
  version: versionSchema,
});
