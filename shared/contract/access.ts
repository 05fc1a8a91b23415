import * as v from 'valibot';
import type { accessSchema, changedAccessSchema } from './access-answers.ts';
import { accessFields } from './access-fields.ts';
import { accessStatuses, type decisions, type userStatuses } from './access-statuses.ts';
import type { Answer } from './answers.ts';
import { reasonEntries } from './change-reason.ts';
import { fieldEntries } from './field-forms.ts';
import { answers, dryRunQuerySchema } from './fields.ts';
import type { ManageOperation, ServiceOperation } from './operation.ts';

/** The status of a user in an application. */
export type AccessStatus = (typeof accessStatuses)[number];

/** The global status of a user. */
export type UserStatus = (typeof userStatuses)[number];

/** What decided the effective status: the inactive user, the explicit setting, its expiry, the rollout, or the default. */
export type DecidedBy = (typeof decisions)[number];

/** The effective access of one user to one application. */
export type Access = Answer<typeof accessSchema>;

/** The access after a write. */
export type ChangedAccess = Answer<typeof changedAccessSchema>;

// The errors of an invalid body list the reason before the expiry.
const { reason, ...others } = fieldEntries(accessFields, 'body');

/** The complete new setting: omitted fields are cleared. */
export const setAccessBodySchema = v.strictObject({
  status: v.picklist(accessStatuses, 'must be "enabled" or "disabled"'),
  reason,
  ticket: reasonEntries.ticket,
  ...others,
});
/** A whole setting. The ticket is not part of it: it belongs to the Change. */
export type SetAccessBody = Omit<v.InferOutput<typeof setAccessBodySchema>, 'ticket'>;
/** A status and the fields set with it; omitted fields are cleared. */
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

export const setAccessOperation = {
  name: 'set-access',
  method: 'PUT',
  path: '/api/service/users/{userId}/access',
  scope: 'access:write',
  writes: true,
  ifMatch: true,
  body: setAccessBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'reason_required'],
} as const satisfies ServiceOperation;

export const setUserAccessOperation = {
  name: 'set-user-access',
  method: 'PUT',
  path: '/api/manage/users/{userId}/access/{appId}',
  role: 'support',
  ifMatch: true,
  query: dryRunQuerySchema,
  body: setAccessBodySchema,
  answer: answers<typeof changedAccessSchema>(),
  errors: ['user_not_found', 'application_not_found', 'reason_required'],
} as const satisfies ManageOperation;

/** The Service API: access. */
export const accessServiceOperations = {
  'get-access': getAccessOperation,
  'set-access': setAccessOperation,
} as const;

/** The Management API: access. */
export const accessManageOperations = {
  'set-user-access': setUserAccessOperation,
} as const;
