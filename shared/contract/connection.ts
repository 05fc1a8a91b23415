import * as v from 'valibot';
import {
  type Answer,
  type ChangedOf,
  changedSchema,
  deletionSchema,
  type PageOf,
  pageSchema,
  versionedSchema,
} from './answers.ts';
import { connectionKeySchema } from './connection-key.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleConnection, exampleConnectionKey, exampleTime } from './examples.ts';
import { answers, appIdSchema, connectionIdSchema, dryRunQuerySchema, pageQuerySchema } from './fields.ts';
import { groupRolesSchema } from './group-roles.ts';
import { type ConnectionKind, connectionKinds, type ManageOperation } from './operation.ts';
import { connectionFields, fieldEntries } from './resource-fields.ts';

/** One request to a door reads the connection and at most as many applications. */
export const maxApplicationsPerConnection = 20;

const kindSchema = /* @__PURE__ */ (() => {
  const kinds = Object.keys(connectionKinds) as ConnectionKind[];
  return v.picklist(kinds, `must be ${kinds.join(' or ')}`);
})();

export const connectionSchema = /* @__PURE__ */ (() =>
  versionedSchema({
    connectionId: connectionIdSchema,
    kind: kindSchema,
    ...fieldEntries(connectionFields, 'shown'),
    applications: v.array(appIdSchema),
    groupRoles: groupRolesSchema,
    keys: v.array(connectionKeySchema),
  }))();
export type ConnectionView = Answer<typeof connectionSchema>;

const applicationsSchema = /* @__PURE__ */ (() =>
  v.pipe(
    v.array(appIdSchema, 'must be a list'),
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
    groupRoles: v.optional(groupRolesSchema, []),
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

/** Omitted members keep their values. Which attribute becomes the `userId` never changes. */
const updateConnectionBodySchema = /* @__PURE__ */ (() => {
  const { userIdAttribute: _, ...fields } = fieldEntries(connectionFields, 'patch');
  const lists = { applications: v.optional(applicationsSchema), groupRoles: v.optional(groupRolesSchema) };
  return v.strictObject({ ...fields, ...lists });
})();

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
  description: 'Omitted members keep their values. Lists are replaced. The kind and `userIdAttribute` never change.',
  example: {
    body: { name: 'API gateway' },
    answer: {
      ...exampleConnection,
      name: 'API gateway',
      version: 3,
      updatedAt: exampleTime,
      keys: [exampleConnectionKey],
      changed: true,
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
  statuses: [200, 202],
  errors: ['connection_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(deleteConnectionOperation, () => ({
  answer: deletionSchema,
  tag: 'Connections',
  summary: 'Delete a connection',
  description:
    'Its tokens stop working immediately. Its history stays. The users of a directory stay too, with their status and their roles; what the directory said of them is deleted.',
  example: { answer: { changed: true, complete: true } },
}));

/* @__PURE__ */ describeMembers(() => [connectionSchema.entries, createConnectionBodySchema.entries], {
  kind: 'What the connection is for: `evaluate` asks whether users may enter applications and hold roles; `scim` is a directory that creates users, changes them and assigns roles to its groups.',
});
/* @__PURE__ */ describeMembers(
  () => [connectionSchema.entries, createConnectionBodySchema.entries, updateConnectionBodySchema.entries],
  {
    applications:
      'The applications that it may ask about, or whose roles it may assign. Only a directory may have none.',
    groupRoles:
      'Of a directory: which groups assign which roles, in applications of the connection. Empty for other kinds.',
  },
);
/* @__PURE__ */ describeMembers(() => connectionSchema.entries, { keys: 'Its keys, newest first.' });
