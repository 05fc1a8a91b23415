import * as v from 'valibot';
import { keyCountsSchema, limitedCountSchema } from '#shared/contract/answers.ts';
import { appIdSchema, timestampSchema, userIdSchema } from '#shared/contract/fields.ts';

/** How many users one application blocks, and its keys. */
export const blockedApplicationSchema = v.object({
  appId: appIdSchema,
  name: v.string(),
  blocked: v.number(),
  keys: v.object({ active: v.number(), expiring: v.number() }),
});

/** An application that is not open to all users, and its percentage. */
export const rolloutSchema = v.object({ appId: appIdSchema, name: v.string(), rolloutPercent: v.number() });

/** The changes of one day. */
export const daySchema = v.object({ date: v.string(), changes: v.number(), blocks: v.number(), unblocks: v.number() });

/** What operators see first, to which options add members. */
export const overviewSchema = v.object({
  users: v.object({ active: v.number(), inactive: v.number() }),
  applications: v.array(blockedApplicationSchema),
  rollouts: v.array(rolloutSchema),
  blocksEndingThisWeek: limitedCountSchema,
  keys: keyCountsSchema,
  days: v.array(daySchema),
  asOf: v.nullable(timestampSchema),
  limitedTo: v.exactOptional(v.array(appIdSchema)),
});

/** A block that expires. */
export const blockEndSchema = v.object({
  userId: userIdSchema,
  appId: appIdSchema,
  until: timestampSchema,
  reason: v.nullable(v.string()),
});
