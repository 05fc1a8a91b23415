import type { ErrorCode } from '#shared/contract/error-codes.ts';
import { manageAnswers } from '#shared/contract/manage-answers.ts';
import { type ManageInputSchemas, manageInputs } from '#shared/contract/manage-inputs.ts';
import { type ManageRouteName, manageRoutes } from '#shared/contract/manage-routes.ts';
import type { Operation, OperationText } from './operation.ts';

interface ManageOperation extends OperationText {
  readonly codes: readonly ErrorCode[];
}

const operations: Readonly<Record<ManageRouteName, ManageOperation>> = {
  'create-application': {
    tag: 'Applications',
    summary: 'Create an application',
    description: 'Without keys or roles. An id that was ever taken, also by an application since deleted, stays taken.',
    statuses: [201],
    codes: ['already_exists'],
  },
  'list-applications': { tag: 'Applications', summary: 'List applications', description: 'By id.', codes: [] },
  'get-application': { tag: 'Applications', summary: 'Read an application', codes: ['application_not_found'] },
  'update-application': {
    tag: 'Applications',
    summary: 'Rename an application',
    guarded: true,
    codes: ['application_not_found'],
  },
  'delete-application': {
    tag: 'Applications',
    summary: 'Delete an application',
    description:
      'Its keys are refused at once; then its accesses, roles and keys go. Refused while users hold roles or explicit access in it, unless `?force=true`. One that does not exist is no error.',
    statuses: [200, 202],
    codes: ['application_in_use'],
  },
  'issue-key': {
    tag: 'API keys',
    summary: 'Issue an API key',
    description:
      'The secret is in this answer and in no later one. Without a body the key may do everything and never expires.',
    statuses: [201],
    codes: ['application_not_found', 'too_many_keys'],
  },
  'list-keys': {
    tag: 'API keys',
    summary: 'List the API keys of an application',
    description: 'Those that were revoked or expired over 30 days ago are left out.',
    codes: ['application_not_found'],
  },
  'revoke-key': {
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'At once: the state of a key is read with every request.',
    codes: ['application_not_found', 'key_not_found'],
  },
  'rotate-key': {
    tag: 'API keys',
    summary: 'Replace an API key',
    description: 'Issues a key with the same scopes and the same end; the old one goes on for the overlap.',
    statuses: [201],
    codes: ['application_not_found', 'key_not_found', 'too_many_keys'],
  },
  'list-roles': {
    tag: 'Roles',
    summary: 'List the roles of an application',
    description: 'By name.',
    codes: ['application_not_found'],
  },
  'define-role': {
    tag: 'Roles',
    summary: 'Define or describe a role',
    description:
      '201 if it is new, 200 if it was there. The name of a role that was deleted is refused for 15 seconds, longer than any request lives.',
    statuses: [201, 200],
    codes: ['application_not_found', 'role_in_use'],
  },
  'get-role': { tag: 'Roles', summary: 'Read a role', codes: ['application_not_found', 'role_not_found'] },
  'delete-role': {
    tag: 'Roles',
    summary: 'Delete a role',
    description:
      'Refused while users hold it, unless `?force=true`, which takes it back from everyone. One that does not exist is no error.',
    statuses: [200, 202],
    codes: ['application_not_found', 'role_in_use'],
  },
  'list-members': {
    tag: 'Roles',
    summary: 'List the users who hold a role',
    description: 'By id.',
    codes: ['application_not_found', 'role_not_found'],
  },
  'list-application-users': {
    tag: 'Access',
    summary: 'List the users of an application',
    description: 'Those with an explicit status or a role in it, by status and id.',
    codes: ['application_not_found'],
  },
  'set-access-in-bulk': {
    tag: 'Access',
    summary: 'Set the status of many users',
    description: 'Up to 100 users, each by itself: an outcome for every one, whatever becomes of the others.',
    codes: ['application_not_found'],
  },
  'list-application-changes': {
    tag: 'History',
    summary: 'Read the history of an application',
    description:
      'Its own changes and those of its users in it, the newest first; with `?after=` forward from a cursor, and from the beginning if that is empty.',
    codes: ['application_not_found'],
  },
  'list-users': { tag: 'Users', summary: 'List users', description: 'By id.', codes: [] },
  'create-user': { tag: 'Users', summary: 'Create a user', statuses: [201], codes: ['already_exists'] },
  'get-user': { tag: 'Users', summary: 'Read a user', codes: ['user_not_found'] },
  'update-user': {
    tag: 'Users',
    summary: 'Change what is known of a user',
    description: 'What is left out stays, `null` takes away.',
    guarded: true,
    codes: ['user_not_found'],
  },
  'delete-user': {
    tag: 'Users',
    summary: 'Erase a user',
    description: 'With every access, role and record of the user. One that does not exist is no error.',
    statuses: [200, 202],
    codes: [],
  },
  'set-user-status': {
    tag: 'Users',
    summary: 'Activate or deactivate a user',
    description: 'An inactive user enters no application. What is set in the applications stays as it is.',
    guarded: true,
    codes: ['user_not_found'],
  },
  'list-user-access': {
    tag: 'Access',
    summary: 'List what a user may in each application',
    description: 'Every application, by id, also where nobody ever set anything.',
    codes: ['user_not_found'],
  },
  'set-user-access': {
    tag: 'Access',
    summary: 'Enable or disable a user in an application',
    description: 'As the Service API does it: what is left out is taken back, and the roles stay.',
    guarded: true,
    codes: ['user_not_found', 'application_not_found'],
  },
  'assign-user-role': {
    tag: 'Access',
    summary: 'Assign a role to a user in an application',
    description: 'Without a body it never ends by itself.',
    guarded: true,
    codes: ['user_not_found', 'application_not_found', 'role_not_found'],
  },
  'revoke-user-role': {
    tag: 'Access',
    summary: 'Take a role back from a user in an application',
    description: 'One that the user does not hold is no error.',
    guarded: true,
    codes: ['user_not_found', 'application_not_found'],
  },
  'list-user-changes': {
    tag: 'History',
    summary: 'Read the history of a user',
    description: 'The newest first.',
    codes: ['user_not_found'],
  },
};

const always = ['invalid_request', 'internal', 'unavailable'] as const satisfies readonly ErrorCode[];

/** The operations of the Management API. */
export const manageOperations: readonly Operation[] = Object.values(manageRoutes).map((route) => {
  const { codes, ...text } = operations[route.name];
  const { query, body }: ManageInputSchemas = manageInputs[route.name];
  return { ...route, query, body, answer: manageAnswers[route.name], text, codes: [...always, ...codes] };
});
