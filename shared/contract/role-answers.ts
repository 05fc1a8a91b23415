import { versionedSchema } from './answers.ts';
import { appIdSchema, roleNameSchema } from './fields.ts';
import { fieldEntries, roleFields } from './resource-fields.ts';

/** A role of an application. */
export const roleSchema = versionedSchema({
  appId: appIdSchema,
  role: roleNameSchema,
  ...fieldEntries(roleFields, 'shown'),
});
