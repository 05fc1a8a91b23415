import { type accessCheckServiceOperations, checkAccessOperation } from './access-check.ts';
import { checkedAccessesSchema, unknownUserSchema } from './access-check-answers.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleAccess } from './examples.ts';

export const accessCheckDocuments: DocumentsOf<typeof accessCheckServiceOperations> = {
  'check-access': {
    answer: checkedAccessesSchema,
    table: { reads: ['user'] },
    tag: 'Service API',
    summary: 'Read the access of many users',
    description:
      'Takes up to 100 users and returns one item for each, in the order of the request: the access, as for a single user, or `user_not_found`. Strongly consistent. It changes nothing, so its nonce may be reused.',
    example: {
      body: { userIds: ['ada', 'nobody'] },
      answer: { items: [exampleAccess.untouched, { userId: 'nobody', code: 'user_not_found' }] },
    },
  },
};

describeMembers(checkAccessOperation.body.entries, {
  userIds: 'The users. An invalid user id is treated as a user who does not exist.',
});
describeMembers(checkedAccessesSchema.entries, {
  items: 'One item per user, in the order of the request.',
});
describeMembers(unknownUserSchema.entries, {
  userId: 'The user, by the id that your applications share.',
  code: 'There is no user with this id.',
});
