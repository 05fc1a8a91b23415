import { changedSchema, deletionSchema, narrowedPageSchema } from './answers.ts';
import { describedPage } from './answers-documents.ts';
import type {
  createApplicationOperation,
  deleteApplicationOperation,
  getApplicationOperation,
  listApplicationsOperation,
  updateApplicationOperation,
} from './application.ts';
import { applicationSchema } from './application-answers.ts';
import { describeMembers } from './descriptions.ts';
import type { OperationDocumentation } from './documentation.ts';
import { exampleApplication, exampleTime } from './examples.ts';

export const createApplicationDocuments: OperationDocumentation<typeof createApplicationOperation> = {
  answer: applicationSchema,
  tag: 'Applications',
  summary: 'Create an application',
  description:
    'The new application has no keys or roles, and every user has access unless `rolloutPercent` is set. An id cannot be reused, even after its application is deleted.',
  example: { body: { appId: 'billing', name: 'Billing' }, answer: exampleApplication },
};

export const listApplicationsDocuments: OperationDocumentation<typeof listApplicationsOperation> = {
  answer: describedPage(narrowedPageSchema(applicationSchema)),
  opensPage: true,
  tag: 'Applications',
  summary: 'List applications',
  description: 'Ordered by id.',
  example: { query: { limit: 25 }, answer: { items: [exampleApplication], cursor: null } },
};

export const getApplicationDocuments: OperationDocumentation<typeof getApplicationOperation> = {
  answer: applicationSchema,
  opensPage: true,
  tag: 'Applications',
  summary: 'Read an application',
  example: { answer: exampleApplication },
};

export const updateApplicationDocuments: OperationDocumentation<typeof updateApplicationOperation> = {
  answer: changedSchema(applicationSchema),
  tag: 'Applications',
  summary: 'Change the settings of an application',
  description: 'Omitted members keep their values.',
  example: {
    body: { name: 'Billing and invoices' },
    answer: { ...exampleApplication, name: 'Billing and invoices', version: 2, updatedAt: exampleTime, changed: true },
  },
};

export const deleteApplicationDocuments: OperationDocumentation<typeof deleteApplicationOperation> = {
  answer: deletionSchema,
  tag: 'Applications',
  summary: 'Delete an application',
  description:
    'Its keys are refused immediately; then its accesses, roles and keys are deleted. Refused while users hold roles or explicit access in it, unless `?force=true`. Succeeds if the application does not exist.',
  example: { query: { force: 'true' }, answer: { changed: true, complete: true } },
};

describeMembers(applicationSchema.entries, {
  reviewedAt: 'When its access was last marked as reviewed; `null` if it never was.',
  reviewDueAt: 'When the next review of its access is due; `null` if no reviews are expected.',
});
