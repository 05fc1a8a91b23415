import { type accessListsManageOperations, listApplicationUsersOperation } from './access-lists.ts';
import { applicationUserSchema, userAccessSchema } from './access-lists-answers.ts';
import { narrowedPageSchema, pageSchema } from './answers.ts';
import { describedPage } from './answers-documents.ts';
import { bulkOutcomesSchema } from './bulk-answers.ts';
import { bulkDescription, exampleOutcomes } from './bulk-documents.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleAccess, exampleSetBy, exampleUser } from './examples.ts';

export const accessListsDocuments: DocumentsOf<typeof accessListsManageOperations> = {
  'list-application-users': {
    answer: describedPage(pageSchema(applicationUserSchema)),
    opensPage: true,
    tag: 'Access',
    summary: 'List the users of an application',
    description:
      'Users with an explicit status or a role in it, ordered by id. With `effectiveStatus` or `decidedBy`, all users by effective status, including those for whom nothing was ever set. Such a page examines a bounded number of users, so it may be short or empty and still have a cursor. `q` searches all users as `GET /users` does, in its order, and shows their effective access. None of these three can be combined with `status`, which filters by the stored setting.',
    example: {
      query: { effectiveStatus: 'disabled', limit: 25 },
      answer: {
        items: [
          {
            ...exampleAccess.disabled,
            displayName: 'Ada King',
            email: exampleUser.email,
            statusSetBy: exampleSetBy,
            userStatusSetBy: null,
          },
        ],
        cursor: null,
      },
    },
  },
  'set-access-in-bulk': {
    answer: bulkOutcomesSchema,
    tag: 'Access',
    summary: 'Set the status of many users',
    description: bulkDescription,
    example: {
      body: { userIds: ['ada', 'grace'], status: 'disabled', reason: 'contract ended' },
      answer: { items: exampleOutcomes },
    },
  },
  'list-user-access': {
    answer: describedPage(narrowedPageSchema(userAccessSchema)),
    opensPage: true,
    tag: 'Access',
    summary: "List a user's access in every application",
    description: 'Every application, ordered by id, including those where nothing was ever set.',
    example: {
      query: { limit: 25 },
      answer: {
        items: [
          {
            ...exampleAccess.disabled,
            appName: 'Billing and invoices',
            rolloutPercent: 100,
            requireReason: null,
            statusSetBy: exampleSetBy,
          },
        ],
        cursor: null,
      },
    },
  },
};

describeMembers(userAccessSchema.entries, {
  appName: 'The name of the application for people.',
  rolloutPercent: 'The percentage of users without an explicit status who have access.',
  requireReason: 'Whose changes in the application require a reason, by its own setting.',
});
describeMembers([userAccessSchema.entries, applicationUserSchema.entries], {
  statusSetBy: 'Who set the status in the application; `null` if it was never set.',
});
describeMembers(applicationUserSchema.entries, {
  userStatusSetBy: 'Who made the user inactive; `null` for an active user.',
});
describeMembers(listApplicationUsersOperation.query.entries, {
  status: 'Only users with this stored status.',
  effectiveStatus: 'Only users with this effective status.',
  decidedBy: 'Only users whose access is decided by this.',
  q: 'Only users with words that begin like these, in any order.',
});
