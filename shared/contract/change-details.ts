import * as v from 'valibot';
import { accessStatuses, userStatuses } from './access.ts';
import type { Answer } from './answers.ts';
import { applicationChangeSchema, type ChangeAction } from './change.ts';
import { describeMembers } from './descriptions.ts';
import { appIdSchema, keyIdSchema, roleNameSchema, timestampSchema, userIdSchema, webhookIdSchema } from './fields.ts';
import { accessFields, applicationFields, fieldEntries, keyFields, roleFields } from './resource-fields.ts';
import { webhookFormats } from './webhook-fields.ts';

const { id, at, caller, requestId, sourceIp, undoOf, reason, ticket, signature } = applicationChangeSchema.entries;
const record = { id, at, caller, requestId, sourceIp, undoOf, reason, ticket, signature };

const end = v.nullable(timestampSchema);
const version = v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const side = <const Entries extends v.ObjectEntries>(entries: Entries) => v.strictObject({ ...entries, version });
const actions = <const Names extends readonly ChangeAction[]>(...names: Names) => v.picklist(names);

/** Entries for members that only some sides have. */
function sometimes<Entries extends v.ObjectEntries>(entries: Entries) {
  const optional = Object.entries(entries).map(([member, schema]) => [member, v.exactOptional(schema)]);
  return Object.fromEntries(optional) as {
    readonly [Member in keyof Entries]: v.ExactOptionalSchema<Entries[Member], undefined>;
  };
}

const accessSide = side({
  status: v.picklist(accessStatuses),
  explicit: v.boolean(),
  ...fieldEntries(accessFields, 'shown'),
});
const grantSide = side({ granted: v.boolean(), expiresAt: end, ...sometimes({ fromGroup: v.boolean() }) });
const userSide = side({ status: v.picklist(userStatuses) });
const roleSide = v.nullable(side(fieldEntries(roleFields, 'shown')));
/** An optional setting only where it was changed. */
const { name, ...settings } = fieldEntries(applicationFields, 'shown');
const applicationSide = v.nullable(side({ name, ...sometimes(settings) }));
const reviewSide = side({ reviewedAsOf: end, laterChanges: v.nullable(v.number()) });
const rotatedSide = side({ keyId: keyIdSchema, expiresAt: end });
const rotationSide = side({ ...rotatedSide.entries, newExpiresAt: end });
const keyEntries = fieldEntries(keyFields, 'shown');
const updatedSide = side(keyEntries);
/** Only what was changed; everything is `null` of a webhook that does not exist. */
const webhookSide = side(
  sometimes({
    url: v.nullable(v.string()),
    format: v.nullable(v.picklist(webhookFormats)),
    enabled: v.nullable(v.boolean()),
    events: v.nullable(v.string()),
    offReason: v.nullable(v.string()),
    secretId: v.nullable(v.string()),
    previousSecretId: v.nullable(v.string()),
    previousSecretUntil: end,
  }),
);
const revokedSide = side({ revokedAt: end });

/** The members of every change, whatever its kind. */
export const changeRecordSchema = v.object(record);

/**
 * Each kind of change as an application reads it, by its action: its subject, and the states before and after. The feed has no
 * changes of a user's fields.
 */
