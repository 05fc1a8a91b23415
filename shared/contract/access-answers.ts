import * as v from 'valibot';
import { accessFields } from './access-fields.ts';
import { accessStatuses, decisions, userStatuses } from './access-statuses.ts';
import { recordedSchema } from './answers.ts';
import { fieldEntries } from './field-forms.ts';
import { appIdSchema, roleNameSchema, timestampSchema, userIdSchema, versionSchema } from './fields.ts';

/** The effective access of one user to one application. */
export const accessSchema = v.object({
  userId: userIdSchema,
  appId: appIdSchema,
  status: v.picklist(accessStatuses),
  explicit: v.boolean(),
  ...fieldEntries(accessFields, 'shown'),
  userStatus: v.picklist(userStatuses),
  effectiveStatus: v.picklist(accessStatuses),
  decidedBy: v.picklist(decisions),
  roles: v.array(v.object({ name: roleNameSchema, expiresAt: v.nullable(timestampSchema) })),
  version: versionSchema,
  updatedAt: v.nullable(timestampSchema),
});

/** The access after a write. */
export const changedAccessSchema = recordedSchema(accessSchema);
