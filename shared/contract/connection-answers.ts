import * as v from 'valibot';
import { versionedSchema } from './answers.ts';
import { connectionKeySchema } from './connection-key-answers.ts';
import { appIdSchema, connectionIdSchema } from './fields.ts';
import { groupRolesSchema } from './group-roles.ts';
import { type ConnectionKind, connectionKinds } from './operation.ts';
import { connectionFields, fieldEntries } from './resource-fields.ts';

/** A connection with its keys. */
export const connectionSchema = versionedSchema({
  connectionId: connectionIdSchema,
  kind: v.picklist(Object.keys(connectionKinds) as ConnectionKind[]),
  ...fieldEntries(connectionFields, 'shown'),
  applications: v.array(appIdSchema),
  groupRoles: groupRolesSchema,
  keys: v.array(connectionKeySchema),
});
