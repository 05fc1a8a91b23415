import { applicationChangePageSchema, changePageSchema, narrowedChangePageSchema } from './change-schemas.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleChange, exampleChangeView, exampleCursor } from './examples.ts';
import {
  type historyManageOperations,
  type historyServiceOperations,
  listAllChangesOperation,
  listApplicationChangesOperation,
  listChangesOperation,
  listUserChangesOperation,
  postedChangeSchema,
  verifyChangesOperation,
} from './history.ts';
import { changeVerdictSchema, changeVerdictsSchema } from './history-answers.ts';
import { historyRoots } from './root-purposes.ts';

export const historyDocuments: DocumentsOf<typeof historyServiceOperations & typeof historyManageOperations> = {
  'list-changes': {
    answer: applicationChangePageSchema,
    table: { reads: ['user'], queries: ['feed'] },
    // It signs the changes, and answers the public keys.
    roots: [historyRoots],
    settings: ['changeRetentionDays'],
    tag: 'Service API',
    summary: 'Follow the changes',
    description:
      'The changes that concern the application: changes of the application, of its users in it, and of the global status, erasure and renewed creation of every user. A change is in the answer as soon as it has taken effect. Keep the cursor and send it with the next request: immediately while `more` is true, otherwise at your own interval. The last `pending` changes come again until they have a number, a moment later; of two changes of a user, the one with the higher `id` is the later one. Operators are anonymous, and their addresses are omitted.',
    example: {
      query: { limit: 1 },
      answer: { items: [exampleChange], pending: 0, more: true, cursor: exampleCursor },
    },
  },
  'list-application-changes': {
    answer: changePageSchema,
    opensPage: true,
    tag: 'History',
    summary: 'Read the history of an application',
    description:
      'Changes of the application and of its users in it, newest first. Includes changes since its creation that concern users in every application: global status, erasure, and renewed creation of an erased id. With `?after=` it reads forward from a cursor, or from the beginning if that is empty.',
    example: { query: { limit: 1 }, answer: { items: [exampleChangeView], cursor: exampleCursor } },
  },
  'list-user-changes': {
    answer: narrowedChangePageSchema,
    tag: 'History',
    summary: 'Read the history of a user',
    description: 'Newest first.',
    example: { query: { limit: 1 }, answer: { items: [exampleChangeView], cursor: exampleCursor } },
  },
  'verify-changes': {
    answer: changeVerdictsSchema,
    tag: 'History',
    summary: 'Verify changes of an export',
    description:
      'Checks whether up to 100 changes from exports or events, complete or redacted, are as the service wrote them. Reads no stored data. A gap between two changes shows in `integrity.previous`, which `auth-service history verify` follows.',
    example: {
      body: { changes: [exampleChange] },
      answer: { items: [{ id: exampleChange.id, verdict: 'without-mac' }] },
    },
  },
  'list-all-changes': {
    answer: narrowedChangePageSchema,
    tag: 'History',
    summary: 'Read the global history',
    description:
      'All changes, newest first, including erasures of users. New changes appear within seconds. A page examines a bounded number of changes, so with a filter it may be short or empty and still have a cursor.',
    example: {
      query: { action: 'access.changed,user.status.changed', actor: 'billing' },
      answer: { items: [exampleChangeView], cursor: null },
    },
  },
};

describeMembers(postedChangeSchema.pipe[0].entries, {
  id: 'A ULID. All deliveries of the same change have the same id.',
  integrity: 'Required to verify the change. The feed of an application does not contain it.',
});
describeMembers(verifyChangesOperation.body.entries, {
  changes: 'The changes, with all of their members, in any order.',
});
describeMembers(changeVerdictsSchema.entries, {
  items: 'One verdict per change, in the order of the request.',
});
describeMembers(changeVerdictSchema.entries, {
  id: 'The id of the change, as in the request.',
  verdict:
    '`unchanged`: as the service wrote it. `changed`: altered. `without-mac`: cannot be verified, because it has no `integrity`. `unknown-root`: the service does not have the root of its key, or no longer has it.',
});

describeMembers(listUserChangesOperation.query.entries, {
  appId: 'Only the changes in this application. Default: all.',
});
describeMembers(listChangesOperation.query.entries, {
  actions: 'Only changes of these actions, separated by commas. Default: all.',
  pending:
    '`new`: without the changes that have no number and that an answer before had, if there are more than a page has; `omitted` counts them. Default: `all`.',
});
describeMembers([listChangesOperation.query.entries, listApplicationChangesOperation.query.entries], {
  after: 'The `cursor` of the previous answer, unchanged. Only newer changes follow.',
});
describeMembers(listAllChangesOperation.query.entries, {
  since: 'Only changes from this time on. Default: the entire stored history.',
  until: 'Only changes before this time. Default: now.',
  action: 'Only changes of these actions, separated by commas. Default: all.',
  actor:
    "Only changes by this operator (e-mail address or the part before its `@`, the token's `sub`, IAM ARN or the part after its last `/`) or by this API key (its id or application). Only ids are case-sensitive.",
  appId: 'Only changes in this application, and those that concern users in every application.',
  userId: 'Only changes of this user, even if the user no longer exists.',
  connectionId: 'Only changes of this connection and its keys. Cannot be combined with `appId` or `userId`.',
  bulkId: 'Only changes of this bulk, and those that undid them.',
});
