import { deletionSchema, pageSchema } from './answers.ts';
import { describedPage } from './answers-documents.ts';
import { bulkOutcomesSchema } from './bulk-answers.ts';
import { bulkDescription, exampleOutcomes } from './bulk-documents.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleChanged, exampleTime, exampleUser } from './examples.ts';
import {
  listUsersOperation,
  resolveUsersOperation,
  setUserStatusOperation,
  type userManageOperations,
} from './user.ts';
import {
  changedUserSchema,
  heldInSchema,
  listedUserSchema,
  readUserSchema,
  resolvedNameSchema,
  resolvedNamesSchema,
  userSchema,
} from './user-answers.ts';

export const userDocuments: DocumentsOf<typeof userManageOperations> = {
  'list-users': {
    answer: describedPage(pageSchema(listedUserSchema)),
    opensPage: true,
    tag: 'Users',
    summary: 'List or find users',
    description:
      'Ordered by id. `q` searches by the beginnings of the words of the name, the e-mail address (without its domain) and the id, ignoring case and accents. The words of a name are also found when they are joined (`vandenberg`), and from four letters on by their insides (`homas`), as far as the twelve words of a user suffice. The user with exactly this id comes first, then those with exactly this e-mail address. `q` cannot be combined with `prefix`. With `hasRole` a page examines a bounded number of users, so it may be short or empty and still have a cursor.',
    example: { query: { q: 'ada love', status: 'active', limit: 25 }, answer: { items: [exampleUser], cursor: null } },
  },
  'resolve-users': {
    answer: resolvedNamesSchema,
    tag: 'Users',
    summary: 'Find users by exact ids or e-mail addresses',
    description:
      'Up to 100 names, each a user id or an e-mail address, in whatever case. Ids take precedence: a name is looked up as an e-mail address only if it is not the id of a user. Writes nothing.',
    example: {
      body: { names: ['ADA@example.org', 'grace'] },
      answer: {
        items: [
          {
            name: 'ADA@example.org',
            users: [{ userId: 'ada', displayName: 'Ada Lovelace', email: 'ada@example.org', status: 'active' }],
          },
          { name: 'grace', users: [] },
        ],
      },
    },
  },
  'create-user': {
    answer: userSchema,
    tag: 'Users',
    summary: 'Create a user',
    example: { body: { displayName: 'Ada Lovelace', email: 'ada@example.org' }, answer: exampleUser },
  },
  'get-user': {
    answer: readUserSchema,
    opensPage: true,
    tag: 'Users',
    summary: 'Read a user',
    example: { answer: { ...exampleUser, statusSetBy: null, directory: null } },
  },
  'update-user': {
    answer: changedUserSchema,
    tag: 'Users',
    summary: 'Change the name or e-mail address of a user',
    description: 'Omitted members keep their values, `null` clears one.',
    example: {
      body: { displayName: 'Ada King' },
      answer: { ...exampleUser, displayName: 'Ada King', version: 2, updatedAt: exampleTime, ...exampleChanged },
    },
  },
  'delete-user': {
    answer: deletionSchema,
    tag: 'Users',
    summary: 'Erase a user',
    description:
      'Deletes all accesses, roles and records of the user; only the id is kept, for 30 days. Succeeds if the user does not exist.',
    example: { answer: { changed: true, complete: true } },
  },
  'set-user-status': {
    answer: changedUserSchema,
    tag: 'Users',
    summary: 'Activate or deactivate a user',
    description: 'An inactive user has no access to any application. The settings in the applications do not change.',
    example: {
      body: { status: 'inactive', reason: 'on leave' },
      answer: {
        ...exampleUser,
        status: 'inactive',
        displayName: 'Ada King',
        version: 3,
        updatedAt: exampleTime,
        ...exampleChanged,
      },
    },
  },
  'set-user-status-in-bulk': {
    answer: bulkOutcomesSchema,
    tag: 'Users',
    summary: 'Activate or deactivate many users',
    description: bulkDescription,
    example: {
      body: { userIds: ['ada', 'grace'], status: 'active' },
      answer: { items: exampleOutcomes },
    },
  },
};

describeMembers(resolveUsersOperation.body.entries, { names: 'User ids or e-mail addresses.' });
describeMembers(resolvedNamesSchema.entries, { items: 'One for each name, in the same order.' });
describeMembers(resolvedNameSchema.entries, {
  name: 'As requested.',
  users: 'The matching users: none, one, or up to 10 with this e-mail address.',
});
describeMembers(listUsersOperation.query.entries, {
  prefix: 'Only ids that begin with this.',
  q: 'Only users with words that begin like these, in any order. A word of one character only narrows the results of the others.',
  status: 'Only users with this status.',
  hasRole: 'Only users who hold a role in some application now; with `false`, only users who hold none.',
});
describeMembers(listedUserSchema.entries, {
  roles:
    'With `hasRole=true`: the roles that the user holds now, by application. With roles that are limited to applications, an operator sees those in them.',
});
describeMembers(heldInSchema.entries, {
  name: 'The role.',
  expiresAt: 'When it expires; `null` for never.',
});
describeMembers(readUserSchema.entries, {
  statusSetBy: 'Who set the global status; `null` if it was never set.',
  directory:
    'The connection of the directory that owns the user, even after that directory deleted the user: no other directory can have the user. `null` if none does.',
});
describeMembers(userSchema.entries, {
  status: 'The global status: an inactive user has no access to any application, whatever else is set.',
});
describeMembers(setUserStatusOperation.body.entries, {
  status: 'The new global status: an inactive user has no access to any application, whatever else is set.',
});
