import * as v from 'valibot';
import { accessStatuses, userStatuses } from '#shared/contract/access-statuses.ts';
import type { Answer } from '#shared/contract/answers.ts';
import { bulkEntries } from '#shared/contract/bulk.ts';
import { maxUsersPerBulk } from '#shared/contract/bulk-calls.ts';
import { reasonEntries } from '#shared/contract/change-reason.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import { answers, appIdSchema, roleNameSchema, timestampSchema, userIdSchema } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import { userFields } from '#shared/contract/user-fields.ts';
import type {
  importEffects,
  importedChangeSchema,
  importOutcomeSchema,
  importOutcomesSchema,
  importProblemSchema,
} from './user-import-answers.ts';

/** Whether a role of the file is to be held or not. */
export const importedRoleStatuses = ['assigned', 'revoked'] as const;

export const importedAccessSchema = v.strictObject({
  appId: appIdSchema,
  status: v.picklist(accessStatuses, 'must be "enabled" or "disabled"'),
  until: v.optional(v.nullable(timestampSchema)),
});
export type ImportedAccess = v.InferOutput<typeof importedAccessSchema>;

export const importedRoleSchema = v.strictObject({
  appId: appIdSchema,
  role: roleNameSchema,
  status: v.optional(v.picklist(importedRoleStatuses, 'must be "assigned" or "revoked"'), 'assigned'),
  expiresAt: v.optional(v.nullable(timestampSchema)),
});
export type ImportedRole = v.InferOutput<typeof importedRoleSchema>;

/** What one user shall be; what is left out stays as it is. */
export const importedUserSchema = v.strictObject({
  userId: userIdSchema,
  ...fieldEntries(userFields, 'patch'),
  status: v.optional(v.picklist(userStatuses, 'must be "active" or "inactive"')),
  accesses: v.optional(
    distinct(v.array(importedAccessSchema, 'must be a list'), 'application', ({ appId }) => appId),
    [],
  ),
  roles: v.optional(
    distinct(v.array(importedRoleSchema, 'must be a list'), 'role', ({ appId, role }) => `${appId} ${role}`),
    [],
  ),
});
export type ImportedUser = v.InferOutput<typeof importedUserSchema>;

// @__NO_SIDE_EFFECTS__
function distinct<Item extends v.GenericSchema>(
  list: v.ArraySchema<Item, string>,
  what: string,
  keyOf: (item: v.InferOutput<Item>) => string,
) {
  return v.pipe(
    list,
    v.check((items) => new Set(items.map(keyOf)).size === items.length, `must name each ${what} once`),
  );
}

const { bulkId, dryRun } = bulkEntries;

const importUsersBodySchema = v.strictObject({
  users: v.pipe(
    v.array(importedUserSchema, 'must be a list'),
    v.minLength(1, 'must name at least one user'),
    v.maxLength(maxUsersPerBulk, `must name at most ${maxUsersPerBulk} users`),
    v.check((users) => new Set(users.map(({ userId }) => userId)).size === users.length, 'must name each user once'),
  ),
  create: flag(true),
  reactivate: flag(false),
  unblock: flag(false),
  ...reasonEntries,
  bulkId,
  dryRun,
});

// @__NO_SIDE_EFFECTS__
function flag(byDefault: boolean) {
  return v.optional(v.boolean('must be true or false'), byDefault);
}
export type ImportUsersBody = v.InferOutput<typeof importUsersBodySchema>;

export type ImportEffect = (typeof importEffects)[number];

export type ImportedChange = Answer<typeof importedChangeSchema>;

export type ImportProblem = Answer<typeof importProblemSchema>;

export type ImportOutcome = Answer<typeof importOutcomeSchema>;

export const importUsersOperation = {
  name: 'import-users',
  method: 'POST',
  path: '/api/manage/user-imports',
  role: 'admin',
  body: importUsersBodySchema,
  answer: answers<typeof importOutcomesSchema>(),
  errors: [],
} as const satisfies ManageOperation;
