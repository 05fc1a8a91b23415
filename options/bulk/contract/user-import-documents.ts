import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { importedAccessSchema, importedRoleSchema, importedUserSchema, importUsersOperation } from './user-import.ts';
import { importedChangeSchema, importOutcomeSchema, importOutcomesSchema } from './user-import-answers.ts';

export const importUsersDocuments: OperationDocumentation<typeof importUsersOperation> = {
  answer: importOutcomesSchema,
  tag: 'Users',
  summary: 'Import users with their status, accesses and roles',
  description:
    'Up to 100 users. What is left out stays as it is. Each difference is a change of its own, in this order: the user, the status, the accesses, the roles; after a failure the rest of this user is skipped, other users are not affected. With `dryRun` nothing is written, users that would be created count as existing, and all problems of a user are listed: validate a whole file in this way before the first change. Undoing the bulk keeps created users, names and e-mail addresses.',
  example: {
    body: {
      users: [
        {
          userId: 'mary',
          displayName: 'Mary Somerville',
          accesses: [{ appId: 'billing', status: 'disabled', until: '2027-06-30T22:00:00Z' }],
          roles: [{ appId: 'billing', role: 'auditor' }],
        },
      ],
      dryRun: true,
    },
    answer: {
      items: [
        {
          userId: 'mary',
          outcome: 'failed',
          changes: [{ effect: 'created' }, { effect: 'blocked', appId: 'billing' }],
          problems: [
            {
              code: 'role_not_found',
              detail: 'The application has no role "auditor".',
              appId: 'billing',
              role: 'auditor',
            },
          ],
        },
      ],
    },
  },
};

describeMembers(importUsersOperation.body.entries, {
  users: 'The users, each once.',
  create: 'Whether to create the users that do not exist; otherwise they fail.',
  reactivate: 'Whether users who are inactive may be activated; otherwise they fail.',
  unblock: 'Whether users who are disabled in an application may be enabled there; otherwise they fail.',
});
describeMembers(importedUserSchema.entries, {
  status: 'The global status; that of a new user is `active` unless given.',
  accesses: 'The access status in applications, each once.',
  roles: 'The roles in applications, each once.',
});
describeMembers(importedAccessSchema.entries, {
  status: 'The status of the user in the application.',
  until: 'When the block ends; `null` for never. If left out, a block in force keeps its end.',
});
describeMembers(importedRoleSchema.entries, {
  status: 'Whether to assign or revoke the role.',
  expiresAt: 'When the grant expires; `null` for never. If left out, a role that is held keeps its expiry.',
});
describeMembers(importOutcomesSchema.entries, {
  items: 'The outcomes, in the order of the users.',
});
describeMembers(importOutcomeSchema.entries, {
  outcome: 'The outcome for this user.',
  changes: 'What changed or, with `dryRun`, would change.',
  problems: 'Why it failed; only if it failed.',
});
describeMembers(importedChangeSchema.entries, {
  effect: 'The effect on the user.',
});
