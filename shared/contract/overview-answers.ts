import * as v from 'valibot';
import { appIdSchema, timestampSchema, userIdSchema, webhookIdSchema } from './fields.ts';

/** A count of a list that is read only up to a limit. */
export const limitedCountSchema = v.object({ count: v.number(), more: v.boolean() });

/** How many users one application blocks. */
export const blockedApplicationSchema = v.object({ appId: appIdSchema, name: v.string(), blocked: v.number() });

/** A webhook that does not deliver. */
export const stoppedWebhookSchema = v.object({ appId: appIdSchema, name: v.string(), webhookId: webhookIdSchema });

/** The changes of one day. */
export const daySchema = v.object({ date: v.string(), changes: v.number(), blocks: v.number(), unblocks: v.number() });

/** What operators see first. */
export const overviewSchema = v.object({
  users: v.object({ active: v.number(), inactive: v.number() }),
  applications: v.array(blockedApplicationSchema),
  blocksEndingThisWeek: limitedCountSchema,
  keys: v.object({ expiring: limitedCountSchema, unused: limitedCountSchema }),
  tokens: v.object({ expiring: limitedCountSchema, unused: limitedCountSchema }),
  reviewsOverdue: v.number(),
  webhooksStopped: v.array(stoppedWebhookSchema),
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
