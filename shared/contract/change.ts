import * as v from 'valibot';
import { type Answer, type DeepReadonly, extendedSchema, narrowedPageSchema, pageSchema } from './answers.ts';
import { describeMembers } from './descriptions.ts';
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

const changeSideEntries = { version: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))) };

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

const whoCalls =
  'An application with its API key, an operator, a connection, such as a directory, or the service itself.';
/* @__PURE__ */ describeMembers(() => callerSchema.options[0].entries, {
  kind: whoCalls,
});
/* @__PURE__ */ describeMembers(() => callerSchema.options[1].entries, {
  kind: whoCalls,
  via: 'How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API.',
  issuer: "The issuer of the operator's token.",
  id: "The IAM ARN, or the token's `sub`, which only its issuer vouches for.",
  email: "The e-mail address of the operator's token, if it has one.",
  role: "The operator's role, in the application of the change if it has one.",
});
/* @__PURE__ */ describeMembers(() => callerSchema.options[2].entries, { kind: whoCalls });
/* @__PURE__ */ describeMembers(() => callerSchema.options[3].entries, { kind: whoCalls });
/* @__PURE__ */ describeMembers(() => applicationCallerSchema.options[1].entries, { kind: whoCalls });
/* @__PURE__ */ describeMembers(() => applicationCallerSchema.options[2].entries, { kind: whoCalls });
/* @__PURE__ */ describeMembers(() => changeSideEntries, {
  version: 'The version of the changed item. The higher of two is the newer.',
});
/* @__PURE__ */ describeMembers(() => changeIntegritySchema.entries, {
  root: 'The version of the root from which the key of the MAC is derived.',
  previous:
    'The `mac` of the previous change of the same user, access, role, application or connection; `null` for the first.',
  salt: 'The salt of the digest of the personal data. It is removed together with that data.',
  personal: 'In a redacted change: the digest of the personal data, in place of that data and the salt.',
  mac: 'The MAC of all other members of the change. Only the service can compute it.',
});
/* @__PURE__ */ describeMembers(() => changeSchema.entries, {
  id: 'A ULID. All deliveries of the same change have the same id.',
  at: 'When it happened.',
  action: 'What happened. New actions may be added.',
  appId: 'The application. In the Service API it is always that of the API key.',
  connectionId: 'The connection.',
  userId: 'The user, by the id that your applications share.',
  role: 'The name of the role in the application. Case-sensitive.',
  keyId: 'The key of the application or connection. Not secret.',
  webhookId: 'The webhook of the application.',
  bulkId: 'The bulk change that the change, or the one that it undid, is part of. Absent if there is none.',
  caller: 'Who made the change.',
  requestId: 'The id of the request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log.',
  sourceIp: 'The source address of the request.',
  undoOf: 'The `id` of the change that this one undid. Absent if it undid none.',
  before: 'The state before; `null` if there was none.',
  after: 'The state after; `null` if there is none.',
  reason: 'The reason that the caller gave.',
  ticket: 'The ticket that the caller gave, such as `INC-1234`. Absent if there was none.',
  integrity: 'Links the change to the previous one, which reveals altered and removed changes.',
});
/* @__PURE__ */ describeMembers(() => applicationChangeSchema.entries, {
  action: 'What happened. New actions may be added.',
  caller: 'Who made the change; operators and connections are anonymous.',
  sourceIp: "The source address of a request with the application's API key. Absent for others.",
  signature:
    'A JWS with detached content (RFC 7515, appendix F) over all other members, serialized by RFC 8785. `GET /api/service/change-keys` has the keys.',
});
/* @__PURE__ */ describeMembers(() => changeViewSchema.entries, {
  undo: 'Whether the operator can undo the change, by its kind and the roles: `possible`, or the code of the refusal. Only the undo itself checks what has changed since. Not part of the record: exports and events do not contain it, and the MAC does not cover it.',
});
/* @__PURE__ */ describeMembers(() => changePageSchema.entries, {
  cursor:
    'Leads to the next page, as `?cursor=` backward and `?after=` forward. Forward it is `null` only if there is no change yet.',
});
/* @__PURE__ */ describeMembers(() => applicationChangePageSchema.entries, {
  items: 'The changes of this page.',
  pending: 'How many changes at the end of the page have no number yet. The next answers repeat them until they do.',
  more: 'Whether the next page has more already. If `false`, ask again at your own interval.',
  cursor: 'Leads to the next page, as `?after=`, even if there is nothing new. Keep it until the next answer.',
});
