import { versionedSchema } from './answers.ts';
import { fieldEntries } from './field-forms.ts';
import { appIdSchema, roleNameSchema } from './fields.ts';
import { roleFields } from './role-fields.ts';

/** A role of an application. */
export const roleSchema = versionedSchema({
  appId: appIdSchema,
  role: roleNameSchema,
  ...fieldEntries(roleFields, 'shown'),
});
