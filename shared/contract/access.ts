import * as v from 'valibot';
import { roleNameSchema } from './ids.ts';
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

/** Who decided the effective status: the inactive user, the explicit setting, its end, or nobody. */
export type DecidedBy = 'user' | 'explicit' | 'lapsed' | 'default';

/** The answer of every endpoint of the Service API: what holds for one user in one application. */
export interface Access {
  readonly userId: string;
  readonly appId: string;
  /** The per-application status, explicit or the default `enabled`. */
  readonly status: AccessStatus;
  /** Whether somebody ever set the status. */
  readonly explicit: boolean;
  readonly until: string | null;
  readonly reason: string | null;
  readonly userStatus: UserStatus;
  /** What the application must obey now. */
  readonly effectiveStatus: AccessStatus;
  readonly decidedBy: DecidedBy;
  /** The grants that hold now, by name. */
  readonly roles: readonly { readonly name: string; readonly expiresAt: string | null }[];
  /** Counts the changes of this access; 0 before the first. Also the ETag. */
  readonly version: number;
  readonly updatedAt: string | null;
}

/** The answer of a write: `changed` is false when what was asked for already held. */
export interface ChangedAccess extends Access {
  readonly changed: boolean;
}
