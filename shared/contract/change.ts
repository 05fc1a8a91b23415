import * as v from 'valibot';
import { type Answer, pageSchema, versionSchema } from './answer.ts';
import { callerSchema, keyIdSchema } from './caller.ts';
import { appIdSchema, roleNameSchema, userIdSchema } from './ids.ts';
import { momentSchema } from './moment.ts';

export const changeActions = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.status.changed',
  'access.changed',
  'role.assigned',
  'role.revoked',
  'role.defined',
  'role.deleted',
  'application.created',
  'application.updated',
  'application.deleted',
  'key.issued',
  'key.rotated',
  'key.revoked',
] as const;
export type ChangeAction = (typeof changeActions)[number];

/** What stood before or after; carries the `version` of the item, so that a consumer can drop what is older. */
export const changeSideSchema = v.objectWithRest(
  { version: v.exactOptional(versionSchema) },
  v.union([v.string(), v.number(), v.boolean(), v.null()]),
);
export type ChangeSide = Answer<typeof changeSideSchema>;

/** The record of one accepted change: who, what, before, after, why, when, in which request. */
export const changeSchema = v.object({
  /** A ULID; also deduplicates deliveries. */
  id: v.pipe(v.string(), v.regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)),
  at: momentSchema,
  action: v.picklist(changeActions),
  appId: v.exactOptional(appIdSchema),
  userId: v.exactOptional(userIdSchema),
  role: v.exactOptional(roleNameSchema),
  keyId: v.exactOptional(keyIdSchema),
  caller: callerSchema,
  requestId: v.string(),
  sourceIp: v.string(),
  before: v.nullable(changeSideSchema),
  after: v.nullable(changeSideSchema),
  reason: v.nullable(v.string()),
});
export type Change = Answer<typeof changeSchema>;

/** The answer of every history. */
export const changePageSchema = pageSchema(changeSchema);
