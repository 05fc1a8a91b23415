import * as v from 'valibot';
import { type Answer, type DeepReadonly, extendedSchema, narrowedPageSchema, pageSchema } from './answers.ts';
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
export const callerSchema = /* @__PURE__ */ (() =>
  v.variant('kind', [
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
  ]))();
export type Caller = DeepReadonly<v.InferOutput<typeof callerSchema>>;

/** What an application can read about itself and about users. */
export const applicationActions = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.status.changed',
  'access.changed',
  'role.assigned',
  'role.revoked',
  'role.defined',
  'role.deleted',
  'application.created',
  'application.updated',
  'application.deleted',
  'application.reviewed',
  'key.issued',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.rotated',
  'webhook.deleted',
] as const;

export const changeActions = [
  ...applicationActions,
  'connection.created',
  'connection.updated',
  'connection.deleted',
] as const;
export type ChangeAction = (typeof changeActions)[number];

/**
 * The changes of a user that every application reads in its feed: all but those of names and e-mail addresses. It includes a
 * creation only if an earlier user with the same id was erased.
 */
export const userActionsForAll = [
  'user.status.changed',
  'user.deleted',
  'user.created',
] as const satisfies readonly ChangeAction[];

export const changeSideEntries = { version: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))) };

/** The state before or after; carries the `version` of the item, so that a consumer can drop what is older. */
export const changeSideSchema = /* @__PURE__ */ (() =>
  v.objectWithRest(changeSideEntries, v.union([v.string(), v.number(), v.boolean(), v.null()])))();
export type ChangeSide = Answer<typeof changeSideSchema>;

/** Reveals that a Change was altered, or that the one before it is missing; `shared/integrity` computes it. */
export const changeIntegritySchema = /* @__PURE__ */ (() =>
  v.object({
    root: v.string(),
    previous: v.nullable(v.string()),
    salt: v.exactOptional(v.string()),
    personal: v.exactOptional(v.string()),
    mac: v.string(),
  }))();
export type ChangeIntegrity = Answer<typeof changeIntegritySchema>;

/** The record of one accepted change: who, what, before, after, why, when, in which request. */
export const changeSchema = /* @__PURE__ */ (() =>
  v.object({
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
    before: v.nullable(changeSideSchema),
    after: v.nullable(changeSideSchema),
    reason: v.nullable(v.string()),
    ticket: v.exactOptional(v.string()),
    integrity: changeIntegritySchema,
  }))();
export type Change = Answer<typeof changeSchema>;

/** Who made a request, as an application reads it: operators and connections are anonymous. */
export const applicationCallerSchema = /* @__PURE__ */ (() =>
  v.variant('kind', [
    callerSchema.options[0],
    v.object({ kind: v.literal('operator') }),
    v.object({ kind: v.literal('connection') }),
    callerSchema.options[3],
  ]))();

/** A change as an application reads it: without the data that identifies an operator, and therefore with a signature of this form in place of the MAC. */
export const applicationChangeSchema = /* @__PURE__ */ (() => {
  const { integrity: _, connectionId: __, ...entries } = changeSchema.entries;
  const [signature, action] = [v.exactOptional(v.string()), v.picklist(applicationActions)];
  const sourceIp = v.exactOptional(v.string());
  return v.object({ ...entries, action, caller: applicationCallerSchema, sourceIp, signature });
})();
export type ApplicationChange = Answer<typeof applicationChangeSchema>;

/** A page of an application's feed. */
export const applicationChangePageSchema = /* @__PURE__ */ (() =>
  v.object({
    items: v.array(applicationChangeSchema),
    pending: v.pipe(v.number(), v.integer(), v.minValue(0)),
    more: v.boolean(),
    cursor: v.string(),
  }))();
export type ApplicationChangePage = Answer<typeof applicationChangePageSchema>;

/** Whether a change can be undone: `possible`, or the code of the problem with which its undoing is refused. */
const undoStates = ['possible', 'role_required', 'not_undoable'] as const;
export type UndoState = (typeof undoStates)[number];

/** A change as an operator reads it: the record, and whether this operator can undo it. */
export const changeViewSchema = /* @__PURE__ */ (() =>
  extendedSchema(changeSchema, { undo: v.picklist(undoStates) }))();
export type ChangeView = Answer<typeof changeViewSchema>;

/** The record alone, as it is stored, and as its MAC covers it. */
export function recordOf<Recorded extends object>(
  change: Recorded & { readonly undo?: unknown; readonly signature?: unknown },
): Recorded {
  const { undo: _, signature: __, ...recorded } = change;
  return recorded as Recorded;
}

/** A page of the history of a user, and of the global history. */
export const narrowedChangePageSchema = /* @__PURE__ */ (() => narrowedPageSchema(changeViewSchema))();

/** A page of the history of an application. */
export const changePageSchema = /* @__PURE__ */ (() => pageSchema(changeViewSchema))();

/** `source` of every event that carries a Change; its `detail-type` is the action, its `detail` the Change. */
export const changeEventSource = 'auth-service';

/** `source` of the notices about changes that cannot be published; a rule routes them to the dead-letter queue. */
export const publisherEventSource = 'auth-service.publisher';

/** `detail-type` of such a notice. */
export const unpublishableDetailType = 'change.unpublishable';

/** The change that could not be published, and the reason: the `detail` of a notice. */
export interface UnpublishableChange {
  readonly pk: string | null;
  readonly sk: string | null;
  readonly sequenceNumber: string;
  readonly reason: string;
}
