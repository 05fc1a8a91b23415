import { changedSchema, deletionSchema, pageSchema } from './answers.ts';
import { describedPage } from './answers-documents.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleRole } from './examples.ts';
import type { roleManageOperations } from './role.ts';
import { roleSchema } from './role-answers.ts';

export const roleDocuments: DocumentsOf<typeof roleManageOperations> = {
  'list-roles': {
    answer: describedPage(pageSchema(roleSchema)),
    opensPage: true,
    tag: 'Roles',
    summary: 'List the roles of an application',
    description: 'Ordered by name.',
    example: { query: { limit: 25 }, answer: { items: [exampleRole], cursor: null } },
  },
  'define-role': {
    answer: changedSchema(roleSchema),
    tag: 'Roles',
    summary: 'Define or describe a role',
    description:
      '201 if it is new, 200 if it already existed. A deleted role that is defined again starts without members: its deletion is completed first, which can take some seconds.',
    example: { body: { description: 'May change invoices' }, answer: { ...exampleRole, changed: true } },
  },
  'get-role': {
    answer: roleSchema,
    tag: 'Roles',
    summary: 'Read a role',
    example: { answer: exampleRole },
  },
  'delete-role': {
    answer: deletionSchema,
    tag: 'Roles',
    summary: 'Delete a role',
    description:
      'Refused while users hold it, unless `?force=true`, which revokes it from all users. Succeeds if the role does not exist. Takes about ten seconds, until no earlier request can still assign the role.',
    example: { query: { force: 'true' }, answer: { changed: true, complete: true } },
  },
};
