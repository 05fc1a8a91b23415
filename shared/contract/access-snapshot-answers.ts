import * as v from 'valibot';
import { accessFields } from './access-fields.ts';
import { accessStatuses } from './access-statuses.ts';
import type { Answer } from './answers.ts';
import { fieldEntries } from './field-forms.ts';
import { roleNameSchema, timestampSchema, userIdSchema, versionSchema } from './fields.ts';

const changeId = v.string();

/** An access with an explicit status or a role. */
export const accessEntrySchema = v.object({
  kind: v.literal('access'),
  userId: userIdSchema,
  userCreatedAt: timestampSchema,
  status: v.nullable(v.picklist(accessStatuses)),
  ...fieldEntries(accessFields, 'shown'),
  roles: v.array(v.object({ name: roleNameSchema, expiresAt: v.nullable(timestampSchema) })),
  version: versionSchema,
  updatedAt: timestampSchema,
  changeId,
});

/** A user without access to any application. */
export const inactiveEntrySchema = v.object({ kind: v.literal('inactive'), userId: userIdSchema, changeId });

/** A user who no longer exists. */
export const erasedEntrySchema = v.object({
  kind: v.literal('erased'),
  userId: userIdSchema,
  erasedAt: v.nullable(timestampSchema),
  changeId,
});

/** One user of a snapshot. */
export const snapshotEntrySchema = v.variant('kind', [accessEntrySchema, inactiveEntrySchema, erasedEntrySchema]);

/** The kinds of entries, in the order of the snapshot. */
export const snapshotKinds = ['erased', 'inactive', 'access'] as const satisfies readonly Answer<
  typeof snapshotEntrySchema
>['kind'][];

/** Consecutive entries of one kind. */
export const snapshotRangeSchema = v.object({
  kind: v.picklist(snapshotKinds),
  through: v.nullable(userIdSchema),
  digest: v.string(),
});

/** A page of a snapshot. */
export const snapshotPageSchema = v.object({
  items: v.array(snapshotEntrySchema),
  ranges: v.array(snapshotRangeSchema),
  liveAt: timestampSchema,
  cursor: v.nullable(v.string()),
  total: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
  changesCursor: v.string(),
  rolloutPercent: v.number(),
  applicationVersion: versionSchema,
});