export const changeSchemas = {
  AccessChange: v.strictObject({
    ...record,
    action: actions('access.changed'),
    appId: appIdSchema,
    userId: userIdSchema,
    before: accessSide,
    after: accessSide,
  }),
  RoleChange: v.strictObject({
    ...record,
    action: actions('role.assigned', 'role.revoked'),
    appId: appIdSchema,
    userId: userIdSchema,
    role: roleNameSchema,
    before: grantSide,
    after: grantSide,
  }),
  UserStatusChange: v.strictObject({
    ...record,
    action: actions('user.status.changed'),
    userId: userIdSchema,
    before: userSide,
    after: userSide,
  }),
  UserCreation: v.strictObject({
    ...record,
    action: actions('user.created'),
    userId: userIdSchema,
    before: v.null(),
    after: userSide,
  }),
  UserDeletion: v.strictObject({
    ...record,
    action: actions('user.deleted'),
    userId: userIdSchema,
    before: userSide,
    after: v.null(),
  }),
  RoleDefinitionChange: v.strictObject({
    ...record,
    action: actions('role.defined', 'role.deleted'),
    appId: appIdSchema,
    role: roleNameSchema,
    before: roleSide,
    after: roleSide,
  }),
  ApplicationChange: v.strictObject({
    ...record,
    action: actions('application.created', 'application.updated', 'application.deleted'),
    appId: appIdSchema,
    before: applicationSide,
    after: applicationSide,
  }),
  AccessReview: v.strictObject({
    ...record,
    action: actions('application.reviewed'),
    appId: appIdSchema,
    before: reviewSide,
    after: reviewSide,
  }),
  KeyIssue: v.strictObject({
    ...record,
    action: actions('key.issued'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: side({}),
    after: side({ scopes: v.string(), expiresAt: end, ...sometimes(keyEntries) }),
  }),
  KeyUpdate: v.strictObject({
    ...record,
    action: actions('key.updated'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: updatedSide,
    after: updatedSide,
  }),
  KeyRotation: v.strictObject({
    ...record,
    action: actions('key.rotated'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: rotatedSide,
    after: rotationSide,
  }),
  KeyRevocation: v.strictObject({
    ...record,
    action: actions('key.revoked'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: revokedSide,
    after: revokedSide,
  }),
  WebhookChange: v.strictObject({
    ...record,
    action: actions('webhook.created', 'webhook.updated', 'webhook.rotated', 'webhook.deleted'),
    appId: appIdSchema,
    webhookId: webhookIdSchema,
    before: webhookSide,
    after: webhookSide,
  }),
};

/** A change as an application reads it; its `action` says which of these it is. */
export const detailedChangeSchema = v.union(Object.values(changeSchemas));
export type DetailedChange = Answer<(typeof changeSchemas)[keyof typeof changeSchemas]>;

/* @__PURE__ */ describeMembers(() => Object.values(changeSchemas).map(({ entries }) => entries), {
  action: 'What happened.',
  before: 'The state before; `null` if there was none.',
  after: 'The state after; `null` if there is none.',
});
/* @__PURE__ */ describeMembers(() => accessSide.entries, {
  status: 'The status that was set for this user in this application, or the default `enabled`.',
  explicit: 'Whether the status was ever set.',
});
/* @__PURE__ */ describeMembers(() => reviewSide.entries, {
  reviewedAsOf: 'When the list was read that was reviewed; `null` before the first review.',
  laterChanges:
    'How many changes of access and roles came after the list was read and before it was marked as reviewed.',
});
/* @__PURE__ */ describeMembers(() => rotationSide.entries, {
  newExpiresAt: 'When the new key expires; `null` for never.',
});
/* @__PURE__ */ describeMembers(() => grantSide.entries, {
  version: 'The version of what changed. Of two, the higher is the later.',
  granted: 'Whether the user has the role.',
  expiresAt: 'When the grant expires; `null` for never.',
  fromGroup: 'Whether a group of a directory gave the role, and nobody has assigned it since. Default: `false`.',
});
/* @__PURE__ */ describeMembers(() => webhookSide.entries, {
  url: 'Where the events are posted. Only an API key with the scope `webhooks:write` reads it, and no webhook.',
  format: 'The format of the deliveries.',
  enabled: 'Whether events are delivered.',
  events: 'The kinds of changes that are delivered, separated by spaces; `null` for all.',
  offReason: 'Why it turned itself off; `null` if it did not.',
  secretId: 'The id of its secret.',
  previousSecretId: 'The id of the secret before.',
  previousSecretUntil: 'Until when the secret before signs too.',
});
