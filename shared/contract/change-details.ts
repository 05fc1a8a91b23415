import * as v from 'valibot';
import { accessFields } from './access-fields.ts';
import { accessStatuses, userStatuses } from './access-statuses.ts';
import type { Answer } from './answers.ts';
import { keyFields } from './api-key-fields.ts';
import { applicationFields } from './application-fields.ts';
import { actions, end, changeRecord as record, recorded, sometimes } from './change-states.ts';
import { fieldEntries } from './field-forms.ts';
import { appIdSchema, keyIdSchema, roleNameSchema, userIdSchema } from './fields.ts';
import { optionChangeSchemas } from './option-types.ts';
import { roleFields } from './role-fields.ts';

export const accessStateSchema = recorded({
  status: v.picklist(accessStatuses),
  explicit: v.boolean(),
  ...fieldEntries(accessFields, 'shown'),
});
export const grantStateSchema = recorded({
  granted: v.boolean(),
  expiresAt: end,
  ...sometimes({ fromGroup: v.boolean() }),
});
export const userStateSchema = recorded({ status: v.picklist(userStatuses) });
const roleStateSchema = v.nullable(recorded(fieldEntries(roleFields, 'shown')));
/** An optional setting only where it was changed. */
const { name, ...settings } = fieldEntries(applicationFields, 'shown');
const applicationStateSchema = v.nullable(recorded({ name, ...sometimes(settings) }));
export const reviewStateSchema = recorded({ reviewedAsOf: end, laterChanges: v.nullable(v.number()) });
const rotatedStateSchema = recorded({ keyId: keyIdSchema, expiresAt: end });
export const rotationStateSchema = recorded({ ...rotatedStateSchema.entries, newExpiresAt: end });
const keyEntries = fieldEntries(keyFields, 'shown');
const updatedStateSchema = recorded(keyEntries);
export const revokedStateSchema = recorded({ revokedAt: end });
export const issuedStateSchema = recorded({ scopes: v.string(), expiresAt: end, ...sometimes(keyEntries) });

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
    before: accessStateSchema,
    after: accessStateSchema,
  }),
  RoleChange: v.strictObject({
    ...record,
    action: actions('role.assigned', 'role.revoked'),
    appId: appIdSchema,
    userId: userIdSchema,
    role: roleNameSchema,
    before: grantStateSchema,
    after: grantStateSchema,
  }),
  UserStatusChange: v.strictObject({
    ...record,
    action: actions('user.status.changed'),
    userId: userIdSchema,
    before: userStateSchema,
    after: userStateSchema,
  }),
  UserCreation: v.strictObject({
    ...record,
    action: actions('user.created'),
    userId: userIdSchema,
    before: v.null(),
    after: userStateSchema,
  }),
  UserDeletion: v.strictObject({
    ...record,
    action: actions('user.deleted'),
    userId: userIdSchema,
    before: userStateSchema,
    after: v.null(),
  }),
  RoleDefinitionChange: v.strictObject({
    ...record,
    action: actions('role.defined', 'role.deleted'),
    appId: appIdSchema,
    role: roleNameSchema,
    before: roleStateSchema,
    after: roleStateSchema,
  }),
  ApplicationChange: v.strictObject({
    ...record,
    action: actions('application.created', 'application.updated', 'application.deleted'),
    appId: appIdSchema,
    before: applicationStateSchema,
    after: applicationStateSchema,
  }),
  AccessReview: v.strictObject({
    ...record,
    action: actions('application.reviewed'),
    appId: appIdSchema,
    before: reviewStateSchema,
    after: reviewStateSchema,
  }),
  KeyIssue: v.strictObject({
    ...record,
    action: actions('key.issued'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: recorded({}),
    after: issuedStateSchema,
  }),
  KeyUpdate: v.strictObject({
    ...record,
    action: actions('key.updated'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: updatedStateSchema,
    after: updatedStateSchema,
  }),
  KeyRotation: v.strictObject({
    ...record,
    action: actions('key.rotated'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: rotatedStateSchema,
    after: rotationStateSchema,
  }),
  KeyRevocation: v.strictObject({
    ...record,
    action: actions('key.revoked'),
    appId: appIdSchema,
    keyId: keyIdSchema,
    before: revokedStateSchema,
    after: revokedStateSchema,
  }),
  ...optionChangeSchemas,
};

/** A change as an application reads it; its `action` says which of these it is. */
export const detailedChangeSchema = v.union(Object.values(changeSchemas));
export type DetailedChange = Answer<(typeof changeSchemas)[keyof typeof changeSchemas]>;
