import * as v from 'valibot';
import type { Answer, ChangedOf } from '#shared/contract/answers.ts';
import { keyExpirySchema, rotateKeyBodySchema, scopesSchema, updateKeyBodySchema } from '#shared/contract/api-key.ts';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import { answers, dryRunQuerySchema } from '#shared/contract/fields.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import type { connectionKeySchema, issuedConnectionKeySchema } from './connection-key-answers.ts';
import { connectionScopes } from './connection-scopes.ts';

export type ConnectionKeyView = Answer<typeof connectionKeySchema>;
export type IssuedConnectionKeyView = Answer<typeof issuedConnectionKeySchema>;

/** By default a key has all scopes of the kind. */
const issueConnectionKeyBodySchema = v.optional(
  v.strictObject({
    scopes: v.optional(scopesSchema(connectionScopes)),
    expiresAt: keyExpirySchema,
    ...fieldEntries(keyFields, 'body'),
  }),
  {},
);

export const issueConnectionKeyOperation = {
  name: 'issue-connection-key',
  method: 'POST',
  path: '/api/manage/connections/{connectionId}/keys',
  role: 'admin',
  body: issueConnectionKeyBodySchema,
  answer: answers<typeof issuedConnectionKeySchema>(),
  statuses: [201],
  errors: ['connection_not_found', 'too_many_keys'],
} as const satisfies ManageOperation;

export const updateConnectionKeyOperation = {
  name: 'update-connection-key',
  method: 'PATCH',
  path: '/api/manage/connections/{connectionId}/keys/{keyId}',
  role: 'admin',
  query: dryRunQuerySchema,
  body: updateKeyBodySchema,
  answer: answers<ChangedOf<typeof connectionKeySchema>>(),
  errors: ['connection_not_found', 'key_not_found'],
} as const satisfies ManageOperation;

export const rotateConnectionKeyOperation = {
  name: 'rotate-connection-key',
  method: 'POST',
  path: '/api/manage/connections/{connectionId}/keys/{keyId}/rotate',
  role: 'admin',
  query: dryRunQuerySchema,
  body: rotateKeyBodySchema,
  answer: answers<typeof issuedConnectionKeySchema>(),
  statuses: [201],
  errors: ['connection_not_found', 'key_not_found', 'too_many_keys'],
} as const satisfies ManageOperation;

export const revokeConnectionKeyOperation = {
  name: 'revoke-connection-key',
  method: 'DELETE',
  path: '/api/manage/connections/{connectionId}/keys/{keyId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<ChangedOf<typeof connectionKeySchema>>(),
  errors: ['connection_not_found', 'key_not_found'],
} as const satisfies ManageOperation;
