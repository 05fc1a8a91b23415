import { changedAccessSchema } from './access-answers.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleAccess, exampleChanged } from './examples.ts';
import {
  assignRoleBodySchema,
  assignUserRoleOperation,
  type grantManageOperations,
  type grantServiceOperations,
  revokeRoleOperation,
} from './grant.ts';

export const grantDocuments: DocumentsOf<typeof grantServiceOperations & typeof grantManageOperations> = {
  'assign-role': {
    answer: changedAccessSchema,
    table: {
      reads: ['user'],
      // Members are deleted whose grants have expired.
      writes: {
        PutItem: ['nonce', 'user', 'accessEntry', 'member', 'feed'],
        UpdateItem: ['user'],
        DeleteItem: ['member'],
      },
    },
    settings: ['changeRetentionDays', 'requireReason'],
    tag: 'Service API',
    summary: 'Assign a role to a user',
    description:
      'The role must be defined in the application. Assigning it again with another `expiresAt` replaces the expiry.',
    example: {
      body: { role: 'editor', expiresAt: '2027-06-30T22:00:00Z' },
      answer: { ...exampleAccess.assigned, ...exampleChanged },
    },
  },
  'revoke-role': {
    answer: changedAccessSchema,
    table: {
      reads: ['user'],
      writes: { PutItem: ['nonce', 'user', 'feed'], UpdateItem: ['user'], DeleteItem: ['member'] },
    },
    settings: ['changeRetentionDays', 'requireReason'],
    tag: 'Service API',
    summary: 'Revoke a role from a user',
    description:
      'Succeeds if the user does not hold the role. The role goes into the body, or into the query for clients and proxies that drop the body of a DELETE; both must agree. The reason and the ticket go into the body only.',
    example: { body: { role: 'editor' }, answer: { ...exampleAccess.revoked, ...exampleChanged } },
  },
  'assign-user-role': {
    answer: changedAccessSchema,
    tag: 'Access',
    summary: 'Assign a role to a user in an application',
    description: 'Without a body the grant does not expire.',
    example: {
      body: { expiresAt: null, reason: 'covers for Grace', ticket: 'INC-1234' },
      answer: { ...exampleAccess.reassigned, ...exampleChanged },
    },
  },
  'revoke-user-role': {
    answer: changedAccessSchema,
    tag: 'Access',
    summary: 'Revoke a role from a user in an application',
    description: 'Succeeds if the user does not hold the role.',
    example: { answer: { ...exampleAccess.revokedAgain, ...exampleChanged } },
  },
};

describeMembers([assignRoleBodySchema.entries, assignUserRoleOperation.body.wrapped.entries], {
  expiresAt: 'When the grant expires; `null` for never.',
});
describeMembers(revokeRoleOperation.query.entries, {
  role: 'The role, for clients and proxies that drop the body of a DELETE.',
});
