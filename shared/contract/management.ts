import * as v from 'valibot';
import { accessSchema, userStatuses } from './access.ts';
import { type Answer, extendedSchema, versionedSchema } from './answer.ts';
import { keyIdSchema } from './caller.ts';
import { appIdSchema, roleNameSchema, userIdSchema } from './ids.ts';
import { momentSchema } from './moment.ts';
import { scopes } from './routes.ts';

/** A page of a list: `cursor` leads to the next one, `null` says that this is the last. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

export const applicationSchema = versionedSchema({ appId: appIdSchema, name: v.string() });
export type ApplicationView = Answer<typeof applicationSchema>;

export const keySchema = v.object({
  keyId: keyIdSchema,
  scopes: v.array(v.picklist(scopes)),
  createdAt: momentSchema,
  expiresAt: v.nullable(momentSchema),
  revokedAt: v.nullable(momentSchema),
  /** A day, such as `2026-11-20`; `null` is never. */
  lastUsedOn: v.nullable(v.pipe(v.string(), v.isoDate())),
});
export type KeyView = Answer<typeof keySchema>;

/** The answer to issuing or rotating a key, and the only one that ever shows its secret. */
export const issuedKeySchema = extendedSchema(keySchema, { secret: v.string() });
export type IssuedKeyView = Answer<typeof issuedKeySchema>;

export const roleSchema = versionedSchema({
  appId: appIdSchema,
  role: roleNameSchema,
  description: v.nullable(v.string()),
});
export type RoleView = Answer<typeof roleSchema>;

export const memberSchema = v.object({ userId: userIdSchema, expiresAt: v.nullable(momentSchema) });
export type MemberView = Answer<typeof memberSchema>;

export const userSchema = versionedSchema({
  userId: userIdSchema,
  status: v.picklist(userStatuses),
  displayName: v.nullable(v.string()),
  email: v.nullable(v.string()),
});
export type UserView = Answer<typeof userSchema>;

/** One application with the user's access in it. */
export const userAccessSchema = extendedSchema(accessSchema, { appName: v.string() });
export type UserAccessView = Answer<typeof userAccessSchema>;

/** What became of one user of a bulk request. */
export const bulkOutcomeSchema = v.object({
  /** As it was asked for, also when it is no user id. */
  userId: v.string(),
  outcome: v.picklist(['changed', 'unchanged', 'failed']),
  /** Only of a failed one. */
  problem: v.exactOptional(v.object({ code: v.string(), detail: v.string() })),
});
export type BulkOutcome = Answer<typeof bulkOutcomeSchema>;

/** The answer to every deletion. When it is not `complete`, time ran out: the same request goes on. */
export const deletionSchema = v.object({ changed: v.boolean(), complete: v.boolean() });
export type Deletion = Answer<typeof deletionSchema>;

/** An answer that says whether the request changed anything. */
export type Changed<View> = View & { readonly changed: boolean };
