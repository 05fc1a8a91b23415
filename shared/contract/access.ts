import * as v from 'valibot';
import { type Answer, changedSchema, versionSchema } from './answer.ts';
import { appIdSchema, roleNameSchema, userIdSchema } from './ids.ts';
import { maxReasonLength } from './limits.ts';
import { momentSchema } from './moment.ts';
import { textSchema } from './text.ts';

export const accessStatuses = ['enabled', 'disabled'] as const;
export type AccessStatus = (typeof accessStatuses)[number];

export const userStatuses = ['active', 'inactive'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** Body of `PUT …/access`: the whole new setting, so what is left out is taken back. */
export const setAccessBodySchema = v.strictObject({
  status: v.picklist(accessStatuses, 'must be "enabled" or "disabled"'),
  /** Shown to operators and to the application. */
  reason: v.nullish(textSchema(maxReasonLength), null),
  /** When a block ends by itself; goes only with `disabled`. */
  until: v.nullish(momentSchema, null),
});
export type SetAccessBody = v.InferOutput<typeof setAccessBodySchema>;

/** Body of `POST …/assign`. */
export const assignRoleBodySchema = v.strictObject({
  role: roleNameSchema,
  /** When the grant ends by itself; `null` is never. */
  expiresAt: v.nullish(momentSchema, null),
});
export type AssignRoleBody = v.InferOutput<typeof assignRoleBodySchema>;

/** Body of `DELETE …/revoke`, and its query for clients and proxies that drop DELETE bodies. */
export const revokeRoleBodySchema = v.strictObject({ role: roleNameSchema });
export type RevokeRoleBody = v.InferOutput<typeof revokeRoleBodySchema>;

/**
 * The answer of every endpoint of the Service API: what holds for one user in one application. Made in a call of its own
 * that bundlers can leave out where only the type is used, as in the functions.
 */
export const accessSchema = /* @__PURE__ */ (() =>
  v.object({
    userId: userIdSchema,
    appId: appIdSchema,
    /** The per-application status, explicit or the default `enabled`. */
    status: v.picklist(accessStatuses),
    /** Whether somebody ever set the status. */
    explicit: v.boolean(),
    until: v.nullable(momentSchema),
    reason: v.nullable(v.string()),
    userStatus: v.picklist(userStatuses),
    /** What the application must obey now. */
    effectiveStatus: v.picklist(accessStatuses),
    decidedBy: v.picklist(['user', 'explicit', 'lapsed', 'default']),
    /** The grants that hold now, by name. */
    roles: v.array(v.object({ name: roleNameSchema, expiresAt: v.nullable(momentSchema) })),
    /** Counts the changes of this access; 0 before the first. Also the ETag. */
    version: versionSchema,
    updatedAt: v.nullable(momentSchema),
  }))();
export type Access = Answer<typeof accessSchema>;

/** Who decided the effective status: the inactive user, the explicit setting, its end, or nobody. */
export type DecidedBy = Access['decidedBy'];

/** The answer of a write: `changed` is false when what was asked for already held. */
export const changedAccessSchema = /* @__PURE__ */ (() => changedSchema(accessSchema))();
export type ChangedAccess = Answer<typeof changedAccessSchema>;
