import * as v from 'valibot';
import { type Answer, type NarrowedPageOf, narrowedPageSchema } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
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
const limitedCountSchema = /* @__PURE__ */ (() => v.object({ count: v.number(), more: v.boolean() }))();
const blockedApplicationSchema = /* @__PURE__ */ (() =>
  v.object({ appId: appIdSchema, name: v.string(), blocked: v.number() }))();
const stoppedWebhookSchema = /* @__PURE__ */ (() =>
  v.object({ appId: appIdSchema, name: v.string(), webhookId: webhookIdSchema }))();
const daySchema = /* @__PURE__ */ (() =>
  v.object({ date: v.string(), changes: v.number(), blocks: v.number(), unblocks: v.number() }))();

const overviewSchema = /* @__PURE__ */ (() =>
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

/* @__PURE__ */ documentOperation(getOverviewOperation, () => ({
  answer: overviewSchema,
  tag: 'Overview',
  summary: 'Read the numbers of all users and applications',
  description:
    'Counters that the reader of the stream keeps: they are some seconds behind, and reading them scans nothing. An erasure corrects them. For a role that is limited to applications the blocks, keys and days are those of its applications.',
  example: {
    answer: {
      users: { active: 1, inactive: 0 },
      applications: [],
      blocksEndingThisWeek: { count: 0, more: false },
      keys: { expiring: { count: 0, more: false }, unused: { count: 0, more: false } },
      tokens: { expiring: { count: 0, more: false }, unused: { count: 0, more: false } },
      reviewsOverdue: 0,
      webhooksStopped: [],
      days: [{ date: '2026-11-20', changes: 4, blocks: 0, unblocks: 0 }],
      asOf: '2026-11-20T19:00:00.000Z',
    },
  },
}));
/* @__PURE__ */ describeMembers(() => overviewSchema.entries, {
  users: 'How many users are active and inactive.',
  applications: 'The ten applications with the most explicitly blocked users, the most first.',
  blocksEndingThisWeek: 'Blocks that end within 7 days.',
  keys: 'Active API keys that expire within 30 days, and those that were not used for 30 days.',
  tokens: 'The same of the tokens of connections; 0 for a role that is limited to applications.',
  reviewsOverdue: 'Applications whose access should have been reviewed by now.',
  webhooksStopped: 'Webhooks that turned themselves off because their receivers failed, at most ten.',
  days: 'The changes of the last 30 days (UTC), the oldest day first. Days without changes are left out.',
  asOf: 'When a feed was last counted; `null` if none was.',
  limitedTo: "The applications to which the operator's roles are limited. Absent without a limit.",
});
/* @__PURE__ */ describeMembers(() => limitedCountSchema.entries, {
  count: 'How many were found.',
  more: 'Whether there may be more: only a limited number is read.',
});
/* @__PURE__ */ describeMembers(() => blockedApplicationSchema.entries, {
  name: 'Its name.',
  blocked: 'Users whom an explicit setting blocks now, also if they are inactive.',
});
/* @__PURE__ */ describeMembers(() => stoppedWebhookSchema.entries, { name: 'The name of the application.' });
/* @__PURE__ */ describeMembers(() => daySchema.entries, {
  date: 'The day, as `YYYY-MM-DD`.',
  changes: 'All changes.',
  blocks: 'Changes of an access that blocked a user.',
  unblocks: 'Changes of an access that ended a block. A block that expires makes no change.',
});

const blockEndsQuerySchema = v.strictObject({ ...pageQuery, endsWithin: v.optional(durationSchema) });

const blockEndSchema = /* @__PURE__ */ (() =>
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

/* @__PURE__ */ documentOperation(listBlockEndsOperation, () => ({
  answer: narrowedPageSchema(blockEndSchema),
  tag: 'Overview',
  summary: 'List the blocks that have an end',
  description:
    'Those of all applications that are in force, the one that ends first at the beginning. A page may be short, or empty with a cursor.',
  example: {
    query: { endsWithin: 'P7D', limit: 25 },
    answer: { items: [], cursor: null },
  },
}));
/* @__PURE__ */ describeMembers(() => blockEndsQuerySchema.entries, {
  endsWithin: 'Only blocks that end within this time. Default: all.',
});
/* @__PURE__ */ describeMembers(() => blockEndSchema.entries, {
  until: 'When the block ends.',
});
