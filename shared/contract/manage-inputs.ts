import * as v from 'valibot';
import { setAccessBodySchema, userStatuses } from './access.ts';
import { durationSchema } from './duration.ts';
import { appIdSchema, roleNameSchema, userIdSchema } from './ids.ts';
import { maxKeyOverlapDays, maxReasonLength, maxUsersPerBulk } from './limits.ts';
import {
  applicationUsersQuerySchema,
  changesQuerySchema,
  forceQuerySchema,
  pageQuerySchema,
  usersQuerySchema,
} from './list-query.ts';
import type { ManageRouteName } from './manage-routes.ts';
import { momentSchema } from './moment.ts';
import { type Scope, scopes } from './routes.ts';
import { textSchema } from './text.ts';

const reason = v.nullish(textSchema(maxReasonLength), null);
const email = v.pipe(
  v.string('must be a string'),
  v.email('must be an e-mail address'),
  v.maxLength(254, 'is too long'),
);

/** Body of `POST /applications`. */
const createApplicationBodySchema = v.strictObject({ appId: appIdSchema, name: textSchema(100) });
/** Body of `PATCH /applications/{appId}`. */
const updateApplicationBodySchema = v.strictObject({ name: textSchema(100) });

/** Body of `POST …/keys`: by default a key may do everything, until it is revoked. */
const issueKeyBodySchema = v.optional(
  v.strictObject({
    scopes: v.optional(
      v.pipe(
        v.array(v.picklist(scopes, `must be one of ${scopes.join(', ')}`), 'must be a list'),
        v.minLength(1, 'must name at least one scope'),
        v.transform((named): readonly Scope[] => scopes.filter((scope) => named.includes(scope))),
      ),
      [...scopes],
    ),
    expiresAt: v.nullish(momentSchema, null),
  }),
  {},
);

/** Body of `POST …/rotate`: how long the old key goes on, from `PT0S` to 30 days. */
const rotateKeyBodySchema = v.strictObject({
  overlap: v.pipe(durationSchema, v.maxValue(maxKeyOverlapDays * 86_400, `must be at most ${maxKeyOverlapDays} days`)),
});

/** Body of `PUT …/roles/{role}`. */
const defineRoleBodySchema = v.optional(v.strictObject({ description: v.nullish(textSchema(256), null) }), {});

/** Body of `PUT /users/{userId}`. */
const createUserBodySchema = v.optional(
  v.strictObject({ displayName: v.nullish(textSchema(100), null), email: v.nullish(email, null) }),
  {},
);
/** Body of `PATCH /users/{userId}`: what is left out stays, `null` takes away. */
const updateUserBodySchema = v.strictObject({
  displayName: v.optional(v.nullable(textSchema(100))),
  email: v.optional(v.nullable(email)),
});
/** Body of `PUT /users/{userId}/status`. */
const setUserStatusBodySchema = v.strictObject({
  status: v.picklist(userStatuses, 'must be "active" or "inactive"'),
  reason,
});

/** Body of `PUT /users/{userId}/roles/{appId}/{role}`. */
const assignUserRoleBodySchema = v.optional(v.strictObject({ expiresAt: v.nullish(momentSchema, null) }), {});

/** Body of `POST /applications/{appId}/access`: one setting for many users. */
const setAccessInBulkBodySchema = v.strictObject({
  ...setAccessBodySchema.entries,
  userIds: v.pipe(
    v.array(v.string('must be a string'), 'must be a list'),
    v.minLength(1, 'must name at least one user'),
    v.maxLength(maxUsersPerBulk, `must name at most ${maxUsersPerBulk} users`),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each user once'),
    v.metadata({ uniqueItems: true }),
  ),
});

const appPathSchema = v.object({ appId: appIdSchema });
const rolePathSchema = v.object({ appId: appIdSchema, role: roleNameSchema });
const userPathSchema = v.object({ userId: userIdSchema });
const userAppPathSchema = v.object({ userId: userIdSchema, appId: appIdSchema });
const userRolePathSchema = v.object({ userId: userIdSchema, appId: appIdSchema, role: roleNameSchema });
/** A key id is looked for among the application's keys, so any text will do: what is none is not found. */
const keyPathSchema = v.object({ appId: appIdSchema, keyId: v.string() });

const anyPathSchema = v.unknown();

/** What each operation of the Management API takes; one without a query or a body takes none. */
export const manageInputs = {
  'create-application': { path: anyPathSchema, body: createApplicationBodySchema },
  'list-applications': { path: anyPathSchema, query: pageQuerySchema },
  'get-application': { path: appPathSchema },
  'update-application': { path: appPathSchema, body: updateApplicationBodySchema },
  'delete-application': { path: appPathSchema, query: forceQuerySchema },
  'issue-key': { path: appPathSchema, body: issueKeyBodySchema },
  'list-keys': { path: appPathSchema, query: pageQuerySchema },
  'revoke-key': { path: keyPathSchema },
  'rotate-key': { path: keyPathSchema, body: rotateKeyBodySchema },
  'list-roles': { path: appPathSchema, query: pageQuerySchema },
  'define-role': { path: rolePathSchema, body: defineRoleBodySchema },
  'get-role': { path: rolePathSchema },
  'delete-role': { path: rolePathSchema, query: forceQuerySchema },
  'list-members': { path: rolePathSchema, query: pageQuerySchema },
  'list-application-users': { path: appPathSchema, query: applicationUsersQuerySchema },
  'set-access-in-bulk': { path: appPathSchema, body: setAccessInBulkBodySchema },
  'list-application-changes': { path: appPathSchema, query: changesQuerySchema },
  'list-users': { path: anyPathSchema, query: usersQuerySchema },
  'create-user': { path: userPathSchema, body: createUserBodySchema },
  'get-user': { path: userPathSchema },
  'update-user': { path: userPathSchema, body: updateUserBodySchema },
  'delete-user': { path: userPathSchema },
  'set-user-status': { path: userPathSchema, body: setUserStatusBodySchema },
  'list-user-access': { path: userPathSchema, query: pageQuerySchema },
  'set-user-access': { path: userAppPathSchema, body: setAccessBodySchema },
  'assign-user-role': { path: userRolePathSchema, body: assignUserRoleBodySchema },
  'revoke-user-role': { path: userRolePathSchema },
  'list-user-changes': { path: userPathSchema, query: pageQuerySchema },
} as const satisfies Record<ManageRouteName, ManageInputSchemas>;

/** What an operation takes. */
export interface ManageInputSchemas {
  readonly path: v.GenericSchema;
  readonly query?: v.StrictObjectSchema<v.ObjectEntries, undefined>;
  readonly body?: v.GenericSchema;
}
