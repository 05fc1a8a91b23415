import * as v from 'valibot';
import type { Answer } from './answers.ts';
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

export const findingSchema = /* @__PURE__ */ (() =>
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

export const repairSchema = /* @__PURE__ */ (() =>
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
