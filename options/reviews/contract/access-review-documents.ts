import { describedPage } from '#shared/contract/answers-documents.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import {
  exampleAccess,
  exampleApplication,
  exampleSetBy,
  exampleTime,
  exampleUser,
} from '#shared/contract/examples.ts';
import { type listAccessReviewOperation, reviewApplicationOperation } from './access-review.ts';
import {
  accessReviewSchema,
  heldRoleSchema,
  reviewCounts,
  reviewedApplicationSchema,
  reviewedUserSchema,
} from './access-review-answers.ts';
import { maxListAgeDays } from './review-limits.ts';

export const listAccessReviewDocuments: OperationDocumentation<typeof listAccessReviewOperation> = {
  answer: accessReviewSchema,
  tag: 'Access review',
  summary: 'List who holds what in an application',
  description:
    'Users with an explicit status or a role in it, ordered by id: since when, by whom, until when, and the last change of their access. All other users are decided by the rollout of the application. The list is strongly consistent. A page examines a bounded number of users and roles, so it may be short or empty and still have a cursor. Keep `asOf` of the first page, to mark the list as reviewed.',
  example: {
    query: { limit: 25 },
    answer: {
      asOf: exampleTime,
      lastReview: null,
      items: [
        {
          ...exampleAccess.disabled,
          displayName: 'Ada King',
          email: exampleUser.email,
          roles: [
            {
              name: 'editor',
              expiresAt: '2027-06-30T22:00:00.000Z',
              grantedAt: exampleTime,
              grantedBy: { ...exampleSetBy, reason: null, ticket: null },
            },
          ],
          statusSetBy: exampleSetBy,
          userStatusSetBy: null,
          lastChange: exampleSetBy,
        },
      ],
      cursor: null,
    },
  },
};

export const reviewApplicationDocuments: OperationDocumentation<typeof reviewApplicationOperation> = {
  answer: reviewedApplicationSchema,
  tag: 'Access review',
  summary: 'Mark the access of an application as reviewed',
  description: `Records that somebody has reviewed the list as it was at \`asOf\`, at most ${maxListAgeDays} days ago. Changes since then do not prevent it: they are counted in \`laterChanges\`, in the answer and in the record, and belong to the next review.`,
  example: {
    body: { asOf: exampleTime, reason: 'quarterly review', ticket: 'AUD-7' },
    answer: {
      ...exampleApplication,
      name: 'Billing and invoices',
      reviewedAt: exampleTime,
      version: 4,
      updatedAt: exampleTime,
      laterChanges: 0,
    },
  },
};

describeMembers(reviewApplicationOperation.body.entries, {
  asOf: 'When the list was read that was reviewed: `asOf` of its first page.',
});
describeMembers(reviewCounts, {
  asOf: 'When the list was read that was reviewed.',
  laterChanges:
    'How many changes of access and roles came after the list was read and before it was marked as reviewed; at most 10,000 are counted.',
});
describeMembers(describedPage(accessReviewSchema).entries, {
  asOf: 'When the page was read.',
  lastReview: 'The last review of the application; `null` if there was none.',
});
describeMembers(heldRoleSchema.entries, {
  name: 'The role.',
  expiresAt: 'When the grant expires; `null` for never.',
  grantedAt: 'When the role was last assigned; another expiry counts as assigning it again.',
  grantedBy: 'Who assigned it; `null` for a grant that was made before this was recorded.',
});
describeMembers(reviewedUserSchema.entries, {
  roles: 'The roles that the user holds now, ordered by name. Expired grants are not listed.',
  statusSetBy: 'Who set the status in the application; `null` if it was never set.',
  userStatusSetBy: 'Who made the user inactive; `null` for an active user.',
  lastChange: 'The last change of the access in the application, whatever it changed.',
});
