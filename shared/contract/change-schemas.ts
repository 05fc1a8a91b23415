import * as v from 'valibot';
import { extendedSchema, narrowedPageSchema, pageSchema } from './answers.ts';
import { applicationActions, changeActions } from './change-actions.ts';
import { changeIntegritySchema } from './change-integrity.ts';
import {
  appIdSchema,
  bulkIdSchema,
  changeIdSchema,
  connectionIdSchema,
  keyIdSchema,
  roleNameSchema,
  timestampSchema,
  userIdSchema,
  webhookIdSchema,
} from './fields.ts';
import { operatorRoles } from './operator-role.ts';

/** Who makes a request. */
export const callerSchema = v.variant('kind', [
  v.object({ kind: v.literal('api-key'), appId: appIdSchema, keyId: keyIdSchema }),
  /** `id` is the IAM ARN or the token's `sub`; the token's e-mail address is there for people to read. */
  v.object({
    kind: v.literal('operator'),
    via: v.picklist(['iam', 'token']),
    issuer: v.exactOptional(v.string()),
    id: v.string(),
    email: v.exactOptional(v.string()),
    role: v.picklist(operatorRoles),
  }),
  v.object({ kind: v.literal('connection'), connectionId: connectionIdSchema, keyId: keyIdSchema }),
  v.object({ kind: v.literal('service') }),
]);

/** What every state before or after has. */
export const recordedStateEntries = { version: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))) };

/** The state before or after; carries the `version` of the item, so that a consumer can drop what is older. */
export const recordedStateSchema = v.objectWithRest(
  recordedStateEntries,
  v.union([v.string(), v.number(), v.boolean(), v.null()]),
);

/** The record of one accepted change: who, what, before, after, why, when, in which request. */
export const changeSchema = v.object({
  /** A ULID; also deduplicates deliveries. */
  id: changeIdSchema,
  at: timestampSchema,
  action: v.picklist(changeActions),
  appId: v.exactOptional(appIdSchema),
  connectionId: v.exactOptional(connectionIdSchema),
  userId: v.exactOptional(userIdSchema),
  role: v.exactOptional(roleNameSchema),
  keyId: v.exactOptional(keyIdSchema),
  webhookId: v.exactOptional(webhookIdSchema),
  bulkId: v.exactOptional(bulkIdSchema),
  caller: callerSchema,
  requestId: v.string(),
  sourceIp: v.string(),
  undoOf: v.exactOptional(changeIdSchema),
  before: v.nullable(recordedStateSchema),
  after: v.nullable(recordedStateSchema),
  reason: v.nullable(v.string()),
  ticket: v.exactOptional(v.string()),
  integrity: changeIntegritySchema,
});

/** Who made a request, as an application reads it: operators and connections are anonymous. */
export const applicationCallerSchema = v.variant('kind', [
  callerSchema.options[0],
  v.object({ kind: v.literal('operator') }),
  v.object({ kind: v.literal('connection') }),
  callerSchema.options[3],
]);

const { integrity: _, connectionId: __, ...shared } = changeSchema.entries;

/** A change as an application reads it: without the data that identifies an operator, and therefore with a signature of this form in place of the MAC. */
export const applicationChangeSchema = v.object({
  ...shared,
  action: v.picklist(applicationActions),
  caller: applicationCallerSchema,
  sourceIp: v.exactOptional(v.string()),
  signature: v.exactOptional(v.string()),
});

/** A page of an application's feed. */
export const applicationChangePageSchema = v.object({
  items: v.array(applicationChangeSchema),
  pending: v.pipe(v.number(), v.integer(), v.minValue(0)),
  omitted: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  more: v.boolean(),
  cursor: v.string(),
});

/** Whether a change can be undone: `possible`, or the code of the problem with which its undoing is refused. */
export const undoStates = ['possible', 'role_required', 'not_undoable'] as const;

/** A change as an operator reads it: the record, and whether this operator can undo it. */
export const changeViewSchema = extendedSchema(changeSchema, { undo: v.picklist(undoStates) });

/** A page of the history of a user, and of the global history. */
export const narrowedChangePageSchema = narrowedPageSchema(changeViewSchema);

/** A page of the history of an application. */
export const changePageSchema = pageSchema(changeViewSchema);
