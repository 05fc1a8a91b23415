import * as v from 'valibot';
import { appIdSchema, changeIdSchema, connectionIdSchema, roleNameSchema, userIdSchema } from './fields.ts';

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

/** What one check of the table found. */
export const findingSchema = v.object({
  kind: v.picklist(repairKinds),
  repaired: v.boolean(),
  userId: v.exactOptional(userIdSchema),
  appId: v.exactOptional(appIdSchema),
  connectionId: v.exactOptional(connectionIdSchema),
  role: v.exactOptional(roleNameSchema),
  changeId: v.exactOptional(changeIdSchema),
});

/** A part of the table, checked and repaired. */
export const repairSchema = v.object({
  checked: v.number(),
  findings: v.array(findingSchema),
  cursor: v.nullable(v.string()),
});
