import * as v from 'valibot';
import { type Answer, recordedSchema } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleAccess, exampleChanged } from './examples.ts';
import {
  answers,
  appIdSchema,
  dryRunQuerySchema,
  roleNameSchema,
  timestampSchema,
  userIdSchema,
  versionSchema,
} from './fields.ts';
import type { ManageOperation, ServiceOperation } from './operation.ts';
import { accessFields, fieldEntries } from './resource-fields.ts';

export const accessStatuses = ['enabled', 'disabled'] as const;
export type AccessStatus = (typeof accessStatuses)[number];

export const userStatuses = ['active', 'inactive'] as const;
export type UserStatus = (typeof userStatuses)[number];

export const decisions = ['user', 'explicit', 'lapsed', 'rollout', 'default'] as const;
/** What decided the effective status: the inactive user, the explicit setting, its end, the rollout, or the default. */
export type DecidedBy = (typeof decisions)[number];

/**
 * What holds for one user in one application. Made in a call of its own, which bundlers leave out where only the type is
 * used.
 */
export const accessSchema = /* @__PURE__ */ (() =>
  v.object({
    userId: userIdSchema,
    appId: appIdSchema,
    status: v.picklist(accessStatuses),
    explicit: v.boolean(),
    ...fieldEntries(accessFields, 'shown'),
    userStatus: v.picklist(userStatuses),
    effectiveStatus: v.picklist(accessStatuses),
    decidedBy: v.picklist(decisions),
    roles: v.array(v.object({ name: roleNameSchema, expiresAt: v.nullable(timestampSchema) })),
    version: versionSchema,
    updatedAt: v.nullable(timestampSchema),
  }))();
export type Access = Answer<typeof accessSchema>;

export const changedAccessSchema = /* @__PURE__ */ (() => recordedSchema(accessSchema))();
export type ChangedAccess = Answer<typeof changedAccessSchema>;

/** The whole new setting, so what is left out is cleared. */
export const setAccessBodySchema = /* @__PURE__ */ (() => {
  // The errors of a refused body name the reason before the end.
  const { reason, ...others } = fieldEntries(accessFields, 'body');
  return v.strictObject({
    status: v.picklist(accessStatuses, 'must be "enabled" or "disabled"'),
    reason,
    ...others,
  });
})();
export type SetAccessBody = v.InferOutput<typeof setAccessBodySchema>;
/** A status, and what else is set with it; what is left out is cleared. */
export type NewSetting = Pick<SetAccessBody, 'status'> & Partial<SetAccessBody>;

export const getAccessOperation = {
  name: 'get-access',
  method: 'GET',
  path: '/api/service/users/{userId}/access',
  scope: 'access:read',
  writes: false,
  answer: answers<typeof accessSchema>(),
  errors: ['user_not_found'],
} as const satisfies ServiceOperation;

/* @__PURE__ */ documentOperation(getAccessOperation, () => ({
  answer: accessSchema,
  settings: ['keyStateCacheSeconds'],
  calledByCanary: true,
  tag: 'Service API',
  summary: 'Read the access of a user',
  description:
    'May this user enter the application, and with which roles? Strongly consistent: what was set a moment ago is already in the answer. Obey `effectiveStatus`, which includes the global status of the user.',
  example: { answer: exampleAccess.untouched },
}));

export const setAccessOperation = {
  name: 'set-access',
  method: 'PUT',
  path: '/api/service/users/{userId}/access',
  scope: 'access:write',
  writes: true,
  ifMatch: true,
  body: setAccessBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found'],
} as const satisfies ServiceOperation;

/* @__PURE__ */ documentOperation(setAccessOperation, () => ({
  answer: changedAccessSchema,
  table: { writes: { PutItem: ['nonce', 'user', 'accessEntry'], UpdateItem: ['user'] } },
  settings: ['changeRetentionDays'],
  calledByCanary: true,
  tag: 'Service API',
  summary: 'Enable or disable a user',
  description:
    'Sets the whole status: what is left out is cleared. Changes neither the roles, nor the user, nor any other application. A block may end by itself, by `until`, at most 5 years ahead.',
  example: {
    body: { status: 'disabled', reason: 'left the team', until: '2027-01-31T12:00:00Z' },
    answer: { ...exampleAccess.disabled, ...exampleChanged },
  },
}));

export const setUserAccessOperation = {
  name: 'set-user-access',
  method: 'PUT',
  path: '/api/manage/users/{userId}/access/{appId}',
  role: 'support',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: setAccessBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(setUserAccessOperation, () => ({
  answer: changedAccessSchema,
  tag: 'Access',
  summary: 'Enable or disable a user in an application',
  description: 'As the Service API does it: what is left out is cleared, and the roles stay.',
  example: { body: { status: 'enabled' }, answer: { ...exampleAccess.enabled, ...exampleChanged } },
}));

/* @__PURE__ */ describeMembers(() => accessSchema.entries, {
  status: 'The status that was set for this user in this application, or the default `enabled`.',
  explicit: 'Whether somebody ever set the status.',
  userStatus: "The user's global status.",
  effectiveStatus: 'What the application must obey now.',
  decidedBy:
    'What decided the effective status: `user` (inactive, so disabled), `explicit` (what was set), `lapsed` (a block whose `until` has passed), `rollout` (nobody set anything, and the application is open to a part of the users, to which this one belongs or not), `default` (nobody set anything).',
  roles: 'The roles that the user holds now, by name. Grants that have ended are not listed.',
  updatedAt: 'When it last changed; `null` is never.',
});
/* @__PURE__ */ describeMembers(() => accessSchema.entries.roles.item.entries, {
  name: 'The role.',
  expiresAt: 'When it ends by itself; `null` is never.',
});
/* @__PURE__ */ describeMembers(() => setAccessBodySchema.entries, {
  status: 'The status that was set for this user in this application, or the default `enabled`.',
});
