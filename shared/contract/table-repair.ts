import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import {
  answers,
  appIdSchema,
  changeIdSchema,
  connectionIdSchema,
  dryRunQuerySchema,
  pageQuery,
  roleNameSchema,
  timestampSchema,
  userIdSchema,
} from './fields.ts';
import type { ManageOperation } from './operation.ts';

/** What can be wrong with the table after a restore or a takeover, and what a repair does about it. */
export const repairKinds = [
  'user-list',
  'search-words',
  'inactive-mark',
  'erased-list',
  'access-list',
  'block-end',
  'account',
  'account-differs',
  'webhook-state',
  'member',
  'grant',
  'access',
  'erased-data',
  'deletion',
  'state-behind',
  'change-missing',
  'feed',
  'pending',
  'feed-restart',
  'feed-unreadable',
  'feed-altered',
  'change-order',
  'index-entry',
  'table-format',
  'counters',
  'counters-busy',
  'history-gap',
  'change-forged',
  'orphan',
  'key',
] as const;
export type RepairKind = (typeof repairKinds)[number];

/** What a repair does not mend: what is missing is nowhere in the table or, for counters, changes kept coming. */
export const unmendableKinds = [
  'counters-busy',
  'history-gap',
  'change-forged',
  'feed-altered',
  'account-differs',
  'orphan',
  'key',
] as const satisfies readonly RepairKind[];

const findingSchema = /* @__PURE__ */ (() =>
  v.object({
    kind: v.picklist(repairKinds),
    mended: v.boolean(),
    userId: v.exactOptional(userIdSchema),
    appId: v.exactOptional(appIdSchema),
    connectionId: v.exactOptional(connectionIdSchema),
    role: v.exactOptional(roleNameSchema),
    changeId: v.exactOptional(changeIdSchema),
  }))();
export type Finding = Answer<typeof findingSchema>;

const repairSchema = /* @__PURE__ */ (() =>
  v.object({ checked: v.number(), findings: v.array(findingSchema), cursor: v.nullable(v.string()) }))();
export type Repair = Answer<typeof repairSchema>;

const repairQuerySchema = v.strictObject({
  ...pageQuery,
  ...dryRunQuerySchema.entries,
  restartFeeds: v.optional(timestampSchema),
});

export const repairOperation = {
  name: 'repair',
  method: 'POST',
  path: '/api/manage/repair',
  role: 'admin',
  query: repairQuerySchema,
  answer: answers<typeof repairSchema>(),
  errors: [],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(repairOperation, () => ({
  answer: repairSchema,
  tag: 'Repair',
  summary: 'Repair the table',
  description:
    'For after a restore, or the takeover of a Region: neither keeps transactions whole. Finds and mends what no longer fits together, a page of users, applications and changes at a time: lists, search words, states that are older than their newest change, changes that are missing, the feeds and their counters. Repeating it writes nothing.',
  example: { query: { limit: 100, dryRun: 'true' }, answer: { checked: 12, findings: [], cursor: null } },
}));
/* @__PURE__ */ describeMembers(() => repairQuerySchema.entries, {
  restartFeeds:
    'When this table took over from another one, or was restored: each feed that has not restarted since begins anew, and whoever follows it reads the snapshot again. Default: no feed restarts.',
});
/* @__PURE__ */ describeMembers(() => repairSchema.entries, {
  checked: 'The number of users, applications, entries, changes and feeds examined on this page.',
  findings: 'What was wrong, each at most once.',
  cursor: 'Leads to the next page, as `?cursor=`. `null` on the last page.',
});
/* @__PURE__ */ describeMembers(() => findingSchema.entries, {
  kind: 'What was wrong.',
  mended:
    'Whether it has been mended, or would be without `dryRun`. What is missing everywhere cannot be; nor can counters while changes are made.',
  userId: 'The user.',
  appId: 'The application.',
  connectionId: 'The connection.',
  role: 'The role.',
  changeId: 'The `id` of the change.',
});
