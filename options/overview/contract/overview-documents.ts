import { narrowedPageSchema } from '#shared/contract/answers.ts';
import { describedPage } from '#shared/contract/answers-documents.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { getOverviewOperation, listBlockEndsOperation } from './overview.ts';
import {
  blockEndSchema,
  blockedApplicationSchema,
  daySchema,
  overviewSchema,
  rolloutSchema,
} from './overview-answers.ts';

export const getOverviewDocuments: OperationDocumentation<typeof getOverviewOperation> = {
  answer: overviewSchema,
  tag: 'Overview',
  summary: 'Read the numbers of all users and applications',
  description:
    'Counters that the reader of the stream keeps: they are some seconds behind, and reading them scans nothing. An erasure corrects them. For a role that is limited to applications the blocks, keys and days are those of its applications.',
  example: {
    answer: {
      users: { active: 1, inactive: 0 },
      applications: [],
      rollouts: [],
      blocksEndingThisWeek: { count: 0, more: false },
      keys: { expiring: { count: 0, more: false }, unused: { count: 0, more: false } },
      days: [{ date: '2026-11-20', changes: 4, blocks: 0, unblocks: 0 }],
      asOf: '2026-11-20T19:00:00.000Z',
    },
  },
};

describeMembers(getOverviewOperation.query.entries, {
  applications: 'Which applications are counted: the ten with the most blocks, or all. Default: `most-blocked`.',
});

describeMembers(overviewSchema.entries, {
  users: 'How many users are active and inactive.',
  applications: 'The ten applications with the most explicitly blocked users, or all, the most first.',
  rollouts: 'The ten applications with the lowest rollouts below 100%, the lowest first.',
  blocksEndingThisWeek: 'Blocks that end within 7 days.',
  keys: 'Active API keys that expire within 30 days, and those that were not used for 30 days.',
  days: 'The changes of the last 30 days (UTC), the oldest day first. Days without changes are left out.',
  asOf: 'When a feed was last counted; `null` if none was.',
  limitedTo: "The applications to which the operator's roles are limited. Absent without a limit.",
});
describeMembers(overviewSchema.entries.users.entries, {
  active: 'Users whose status is `active`.',
  inactive: 'Users whose status is `inactive`.',
});
describeMembers(blockedApplicationSchema.entries, {
  name: 'Its name.',
  blocked: 'Users with an explicit block that is in force, also if they are inactive.',
  keys: 'How many of its API keys are active, and how many of them expire within 30 days.',
});
describeMembers(rolloutSchema.entries, {
  name: 'Its name.',
  rolloutPercent: 'The percentage of users without a status of their own who have access.',
});
describeMembers(blockedApplicationSchema.entries.keys.entries, {
  active: 'Those that can be used now.',
  expiring: 'Those of them that expire within 30 days, without those that a rotation replaced.',
});
describeMembers(daySchema.entries, {
  date: 'The day, as `YYYY-MM-DD`.',
  changes: 'All changes.',
  blocks: 'Changes of an access that blocked a user.',
  unblocks: 'Changes of an access that ended a block. A block that expires makes no change.',
});

export const listBlockEndsDocuments: OperationDocumentation<typeof listBlockEndsOperation> = {
  answer: describedPage(narrowedPageSchema(blockEndSchema)),
  tag: 'Overview',
  summary: 'List the blocks that have an end',
  description:
    'The blocks in force in all applications, the first to end first. A page may be short, or empty with a cursor.',
  example: {
    query: { endsWithin: 'P7D', limit: 25 },
    answer: { items: [], cursor: null },
  },
};

describeMembers(listBlockEndsOperation.query.entries, {
  endsWithin: 'Only blocks that end within this time. Default: all.',
});
describeMembers(blockEndSchema.entries, {
  until: 'When the block ends.',
  reason: 'The reason for the block; `null` if there is none.',
});
