import * as v from 'valibot';
import type { Answer, deletionSchema } from '#shared/contract/answers.ts';
import { answers, dryRunQuerySchema } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type {
  accountSchema,
  changedAccountSchema,
  changedLoginSchema,
  loginSchema,
  loginSecretSchema,
} from './login-answers.ts';
import { clientTypes } from './login-values.ts';
import { logoutUrisSchema, redirectUrisSchema } from './redirect-uri.ts';

export type LoginView = Answer<typeof loginSchema>;
export type LoginSecretView = Answer<typeof loginSecretSchema>;
export type AccountView = Answer<typeof accountSchema>;

export const getLoginOperation = {
  name: 'get-login',
  method: 'GET',
  path: '/api/manage/applications/{appId}/login',
  role: 'viewer',
  answer: answers<typeof loginSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/** All that is set of a login; omitted members get their defaults. */
export const setLoginBodySchema = v.strictObject({
  clientType: v.optional(v.picklist(clientTypes, `must be ${clientTypes.join(' or ')}`), 'public'),
  redirectUris: redirectUrisSchema,
  logoutUris: logoutUrisSchema,
});

export const setLoginOperation = {
  name: 'set-login',
  method: 'PUT',
  path: '/api/manage/applications/{appId}/login',
  role: 'admin',
  query: dryRunQuerySchema,
  body: setLoginBodySchema,
  answer: answers<typeof changedLoginSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

export const deleteLoginOperation = {
  name: 'delete-login',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}/login',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<typeof deletionSchema>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/** The secret that stays, by its id; the other one ends. */
export const keptSecretQuerySchema = v.strictObject({
  keep: v.optional(v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/, 'must be the id of a secret'))),
});

export const addLoginSecretOperation = {
  name: 'add-login-secret',
  method: 'POST',
  path: '/api/manage/applications/{appId}/login/secrets',
  role: 'admin',
  query: keptSecretQuerySchema,
  answer: answers<typeof loginSecretSchema>(),
  statuses: [201],
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

export const getAccountOperation = {
  name: 'get-account',
  method: 'GET',
  path: '/api/manage/users/{userId}/account',
  role: 'viewer',
  forLimited: 'whole',
  answer: answers<typeof accountSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

export const inviteUserOperation = {
  name: 'invite-user',
  method: 'POST',
  path: '/api/manage/users/{userId}/invitation',
  role: 'support',
  query: dryRunQuerySchema,
  answer: answers<typeof changedAccountSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

export const signOutUserOperation = {
  name: 'sign-out-user',
  method: 'POST',
  path: '/api/manage/users/{userId}/sign-out',
  role: 'support',
  query: dryRunQuerySchema,
  answer: answers<typeof changedAccountSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;

export const deleteAccountOperation = {
  name: 'delete-account',
  method: 'DELETE',
  path: '/api/manage/users/{userId}/account',
  role: 'support',
  query: dryRunQuerySchema,
  answer: answers<typeof deletionSchema>(),
  errors: ['user_not_found'],
} as const satisfies ManageOperation;
