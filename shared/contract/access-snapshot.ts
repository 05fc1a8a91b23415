import * as v from 'valibot';
import { accessStatuses } from './access.ts';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleCursor, exampleSnapshot } from './examples.ts';
import { answers, limitSchema, roleNameSchema, timestampSchema, userIdSchema, versionSchema } from './fields.ts';
import type { ServiceOperation } from './operation.ts';
import { accessFields, fieldEntries } from './resource-fields.ts';

const changeId = /* @__PURE__ */ (() => v.string())();

/** An access with an explicit status or a role. */
const accessEntrySchema = /* @__PURE__ */ (() =>
  v.object({
    kind: v.literal('access'),
    userId: userIdSchema,
    userCreatedAt: timestampSchema,
    status: v.nullable(v.picklist(accessStatuses)),
    ...fieldEntries(accessFields, 'shown'),
    roles: v.array(v.object({ name: roleNameSchema, expiresAt: v.nullable(timestampSchema) })),
    version: versionSchema,
    updatedAt: timestampSchema,
    changeId,
  }))();

/** A user without access to any application. */
const inactiveEntrySchema = /* @__PURE__ */ (() =>
  v.object({ kind: v.literal('inactive'), userId: userIdSchema, changeId }))();

/** A user who no longer exists. */
const erasedEntrySchema = /* @__PURE__ */ (() =>
  v.object({ kind: v.literal('erased'), userId: userIdSchema, erasedAt: v.nullable(timestampSchema), changeId }))();

const snapshotEntrySchema = /* @__PURE__ */ (() =>
  v.variant('kind', [accessEntrySchema, inactiveEntrySchema, erasedEntrySchema]))();
export type SnapshotEntry = Answer<typeof snapshotEntrySchema>;

export const snapshotKinds = ['erased', 'inactive', 'access'] as const satisfies readonly SnapshotEntry['kind'][];

/** Consecutive entries of one kind. */
const snapshotRangeSchema = /* @__PURE__ */ (() =>
  v.object({ kind: v.picklist(snapshotKinds), through: v.nullable(userIdSchema), digest: v.string() }))();
export type SnapshotRange = Answer<typeof snapshotRangeSchema>;

export const snapshotPageSchema = /* @__PURE__ */ (() =>
  v.object({
    items: v.array(snapshotEntrySchema),
    ranges: v.array(snapshotRangeSchema),
    liveAt: timestampSchema,
    cursor: v.nullable(v.string()),
    total: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    changesCursor: v.string(),
    rolloutPercent: v.number(),
    applicationVersion: versionSchema,
  }))();
export type SnapshotPage = Answer<typeof snapshotPageSchema>;

/** The maximum number of entries on one page. */
const maxSnapshotPageSize = 2500;

const snapshotQuerySchema = v.strictObject({
  limit: limitSchema({ byDefault: maxSnapshotPageSize, most: maxSnapshotPageSize }),
  after: v.optional(v.pipe(v.string(), v.minLength(1, 'must not be empty; leave it out instead'))),
  digest: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
});

export const getSnapshotOperation = {
  name: 'get-snapshot',
  method: 'GET',
  path: '/api/service/access',
  scope: 'access:read',
  writes: false,
  query: snapshotQuerySchema,
  answer: answers<typeof snapshotPageSchema>(),
  errors: [],
} as const satisfies ServiceOperation;

/* @__PURE__ */ documentOperation(getSnapshotOperation, () => ({
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
}));

/* @__PURE__ */ describeMembers(() => snapshotQuerySchema.entries, {
  limit: 'The maximum number of entries on a page.',
  after: 'The `cursor` of the previous page, unchanged.',
  digest: '`true` leaves `items` empty: the page is only compared.',
});
/* @__PURE__ */ describeMembers(() => snapshotRangeSchema.entries, {
  kind: 'The kind of the entries. The ranges of a kind follow each other without gaps, from the lowest user id on.',
  through: 'The last user id of the range; `null` if it has all further ones.',
  digest: 'The number of entries and the sums of their hashes, as `shared/contract/entry-digest.ts` computes them.',
});
/* @__PURE__ */ describeMembers(() => snapshotPageSchema.entries, {
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
/* @__PURE__ */ describeMembers(() => accessEntrySchema.entries, {
  kind: 'Whether the entry is about an access, an inactive user or an erased user.',
  userCreatedAt: 'When this user was created; distinguishes users who had the same id.',
  status: 'The status that was set; `null` if none was set.',
  roles: 'The roles that the user holds now, ordered by name. Expired grants are not listed.',
  updatedAt: 'When it last changed.',
});
/* @__PURE__ */ describeMembers(() => accessEntrySchema.entries.roles.item.entries, {
  name: 'The role.',
  expiresAt: 'When the grant expires; `null` for never.',
});
/* @__PURE__ */ describeMembers(() => inactiveEntrySchema.entries, {
  kind: 'Whether the entry is about an access, an inactive user or an erased user.',
});
/* @__PURE__ */ describeMembers(() => erasedEntrySchema.entries, {
  kind: 'Whether the entry is about an access, an inactive user or an erased user.',
  erasedAt: 'When the user was erased; `null` while the erasure is in progress.',
});
/* @__PURE__ */ describeMembers(
  () => [accessEntrySchema.entries, inactiveEntrySchema.entries, erasedEntrySchema.entries],
  {
    changeId: 'The latest change that the entry includes.',
  },
);
