import * as v from 'valibot';
import { bulkOutcomeSchema } from '#shared/contract/bulk-answers.ts';
import { appIdSchema, roleNameSchema, userIdSchema } from '#shared/contract/fields.ts';

/** What an import can do to a user. */
export const importEffects = [
  'created',
  'updated',
  'deactivated',
  'reactivated',
  'blocked',
  'unblocked',
  'allowed',
  'assigned',
  'revoked',
] as const;

/** One effect of an import on a user. */
export const importedChangeSchema = v.object({
  effect: v.picklist(importEffects),
  appId: v.exactOptional(appIdSchema),
  role: v.exactOptional(roleNameSchema),
});

/** Why a part of an imported user was refused. */
export const importProblemSchema = v.object({
  ...bulkOutcomeSchema.entries.problem.wrapped.entries,
  appId: v.exactOptional(appIdSchema),
  role: v.exactOptional(roleNameSchema),
});

/** The outcome for one imported user. */
export const importOutcomeSchema = v.object({
  userId: userIdSchema,
  outcome: bulkOutcomeSchema.entries.outcome,
  changes: v.array(importedChangeSchema),
  problems: v.array(importProblemSchema),
});

/** The outcomes of an import. */
export const importOutcomesSchema = v.object({ items: v.array(importOutcomeSchema) });
