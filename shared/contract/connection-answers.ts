import * as v from 'valibot';
import { versionedSchema } from './answers.ts';
import { connectionFields } from './connection-fields.ts';
import { connectionKeySchema } from './connection-key-answers.ts';
import { fieldEntries } from './field-forms.ts';
import { appIdSchema, connectionIdSchema } from './fields.ts';
import { groupRolesSchema } from './group-roles.ts';
import { type ConnectionKind, connectionKinds } from './operation.ts';

/** A connection with its keys. */
export const connectionSchema = versionedSchema({
  connectionId: connectionIdSchema,
  kind: v.picklist(Object.keys(connectionKinds) as ConnectionKind[]),
  ...fieldEntries(connectionFields, 'shown'),
  applications: v.array(appIdSchema),
  groupRoles: groupRolesSchema,
  keys: v.array(connectionKeySchema),
});
