import { deletionSchema, narrowedPageSchema } from './answers.ts';
import { describedPage } from './answers-documents.ts';
import type { applicationManageOperations } from './application.ts';
import { applicationSchema, changedApplicationSchema } from './application-answers.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleApplication, exampleChanged, exampleTime } from './examples.ts';

export const applicationDocuments: DocumentsOf<typeof applicationManageOperations> = {
  'create-application': {
    answer: applicationSchema,
    tag: 'Applications',
    summary: 'Create an application',
    description:
      'The new application has no keys or roles, and every user has access unless `rolloutPercent` is set. An id cannot be reused, even after its application is deleted.',
    example: { body: { appId: 'billing', name: 'Billing' }, answer: exampleApplication },
  },
  'list-applications': {
    answer: describedPage(narrowedPageSchema(applicationSchema)),
    opensPage: true,
    tag: 'Applications',
    summary: 'List applications',
    description: 'Ordered by id.',
    example: { query: { limit: 25 }, answer: { items: [exampleApplication], cursor: null } },
  },
  'get-application': {
    answer: applicationSchema,
    opensPage: true,
    tag: 'Applications',
    summary: 'Read an application',
    example: { answer: exampleApplication },
  },
  'update-application': {
    answer: changedApplicationSchema,
    tag: 'Applications',
    summary: 'Change the settings of an application',
    description:
      'Omitted members keep their values. A change of `rolloutPercent` is a change of access: it needs a `reason` where reasons are required.',
    example: {
      body: { name: 'Billing and invoices' },
      answer: {
        ...exampleApplication,
        name: 'Billing and invoices',
        version: 2,
        updatedAt: exampleTime,
        ...exampleChanged,
      },
    },
  },
  'undo-application-change': {
    answer: changedApplicationSchema,
    tag: 'History',
    summary: "Undo a change of an application's settings",
    description:
      'Restores the settings before the change, such as the rollout, unless they have been changed since: `version_mismatch`. Undoing is itself a change, so it can be undone too.',
    example: {
      query: { dryRun: 'true' },
      answer: { ...exampleApplication, version: 3, updatedAt: exampleTime, ...exampleChanged },
    },
  },
  'delete-application': {
    answer: deletionSchema,
    tag: 'Applications',
    summary: 'Delete an application',
    description:
      'Its keys are refused immediately; then its accesses, roles and keys are deleted. Refused while users hold roles or explicit access in it, unless `?force=true`. Succeeds if the application does not exist.',
    example: { query: { force: 'true' }, answer: { changed: true, complete: true } },
  },
};

describeMembers(applicationSchema.entries, {
  reviewedAt: 'When its access was last marked as reviewed; `null` if it never was.',
  reviewDueAt: 'When the next review of its access is due; `null` if no reviews are expected.',
});
