import { type accessManageOperations, type accessServiceOperations, setAccessBodySchema } from './access.ts';
import { accessSchema, changedAccessSchema } from './access-answers.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleAccess, exampleChanged } from './examples.ts';

export const accessDocuments: DocumentsOf<typeof accessServiceOperations & typeof accessManageOperations> = {
  'get-access': {
    answer: accessSchema,
    table: { reads: ['user'] },
    settings: ['keyStateCacheSeconds'],
    tag: 'Service API',
    summary: 'Read the access of a user',
    description:
      'May this user enter the application, and with which roles? The read is strongly consistent: it includes every completed change. Obey `effectiveStatus`, which includes the global status of the user.',
    example: { answer: exampleAccess.untouched },
  },
  'set-access': {
    answer: changedAccessSchema,
    table: {
      reads: ['user'],
      writes: { PutItem: ['nonce', 'user', 'accessEntry', 'feed'], UpdateItem: ['user'] },
    },
    settings: ['changeRetentionDays', 'requireReason'],
    tag: 'Service API',
    summary: 'Enable or disable a user',
    description:
      'Sets the complete setting: omitted members are cleared. Roles, the user and other applications do not change. A block can expire at `until`, at most 5 years ahead.',
    example: {
      body: { status: 'disabled', reason: 'left the team', ticket: 'INC-1234', until: '2027-01-31T12:00:00Z' },
      answer: { ...exampleAccess.disabled, ...exampleChanged },
    },
  },
  'set-user-access': {
    answer: changedAccessSchema,
    tag: 'Access',
    summary: 'Enable or disable a user in an application',
    description:
      'Like `PUT /api/service/users/{userId}/access`: omitted members are cleared, and the roles do not change.',
    example: { body: { status: 'enabled' }, answer: { ...exampleAccess.enabled, ...exampleChanged } },
  },
};

describeMembers(accessSchema.entries, {
  status: 'The status that was set for this user in this application, or the default `enabled`.',
  explicit: 'Whether the status was ever set.',
  userStatus: "The user's global status.",
  effectiveStatus: 'The effective status now, which the application must obey.',
  decidedBy:
    'What decided the effective status: `user` (the user is inactive), `explicit` (the status that was set), `lapsed` (a block that has expired), `rollout` (no status was set, and the rollout percentage of the application decides), `default` (no status was set).',
  roles: 'The roles that the user holds now, ordered by name. Expired grants are not listed.',
  updatedAt: 'When it last changed; `null` if it never did.',
});
describeMembers(accessSchema.entries.roles.item.entries, {
  name: 'The role.',
  expiresAt: 'When the grant expires; `null` for never.',
});
describeMembers(setAccessBodySchema.entries, {
  status: 'The new status.',
});
