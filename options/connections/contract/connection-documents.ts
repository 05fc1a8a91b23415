import { changedSchema, deletionSchema, pageSchema } from '#shared/contract/answers.ts';
import { describedPage } from '#shared/contract/answers-documents.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { exampleTime } from '#shared/contract/examples.ts';
import {
  createConnectionOperation,
  type deleteConnectionOperation,
  type getConnectionOperation,
  type listConnectionsOperation,
  updateConnectionOperation,
} from './connection.ts';
import { connectionSchema } from './connection-answers.ts';
import { exampleConnection, exampleConnectionKey } from './connection-examples.ts';

export const createConnectionDocuments: OperationDocumentation<typeof createConnectionOperation> = {
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
};

export const listConnectionsDocuments: OperationDocumentation<typeof listConnectionsOperation> = {
  answer: describedPage(pageSchema(connectionSchema)),
  tag: 'Connections',
  summary: 'List connections',
  description: 'Ordered by id, with their keys as in a single connection.',
  example: {
    query: { limit: 25 },
    answer: { items: [{ ...exampleConnection, version: 2, keys: [exampleConnectionKey] }], cursor: null },
  },
};

export const getConnectionDocuments: OperationDocumentation<typeof getConnectionOperation> = {
  answer: connectionSchema,
  tag: 'Connections',
  summary: 'Read a connection',
  description:
    'Its keys, newest first; includes the ten that were most recently revoked or expired, for 30 days. A key never includes its token.',
  example: { answer: { ...exampleConnection, version: 2, keys: [exampleConnectionKey] } },
};

export const updateConnectionDocuments: OperationDocumentation<typeof updateConnectionOperation> = {
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
};

export const deleteConnectionDocuments: OperationDocumentation<typeof deleteConnectionOperation> = {
  answer: deletionSchema,
  tag: 'Connections',
  summary: 'Delete a connection',
  description:
    'Its tokens stop working immediately. Its history stays. The users of a directory stay too, with their status and their roles; what the directory said of them is deleted.',
  example: { answer: { changed: true, complete: true } },
};

describeMembers([connectionSchema.entries, createConnectionOperation.body.entries], {
  kind: 'What the connection is for: `evaluate` asks whether users may enter applications and hold roles; `scim` is a directory that creates users, changes them and assigns roles to its groups.',
});
describeMembers(
  [connectionSchema.entries, createConnectionOperation.body.entries, updateConnectionOperation.body.entries],
  {
    applications:
      'The applications that it may ask about, or whose roles it may assign. Only a directory may have none.',
    groupRoles:
      'For a directory: which groups assign which roles, in applications of the connection. Empty for other kinds.',
  },
);
describeMembers(connectionSchema.entries, { keys: 'Its keys, newest first.' });
