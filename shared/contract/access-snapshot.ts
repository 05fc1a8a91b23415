import * as v from 'valibot';
import { accessStatuses } from './access.ts';
import type { Answer } from './answers.ts';
import { answers, limitSchema, roleNameSchema, timestampSchema, userIdSchema, versionSchema } from './fields.ts';
import type { ServiceOperation } from './operation.ts';
import { accessFields, fieldEntries } from './resource-fields.ts';

const changeId = /* @__PURE__ */ (() => v.string())();

/** An access with an explicit status or a role. */
export const accessEntrySchema = /* @__PURE__ */ (() =>
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
export const inactiveEntrySchema = /* @__PURE__ */ (() =>
  v.object({ kind: v.literal('inactive'), userId: userIdSchema, changeId }))();

/** A user who no longer exists. */
export const erasedEntrySchema = /* @__PURE__ */ (() =>
  v.object({ kind: v.literal('erased'), userId: userIdSchema, erasedAt: v.nullable(timestampSchema), changeId }))();

const snapshotEntrySchema = /* @__PURE__ */ (() =>
  v.variant('kind', [accessEntrySchema, inactiveEntrySchema, erasedEntrySchema]))();
export type SnapshotEntry = Answer<typeof snapshotEntrySchema>;

export const snapshotKinds = ['erased', 'inactive', 'access'] as const satisfies readonly SnapshotEntry['kind'][];

/** Consecutive entries of one kind. */
export const snapshotRangeSchema = /* @__PURE__ */ (() =>
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
