import { pageSchema } from './answers.ts';
import { describedPage } from './answers-documents.ts';
import { bulkOutcomesSchema } from './bulk-answers.ts';
import { bulkDescription, exampleOutcomes } from './bulk-documents.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { assignRoleInBulkOperation, type roleMembersManageOperations } from './role-members.ts';
import { memberSchema } from './role-members-answers.ts';

export const roleMembersDocuments: DocumentsOf<typeof roleMembersManageOperations> = {
  'list-members': {
    answer: describedPage(pageSchema(memberSchema)),
    tag: 'Roles',
    summary: 'List the users who hold a role',
    description: 'Ordered by id.',
    example: {
      query: { limit: 25 },
      answer: {
        items: [
          {
            userId: 'ada',
            displayName: 'Ada King',
            email: 'ada@example.org',
            expiresAt: '2027-06-30T22:00:00.000Z',
          },
        ],
        cursor: null,
      },
    },
  },
  'assign-role-in-bulk': {
    answer: bulkOutcomesSchema,
    tag: 'Roles',
    summary: 'Assign a role to many users',
    description: bulkDescription,
    example: { body: { userIds: ['ada', 'grace'], expiresAt: null }, answer: { items: exampleOutcomes } },
  },
  'revoke-role-in-bulk': {
    answer: bulkOutcomesSchema,
    tag: 'Roles',
    summary: 'Revoke a role from many users',
    description: bulkDescription,
    example: {
      body: { userIds: ['ada', 'grace'], reason: 'project ended', ticket: 'INC-1234' },
      answer: { items: exampleOutcomes },
    },
  },
};

describeMembers(memberSchema.entries, {
  expiresAt: 'When the grant expires; `null` for never.',
});
describeMembers(assignRoleInBulkOperation.body.entries, {
  expiresAt: 'When the grants expire; `null` for never.',
});
