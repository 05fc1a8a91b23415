import * as v from 'valibot';
import {
  accessSchema,
  assignRoleBodySchema,
  changedAccessSchema,
  revokeRoleBodySchema,
  setAccessBodySchema,
} from '#shared/contract/access.ts';
import { changePageSchema } from '#shared/contract/change.ts';
import type { ErrorCode } from '#shared/contract/error-codes.ts';
import { ownChangesQuerySchema } from '#shared/contract/list-query.ts';
import { type ServiceRouteName, serviceRoutes } from '#shared/contract/routes.ts';
import type { Operation, OperationText } from './operation.ts';

interface ServiceOperation extends OperationText {
  readonly query?: v.StrictObjectSchema<v.ObjectEntries, undefined>;
  readonly body?: v.GenericSchema;
  readonly answer: v.GenericSchema;
  readonly codes: readonly ErrorCode[];
}

const operations: Readonly<Record<ServiceRouteName, ServiceOperation>> = {
  'get-access': {
    tag: 'Service API',
    summary: 'Read the access of a user',
    description:
      'May this user enter the application, and with which roles? Strongly consistent: what was set a moment ago is already in the answer. Obey `effectiveStatus`, which weighs the global status of the user too.',
    answer: accessSchema,
    codes: ['user_not_found'],
  },
  'set-access': {
    tag: 'Service API',
    summary: 'Enable or disable a user',
    description:
      'Sets the whole status: what is left out is taken back. Touches neither the roles, nor the user, nor any other application. A block may end by itself, by `until`, at most 5 years ahead.',
    guarded: true,
    body: setAccessBodySchema,
    answer: changedAccessSchema,
    codes: ['user_not_found'],
  },
  'assign-role': {
    tag: 'Service API',
    summary: 'Assign a role to a user',
    description:
      'The role must be defined in the application. Assigned again with another `expiresAt`, it takes the new end.',
    guarded: true,
    body: assignRoleBodySchema,
    answer: changedAccessSchema,
    codes: ['user_not_found', 'role_not_found'],
  },
  'revoke-role': {
    tag: 'Service API',
    summary: 'Take a role back from a user',
    description:
      'A role that the user does not hold is no error. The role goes into the body, or into the query for clients and proxies that drop the body of a DELETE; both must agree.',
    guarded: true,
    query: v.strictObject({ role: v.exactOptional(revokeRoleBodySchema.entries.role) }),
    body: v.optional(revokeRoleBodySchema),
    answer: changedAccessSchema,
    codes: ['user_not_found'],
  },
  'list-changes': {
    tag: 'Service API',
    summary: 'Catch up on changes',
    description:
      'The changes of the application and of its users in it, the oldest first, once they are 15 seconds old: nothing can appear before a cursor any more. Keep the cursor and ask with it again.',
    query: ownChangesQuerySchema,
    answer: changePageSchema,
    codes: [],
  },
};

/** Answered to whoever asks. */
const always = [
  'invalid_request',
  'signature_missing',
  'signature_malformed',
  'component_missing',
  'clock_skew',
  'signature_mismatch',
  'digest_mismatch',
  'key_revoked',
  'key_expired',
  'scope_missing',
  'address_not_allowed',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[];

/** The operations of the Service API. */
export const serviceOperations: readonly Operation[] = Object.values(serviceRoutes).map((route) => {
  const { query, body, answer, codes, ...text } = operations[route.name];
  const ofWrites: readonly ErrorCode[] = route.writes ? ['nonce_replayed'] : [];
  return { ...route, query, body, answer, text, codes: [...always, ...codes, ...ofWrites] };
});
