import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { repairOperation } from './table-repair.ts';
import { findingSchema, repairSchema } from './table-repair-answers.ts';

export const repairDocuments: OperationDocumentation<typeof repairOperation> = {
  answer: repairSchema,
  tag: 'Repair',
  summary: 'Repair the table',
  description:
    'For after a restore, or the takeover of a Region: neither keeps transactions whole. Finds and repairs what no longer fits together, a page of users, applications and changes at a time: lists, search words, states that are older than their newest change, changes that are missing, the feeds and their counters. Repeating it writes nothing.',
  example: { query: { limit: 100, dryRun: 'true' }, answer: { checked: 12, findings: [], cursor: null } },
};

describeMembers(repairOperation.query.entries, {
  restartFeeds:
    'When this table took over from another one, or was restored: each feed that has not restarted since then restarts, and its followers read the snapshot again. Default: no feed restarts.',
});
describeMembers(repairSchema.entries, {
  checked: 'The number of users, applications, entries, changes and feeds examined on this page.',
  findings: 'What was wrong, each at most once.',
  cursor: 'Leads to the next page, as `?cursor=`. `null` on the last page.',
});
describeMembers(findingSchema.entries, {
  kind: 'What was wrong.',
  repaired:
    'Whether it has been repaired, or would be without `dryRun`. Data that is missing everywhere cannot be repaired, nor can counters while changes are made.',
  userId: 'The user.',
  appId: 'The application.',
  connectionId: 'The connection.',
  role: 'The role.',
  changeId: 'The `id` of the change.',
});
