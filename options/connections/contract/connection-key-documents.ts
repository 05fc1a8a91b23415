import { changedSchema } from '#shared/contract/answers.ts';
import { maxKeysPerOwner } from '#shared/contract/api-key.ts';
import { keyExpiryDescription } from '#shared/contract/api-key-documents.ts';
import { describeMembers } from '#shared/contract/descriptions.ts';
import type { OperationDocumentation } from '#shared/contract/documentation.ts';
import { exampleTime } from '#shared/contract/examples.ts';
import {
  exampleConnectionKey,
  exampleRelabelledConnectionKey,
  exampleRotatedConnectionKey,
} from './connection-examples.ts';
import {
  issueConnectionKeyOperation,
  type revokeConnectionKeyOperation,
  type rotateConnectionKeyOperation,
  type updateConnectionKeyOperation,
} from './connection-key.ts';
import { connectionKeySchema, issuedConnectionKeySchema } from './connection-key-answers.ts';

export const issueConnectionKeyDocuments: OperationDocumentation<typeof issueConnectionKeyOperation> = {
  answer: issuedConnectionKeySchema,
  tag: 'Connections',
  summary: "Issue a connection's key",
  description: `Only this answer contains the bearer token. A connection has at most ${maxKeysPerOwner} unexpired keys.`,
  example: {
    body: { label: 'nginx', expiresAt: null },
    answer: {
      ...exampleConnectionKey,
      token: 'svt_c1_gateway_01KB3Z8Q6V0M5E7R9T1W3Y5A8D_shown-only-once-and-never-again-00000000000',
    },
  },
};

export const updateConnectionKeyDocuments: OperationDocumentation<typeof updateConnectionKeyOperation> = {
  answer: changedSchema(connectionKeySchema),
  tag: 'Connections',
  summary: "Label a connection's key",
  description: 'The key and its token do not change. `null` removes the label.',
  example: {
    body: { label: exampleRelabelledConnectionKey.label },
    answer: { ...exampleRelabelledConnectionKey, changed: true },
  },
};

export const rotateConnectionKeyDocuments: OperationDocumentation<typeof rotateConnectionKeyOperation> = {
  answer: issuedConnectionKeySchema,
  tag: 'Connections',
  summary: "Replace a connection's key",
  description: 'The old token stays valid for the overlap; everything else is as with an API key.',
  example: {
    body: { overlap: 'PT24H' },
    answer: {
      ...exampleRotatedConnectionKey,
      token: 'svt_c1_gateway_01KB407XWJ2P4S6V8Y0A1C3E6H_another-one-shown-only-once-000000000000000',
    },
  },
};

export const revokeConnectionKeyDocuments: OperationDocumentation<typeof revokeConnectionKeyOperation> = {
  answer: changedSchema(connectionKeySchema),
  tag: 'Connections',
  summary: "Revoke a connection's key",
  description: 'Takes effect immediately: every request reads the state of its key.',
  example: {
    answer: {
      ...exampleRelabelledConnectionKey,
      expiresAt: '2026-11-21T19:14:11.123Z',
      revokedAt: exampleTime,
      replacedBy: exampleRotatedConnectionKey.keyId,
      changed: true,
    },
  },
};

describeMembers(connectionKeySchema.entries, { scopes: 'The scopes of the key.' });
describeMembers(issuedConnectionKeySchema.entries, {
  token: 'The bearer token. No later answer contains it.',
});
describeMembers(issueConnectionKeyOperation.body.wrapped.entries, {
  scopes:
    'The scopes of the key: `access:read` for whether users may enter, `roles:read` for their roles; of a directory `users:write` for users, `roles:write` for groups that assign roles. Default: all that its kind can have.',
  expiresAt: keyExpiryDescription,
});
