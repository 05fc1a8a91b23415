import { type accessSnapshotServiceOperations, getSnapshotOperation } from './access-snapshot.ts';
import {
  accessEntrySchema,
  erasedEntrySchema,
  inactiveEntrySchema,
  snapshotPageSchema,
  snapshotRangeSchema,
} from './access-snapshot-answers.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleCursor, exampleSnapshot } from './examples.ts';

export const accessSnapshotDocuments: DocumentsOf<typeof accessSnapshotServiceOperations> = {
  'get-snapshot': {
    answer: snapshotPageSchema,
    table: { reads: ['user'], queries: ['feed', 'userList', 'accessEntry'] },
    // A page reads for up to 1.5 s.
    latencyLimitMilliseconds: 3000,
    tag: 'Service API',
    summary: 'Read all non-default settings',
    description:
      'For an application that makes decisions itself: every access with an explicit status or a role, every inactive user, and every user who was erased in the last 30 days. Read all pages, then follow `GET /api/service/changes` from `changesCursor`, which is the same on each page and includes what changes while you read. A page may have fewer entries than requested, or none. An entry includes all changes of its user up to `changeId`; of a change and an entry, the one with the higher id wins. Later, `digest=true` compares a copy with the table: it answers the same pages with the digests of their `ranges`, and without entries.',
    example: {
      query: { limit: 100 },
      answer: {
        items: exampleSnapshot,
        ranges: [
          { kind: 'erased', through: null, digest: '0-0-0' },
          { kind: 'inactive', through: null, digest: '0-0-0' },
          { kind: 'access', through: null, digest: '1-74a8cee3-b7cf7fd8' },
        ],
        liveAt: '2026-11-20T19:24:11.123Z',
        cursor: null,
        total: 1,
        changesCursor: exampleCursor,
        rolloutPercent: 100,
        applicationVersion: 3,
      },
    },
  },
};

describeMembers(getSnapshotOperation.query.entries, {
  limit: 'The maximum number of entries on a page.',
  after: 'The `cursor` of the previous page, unchanged.',
  digest: '`true` leaves `items` empty: the page is only compared.',
});
describeMembers(snapshotRangeSchema.entries, {
  kind: 'The kind of the entries. The ranges of a kind follow each other without gaps, from the lowest user id on.',
  through: 'The last user id of the range; `null` if it has all further ones.',
  digest: 'The number of entries and the sums of their hashes, as `shared/contract/entry-digest.ts` computes them.',
});
describeMembers(snapshotPageSchema.entries, {
  items: 'The entries of this page.',
  ranges: 'The ranges of user ids that this page covers.',
  liveAt: 'The digests omit roles, and erased users, that expire by this time.',
  cursor: 'Leads to the next page, as `?after=`. `null` on the last page.',
  total: 'The number of entries on all pages; `null` before the last page.',
  changesCursor: 'Where to start following the changes, as `?after=` of `GET /api/service/changes`.',
  rolloutPercent: 'The percentage of users without an explicit status who are enabled.',
  applicationVersion:
    'The version of the application with this `rolloutPercent`; a change with a higher version is newer.',
});
describeMembers(accessEntrySchema.entries, {
  kind: 'Whether the entry is about an access, an inactive user or an erased user.',
  userCreatedAt: 'When this user was created; distinguishes users who had the same id.',
  status: 'The status that was set; `null` if none was set.',
  roles: 'The roles that the user holds now, ordered by name. Expired grants are not listed.',
  updatedAt: 'When it last changed.',
});
describeMembers(accessEntrySchema.entries.roles.item.entries, {
  name: 'The role.',
  expiresAt: 'When the grant expires; `null` for never.',
});
describeMembers(inactiveEntrySchema.entries, {
  kind: 'Whether the entry is about an access, an inactive user or an erased user.',
});
describeMembers(erasedEntrySchema.entries, {
  kind: 'Whether the entry is about an access, an inactive user or an erased user.',
  erasedAt: 'When the user was erased; `null` while the erasure is in progress.',
});
describeMembers([accessEntrySchema.entries, inactiveEntrySchema.entries, erasedEntrySchema.entries], {
  changeId: 'The latest change that the entry includes.',
});
