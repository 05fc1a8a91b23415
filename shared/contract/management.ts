import * as v from 'valibot';
import { type Access, setAccessBodySchema, type UserStatus, userStatuses } from './access.ts';
import { durationSchema } from './duration.ts';
import { appIdSchema, roleNameSchema, userIdSchema } from './ids.ts';
import { maxKeyOverlapDays, maxReasonLength, maxUsersPerBulk } from './limits.ts';
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
export const createApplicationBodySchema = v.strictObject({ appId: appIdSchema, name: textSchema(100) });
/** Body of `PATCH /applications/{appId}`. */
export const updateApplicationBodySchema = v.strictObject({ name: textSchema(100) });

/** Body of `POST …/keys`: by default a key may do everything, until it is revoked. */
export const issueKeyBodySchema = v.optional(
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
export const rotateKeyBodySchema = v.strictObject({
  overlap: v.pipe(durationSchema, v.maxValue(maxKeyOverlapDays * 86_400, `must be at most ${maxKeyOverlapDays} days`)),
});

/** Body of `PUT …/roles/{role}`. */
export const defineRoleBodySchema = v.optional(v.strictObject({ description: v.nullish(textSchema(256), null) }), {});

/** Body of `PUT /users/{userId}`. */
export const createUserBodySchema = v.optional(
  v.strictObject({ displayName: v.nullish(textSchema(100), null), email: v.nullish(email, null) }),
  {},
);
/** Body of `PATCH /users/{userId}`: what is left out stays, `null` takes away. */
export const updateUserBodySchema = v.strictObject({
  displayName: v.optional(v.nullable(textSchema(100))),
  email: v.optional(v.nullable(email)),
});
/** Body of `PUT /users/{userId}/status`. */
export const setUserStatusBodySchema = v.strictObject({
  status: v.picklist(userStatuses, 'must be "active" or "inactive"'),
  reason,
});

/** Body of `PUT /users/{userId}/roles/{appId}/{role}`. */
export const assignUserRoleBodySchema = v.optional(v.strictObject({ expiresAt: v.nullish(momentSchema, null) }), {});

/** Body of `POST /applications/{appId}/access`: one setting for many users. */
export const setAccessInBulkBodySchema = v.strictObject({
  ...setAccessBodySchema.entries,
  userIds: v.pipe(
    v.array(v.string('must be a string'), 'must be a list'),
    v.minLength(1, 'must name at least one user'),
    v.maxLength(maxUsersPerBulk, `must name at most ${maxUsersPerBulk} users`),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each user once'),
  ),
});

export const appPathSchema = v.object({ appId: appIdSchema });
export const rolePathSchema = v.object({ appId: appIdSchema, role: roleNameSchema });
export const userPathSchema = v.object({ userId: userIdSchema });
export const userAppPathSchema = v.object({ userId: userIdSchema, appId: appIdSchema });
export const userRolePathSchema = v.object({ userId: userIdSchema, appId: appIdSchema, role: roleNameSchema });
/** A key id is looked for among the application's keys, so any text will do: what is none is not found. */
export const keyPathSchema = v.object({ appId: appIdSchema, keyId: v.string() });

/** A page of a list: `cursor` leads to the next one, `null` says that this is the last. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

export interface ApplicationView {
  readonly appId: string;
  readonly name: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface KeyView {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** A day, such as `2026-11-20`; `null` is never. */
  readonly lastUsedOn: string | null;
}

/** The answer to issuing or rotating a key, and the only one that ever shows its secret. */
export interface IssuedKeyView extends KeyView {
  readonly secret: string;
}

export interface RoleView {
  readonly appId: string;
  readonly role: string;
  readonly description: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface MemberView {
  readonly userId: string;
  readonly expiresAt: string | null;
}

export interface UserView {
  readonly userId: string;
  readonly status: UserStatus;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One application with the user's access in it. */
export interface UserAccessView extends Access {
  readonly appName: string;
}

/** What became of one user of a bulk request. */
export interface BulkOutcome {
  readonly userId: string;
  readonly outcome: 'changed' | 'unchanged' | 'failed';
  /** Only of a failed one. */
  readonly problem?: { readonly code: string; readonly detail: string };
}

/** The answer to every deletion. When it is not `complete`, time ran out: the same request goes on. */
export interface Deletion {
  readonly changed: boolean;
  readonly complete: boolean;
}

/** An answer that says whether the request changed anything. */
export type Changed<View> = View & { readonly changed: boolean };
