import * as v from 'valibot';
import * as names from '#options/names.ts';
import {
  appIdSchema,
  changeIdSchema,
  connectionIdSchema,
  roleNameSchema,
  userIdSchema,
} from '#shared/contract/fields.ts';
import { membersOf } from '#shared/contract/members-of-options.ts';

/** What can be wrong with the table after a restore or a takeover; options add what can be wrong with theirs. */
const kinds: readonly string[] = [
  'user-list',
  'search-words',
  'inactive-mark',
  'erased-list',
  'access-list',
  'block-end',
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
  ...membersOf(names, 'findings').flat(),
];

/** What one check of the table found. */
export const findingSchema = v.object({
  kind: v.picklist(kinds),
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
