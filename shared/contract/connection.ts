import * as v from 'valibot';
import {
  type Answer,
  type ChangedOf,
  changedSchema,
  deletionSchema,
  extendedSchema,
  type PageOf,
  pageSchema,
  versionedSchema,
} from './answers.ts';
import { keyEntries, maxKeysPerOwner, rotateKeyBodySchema, scopesSchema, updateKeyBodySchema } from './api-key.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import {
  exampleConnection,
  exampleConnectionKey,
  exampleRelabelledConnectionKey,
  exampleRotatedConnectionKey,
  exampleTime,
} from './examples.ts';
import {
  answers,
  appIdSchema,
  connectionIdSchema,
  dryRunQuerySchema,
  pageQuerySchema,
  timestampSchema,
} from './fields.ts';
import { type ConnectionKind, connectionKinds, type ManageOperation } from './operation.ts';
import { connectionFields, fieldEntries, keyFields } from './resource-fields.ts';

/** One request to a door reads the connection and at most as many applications. */
export const maxApplicationsPerConnection = 20;

const kindSchema = /* @__PURE__ */ (() => {
  const kinds = Object.keys(connectionKinds) as ConnectionKind[];
  return v.picklist(kinds, `must be ${kinds.join(' or ')}`);
})();
const connectionScopes = /* @__PURE__ */ (() => Object.values(connectionKinds).flat())();

const connectionKeySchema = /* @__PURE__ */ (() =>
  v.object({ ...keyEntries, scopes: v.array(v.picklist(connectionScopes)) }))();
const issuedConnectionKeySchema = /* @__PURE__ */ (() => extendedSchema(connectionKeySchema, { token: v.string() }))();

export const connectionSchema = /* @__PURE__ */ (() =>
  versionedSchema({
    connectionId: connectionIdSchema,
    kind: kindSchema,
    ...fieldEntries(connectionFields, 'shown'),
    applications: v.array(appIdSchema),
    keys: v.array(connectionKeySchema),
  }))();
export type ConnectionView = Answer<typeof connectionSchema>;
export type ConnectionKeyView = Answer<typeof connectionKeySchema>;
export type IssuedConnectionKeyView = Answer<typeof issuedConnectionKeySchema>;

const applicationsSchema = /* @__PURE__ */ (() =>
  v.pipe(
    v.array(appIdSchema, 'must be a list'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(maxApplicationsPerConnection, `must name at most ${maxApplicationsPerConnection}`),
    v.check((named) => new Set(named).size === named.length, 'must name each once'),
    v.metadata({ uniqueItems: true }),
  ))();

const createConnectionBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({
    connectionId: connectionIdSchema,
    kind: kindSchema,
    ...fieldEntries(connectionFields, 'body'),
    applications: applicationsSchema,
  }))();

export const createConnectionOperation = {
  name: 'create-connection',
  method: 'POST',
  path: '/api/manage/connections',
  role: 'admin',
  query: dryRunQuerySchema,
  body: createConnectionBodySchema,
  answer: answers<typeof connectionSchema>(),
  statuses: [201],
  errors: ['already_exists', 'application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(createConnectionOperation, () => ({
  answer: connectionSchema,
  tag: 'Connections',
  summary: 'Create a connection',
  description:
    'A connection is something outside the service that calls it with a bearer token, such as a gateway. It has no key yet. An id cannot be reused, even after its connection is deleted.',
  example: {
    body: {
      connectionId: 'gateway',
      kind: 'evaluate',
      name: 'Gateway',
      applications: ['billing'],
      trustsUserHeader: true,
    },
    answer: exampleConnection,
  },
}));

export const listConnectionsOperation = {
  name: 'list-connections',
  method: 'GET',
  path: '/api/manage/connections',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof connectionSchema>>(),
  errors: [],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listConnectionsOperation, () => ({
  answer: pageSchema(connectionSchema),
  tag: 'Connections',
  summary: 'List connections',
  description: 'Ordered by id, with their keys as in a single connection.',
  example: {
    query: { limit: 25 },
    answer: { items: [{ ...exampleConnection, version: 2, keys: [exampleConnectionKey] }], cursor: null },
  },
}));

export const getConnectionOperation = {
  name: 'get-connection',
  method: 'GET',
  path: '/api/manage/connections/{connectionId}',
  role: 'viewer',
  answer: answers<typeof connectionSchema>(),
  errors: ['connection_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(getConnectionOperation, () => ({
  answer: connectionSchema,
  tag: 'Connections',
  summary: 'Read a connection',
  description:
    'Its keys, newest first; includes the ten that were most recently revoked or expired, for 30 days. A key never includes its token.',
  example: { answer: { ...exampleConnection, version: 2, keys: [exampleConnectionKey] } },
}));

/** Omitted members keep their values. */
const updateConnectionBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({ ...fieldEntries(connectionFields, 'patch'), applications: v.optional(applicationsSchema) }))();

export const updateConnectionOperation = {
  name: 'update-connection',
  method: 'PATCH',
  path: '/api/manage/connections/{connectionId}',
  role: 'admin',
  query: dryRunQuerySchema,
  body: updateConnectionBodySchema,
  answer: answers<ChangedOf<typeof connectionSchema>>(),
  ifMatch: true,
  errors: ['connection_not_found', 'application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(updateConnectionOperation, () => ({
  answer: changedSchema(connectionSchema),
  tag: 'Connections',
  summary: 'Update a connection',
  description: 'Omitted members keep their values. The list of applications is replaced; its kind never changes.',
  example: {
    body: { name: 'API gateway' },
    answer: {
      ...{ ...exampleConnection, name: 'API gateway', version: 3, updatedAt: exampleTime },
      ...{ keys: [exampleConnectionKey], changed: true },
    },
  },
}));

export const deleteConnectionOperation = {
  name: 'delete-connection',
  method: 'DELETE',
  path: '/api/manage/connections/{connectionId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<typeof deletionSchema>(),
  errors: ['connection_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(deleteConnectionOperation, () => ({
  answer: deletionSchema,
  tag: 'Connections',
  summary: 'Delete a connection',
  description: 'Its tokens stop working immediately. Its history stays.',
  example: { answer: { changed: true, complete: true } },
}));

/** By default a key has all scopes of the kind and never expires. */
const issueConnectionKeyBodySchema = /* @__PURE__ */ (() =>
  v.optional(
    v.strictObject({
      scopes: v.optional(scopesSchema(connectionScopes), [...connectionScopes]),
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

/* @__PURE__ */ describeMembers(() => [connectionSchema.entries, createConnectionBodySchema.entries], {
  kind: 'What the connection is for: `evaluate` asks whether users may enter applications and hold roles.',
});
/* @__PURE__ */ describeMembers(
  () => [connectionSchema.entries, createConnectionBodySchema.entries, updateConnectionBodySchema.entries],
  { applications: 'The applications that it may ask about or change.' },
);
/* @__PURE__ */ describeMembers(() => connectionSchema.entries, { keys: 'Its keys, newest first.' });
/* @__PURE__ */ describeMembers(() => connectionKeySchema.entries, { scopes: 'The scopes of the key.' });
/* @__PURE__ */ describeMembers(() => issuedConnectionKeySchema.entries, {
  token: 'The bearer token. No later answer contains it.',
});
/* @__PURE__ */ describeMembers(() => issueConnectionKeyBodySchema.wrapped.entries, {
  scopes: 'The scopes of the key: `access:read` for whether users may enter, `roles:read` for their roles.',
  expiresAt: 'When the key expires; `null` for never.',
});
