import * as v from 'valibot';
import type { Answer, ChangedOf, deletionSchema, PageOf } from '#shared/contract/answers.ts';
import { fieldEntries } from '#shared/contract/field-forms.ts';
import {
  answers,
  appIdSchema,
  connectionIdSchema,
  dryRunQuerySchema,
  pageQuerySchema,
} from '#shared/contract/fields.ts';
import { type ConnectionKind, connectionKinds, type ManageOperation } from '#shared/contract/operation.ts';
import type { connectionSchema } from './connection-answers.ts';
import { connectionFields } from './connection-fields.ts';
import { groupRolesSchema } from './group-roles.ts';

/** One request to an endpoint reads the connection and at most as many applications. */
export const maxApplicationsPerConnection = 20;

const kinds = Object.keys(connectionKinds) as ConnectionKind[];
const kindSchema = v.picklist(kinds, `must be ${kinds.join(' or ')}`);

export type ConnectionView = Answer<typeof connectionSchema>;

const applicationsSchema = v.pipe(
  v.array(appIdSchema, 'must be a list'),
  v.maxLength(maxApplicationsPerConnection, `must name at most ${maxApplicationsPerConnection}`),
  v.check((named) => new Set(named).size === named.length, 'must name each once'),
  v.metadata({ uniqueItems: true }),
);

const createConnectionBodySchema = v.strictObject({
  connectionId: connectionIdSchema,
  kind: kindSchema,
  ...fieldEntries(connectionFields, 'body'),
  applications: applicationsSchema,
  groupRoles: v.optional(groupRolesSchema, []),
});

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

export const listConnectionsOperation = {
  name: 'list-connections',
  method: 'GET',
  path: '/api/manage/connections',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof connectionSchema>>(),
  errors: [],
} as const satisfies ManageOperation;

export const getConnectionOperation = {
  name: 'get-connection',
  method: 'GET',
  path: '/api/manage/connections/{connectionId}',
  role: 'viewer',
  answer: answers<typeof connectionSchema>(),
  errors: ['connection_not_found'],
} as const satisfies ManageOperation;

// Which attribute becomes the `userId` never changes.
const { userIdAttribute: _, ...fields } = fieldEntries(connectionFields, 'patch');

/** Omitted members keep their values. */
const updateConnectionBodySchema = v.strictObject({
  ...fields,
  applications: v.optional(applicationsSchema),
  groupRoles: v.optional(groupRolesSchema),
});

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
