import * as v from 'valibot';
import type { Answer, NarrowedPageOf } from './answers.ts';
import {
  answers,
  appIdSchema,
  durationSchema,
  pageQuery,
  timestampSchema,
  userIdSchema,
  webhookIdSchema,
} from './fields.ts';
import type { ManageOperation } from './operation.ts';

/** How many applications the overview names: those with the most blocks. */
export const maxOverviewApplications = 10;
/** How many webhooks that have stopped the overview names. */
export const maxOverviewWebhooks = 10;
/** The blocks that end this week end within this many days. */
export const endingBlockDays = 7;
/** The days (UTC) of which the overview counts changes, up to today. */
export const overviewDays = 30;

/** A count of a list that is read only up to a limit. */
export const limitedCountSchema = /* @__PURE__ */ (() => v.object({ count: v.number(), more: v.boolean() }))();
export const blockedApplicationSchema = /* @__PURE__ */ (() =>
  v.object({ appId: appIdSchema, name: v.string(), blocked: v.number() }))();
export const stoppedWebhookSchema = /* @__PURE__ */ (() =>
  v.object({ appId: appIdSchema, name: v.string(), webhookId: webhookIdSchema }))();
export const daySchema = /* @__PURE__ */ (() =>
  v.object({ date: v.string(), changes: v.number(), blocks: v.number(), unblocks: v.number() }))();

export const overviewSchema = /* @__PURE__ */ (() =>
  v.object({
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
  }))();
export type OverviewView = Answer<typeof overviewSchema>;

export const getOverviewOperation = {
  name: 'get-overview',
  method: 'GET',
  path: '/api/manage/overview',
  role: 'viewer',
  forLimited: 'narrowed',
  answer: answers<typeof overviewSchema>(),
  errors: [],
} as const satisfies ManageOperation;

const blockEndsQuerySchema = v.strictObject({ ...pageQuery, endsWithin: v.optional(durationSchema) });

export const blockEndSchema = /* @__PURE__ */ (() =>
  v.object({ userId: userIdSchema, appId: appIdSchema, until: timestampSchema, reason: v.nullable(v.string()) }))();
export type BlockEndView = Answer<typeof blockEndSchema>;

export const listBlockEndsOperation = {
  name: 'list-block-ends',
  method: 'GET',
  path: '/api/manage/block-ends',
  role: 'viewer',
  forLimited: 'narrowed',
  query: blockEndsQuerySchema,
  answer: answers<NarrowedPageOf<typeof blockEndSchema>>(),
  errors: [],
} as const satisfies ManageOperation;
