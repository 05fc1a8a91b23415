import * as v from 'valibot';
import { versionedSchema } from '#shared/contract/answers.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import { appIdSchema, connectionIdSchema } from '#shared/contract/fields.ts';
import { type ConnectionKind, connectionKinds } from '#shared/contract/operation.ts';
import { connectionFields } from './connection-fields.ts';
import { connectionKeySchema } from './connection-key-answers.ts';
import { groupRolesSchema } from './group-roles.ts';

/** A connection with its keys. */
export const connectionSchema = versionedSchema({
  connectionId: connectionIdSchema,
  kind: v.picklist(Object.keys(connectionKinds) as ConnectionKind[]),
  ...fieldEntries(connectionFields, 'shown'),
  applications: v.array(appIdSchema),
  groupRoles: groupRolesSchema,
  keys: v.array(connectionKeySchema),
});
