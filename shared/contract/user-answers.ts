import * as v from 'valibot';
import { userStatuses } from './access-statuses.ts';
import { extendedSchema, recordedSchema, versionedSchema } from './answers.ts';
import { fieldEntries } from './field-forms.ts';
import { appIdSchema, connectionIdSchema, roleNameSchema, timestampSchema, userIdSchema } from './fields.ts';
import { setBySchema } from './set-by.ts';
import { userFields } from './user-fields.ts';

/** A user, as operators read one. */
export const userSchema = versionedSchema({
  userId: userIdSchema,
  status: v.picklist(userStatuses),
  ...fieldEntries(userFields, 'shown'),
});

/** A role that a user holds in an application. */
export const heldInSchema = v.object({
  appId: appIdSchema,
  name: roleNameSchema,
  expiresAt: v.nullable(timestampSchema),
});

/** A user in a list; with the roles if the list is of users who hold one. */
export const listedUserSchema = extendedSchema(userSchema, { roles: v.exactOptional(v.array(heldInSchema)) });

/** A user in the answer to a request for that user. */
export const readUserSchema = extendedSchema(userSchema, {
  statusSetBy: v.nullable(setBySchema),
  directory: v.nullable(connectionIdSchema),
});

/** The user after a write. */
export const changedUserSchema = recordedSchema(userSchema);

const { userId, status } = userSchema.entries;
export const namedUserSchema = v.object({ userId, ...fieldEntries(userFields, 'shown'), status });

/** The users that a name matches. */
export const resolvedNameSchema = v.object({ name: v.string(), users: v.array(namedUserSchema) });

/** The users that each of the names matches. */
export const resolvedNamesSchema = v.object({ items: v.array(resolvedNameSchema) });
