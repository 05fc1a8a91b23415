import * as v from 'valibot';
import { type Answer, type ChangedOf, changedSchema, extendedSchema } from './answers.ts';
import { keyEntries, maxKeysPerOwner, rotateKeyBodySchema, scopesSchema, updateKeyBodySchema } from './api-key.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import {
  exampleConnectionKey,
  exampleRelabelledConnectionKey,
  exampleRotatedConnectionKey,
  exampleTime,
} from './examples.ts';
import { answers, dryRunQuerySchema, timestampSchema } from './fields.ts';
import { connectionKinds, type ManageOperation } from './operation.ts';
import { fieldEntries, keyFields } from './resource-fields.ts';

const connectionScopes = /* @__PURE__ */ (() => Object.values(connectionKinds).flat())();

export const connectionKeySchema = /* @__PURE__ */ (() =>
  v.object({ ...keyEntries, scopes: v.array(v.picklist(connectionScopes)) }))();
const issuedConnectionKeySchema = /* @__PURE__ */ (() => extendedSchema(connectionKeySchema, { token: v.string() }))();

export type ConnectionKeyView = Answer<typeof connectionKeySchema>;
export type IssuedConnectionKeyView = Answer<typeof issuedConnectionKeySchema>;

/** By default a key has all scopes of the kind and never expires. */
const issueConnectionKeyBodySchema = /* @__PURE__ */ (() =>
  v.optional(
    v.strictObject({
      scopes: v.optional(scopesSchema(connectionScopes)),
      expiresAt: v.nullish(timestampSchema, null),
      ...fieldEntries(keyFields, 'body'),
    }),
    {},
  ))();

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

/* @__PURE__ */ documentOperation(issueConnectionKeyOperation, () => ({
  answer: issuedConnectionKeySchema,
  tag: 'Connections',
  summary: "Issue a connection's key",
  description: `Only this answer contains the bearer token. A connection has at most ${maxKeysPerOwner} unexpired keys.`,
  example: {
    body: { label: 'nginx', expiresAt: null },
    answer: {
      ...exampleConnectionKey,
      token: 'svt_k1_gateway_01KB3Z8Q6V0M5E7R9T1W3Y5A8D_shown-only-once-and-never-again-00000000000',
    },
  },
}));

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

/* @__PURE__ */ documentOperation(updateConnectionKeyOperation, () => ({
  answer: changedSchema(connectionKeySchema),
  tag: 'Connections',
  summary: "Label a connection's key",
  description: 'The key and its token do not change. `null` removes the label.',
  example: {
    body: { label: exampleRelabelledConnectionKey.label },
    answer: { ...exampleRelabelledConnectionKey, changed: true },
  },
}));

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

/* @__PURE__ */ documentOperation(rotateConnectionKeyOperation, () => ({
  answer: issuedConnectionKeySchema,
  tag: 'Connections',
  summary: "Replace a connection's key",
  description: 'The old token stays valid for the overlap; everything else is as with an API key.',
  example: {
    body: { overlap: 'PT24H' },
    answer: {
      ...exampleRotatedConnectionKey,
      token: 'svt_k1_gateway_01KB407XWJ2P4S6V8Y0A1C3E6H_another-one-shown-only-once-000000000000000',
    },
  },
}));

export const revokeConnectionKeyOperation = {
  name: 'revoke-connection-key',
  method: 'DELETE',
  path: '/api/manage/connections/{connectionId}/keys/{keyId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<ChangedOf<typeof connectionKeySchema>>(),
  errors: ['connection_not_found', 'key_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(revokeConnectionKeyOperation, () => ({
  answer: changedSchema(connectionKeySchema),
  tag: 'Connections',
  summary: "Revoke a connection's key",
  description: 'Takes effect immediately: every request reads the state of its key.',
  example: {
    answer: {
      ...exampleRelabelledConnectionKey,
      expiresAt: '2026-11-21T19:14:11.123Z',
      revokedAt: exampleTime,
      replacedBy: exampleRotatedConnectionKey.keyId,
      changed: true,
    },
  },
}));

/* @__PURE__ */ describeMembers(() => connectionKeySchema.entries, { scopes: 'The scopes of the key.' });
/* @__PURE__ */ describeMembers(() => issuedConnectionKeySchema.entries, {
  token: 'The bearer token. No later answer contains it.',
});
/* @__PURE__ */ describeMembers(() => issueConnectionKeyBodySchema.wrapped.entries, {
  scopes:
    'The scopes of the key: `access:read` for whether users may enter, `roles:read` for their roles; of a directory `users:write` for users, `roles:write` for groups that assign roles. Default: all that its kind can have.',
  expiresAt: 'When the key expires; `null` for never.',
});
