import { changedSchema, narrowedPageSchema, pageSchema } from './answers.ts';
import { describedPage } from './answers-documents.ts';
import {
  type apiKeyManageOperations,
  defaultKeyLifetimeDays,
  defaultKeyScopes,
  issueKeyOperation,
  listAllKeysOperation,
  rotateKeyBodySchema,
  updateKeyBodySchema,
} from './api-key.ts';
import { issuedKeySchema, keyEntries, keyIssuerSchema, keySchema, listedKeySchema } from './api-key-answers.ts';
import { describeMembers } from './descriptions.ts';
import type { DocumentsOf } from './documentation.ts';
import { exampleKey, exampleRelabelledKey, exampleTime } from './examples.ts';

/** Of the expiry of a new key. */
export const keyExpiryDescription = `When the key expires; \`null\` for never. Default: in ${defaultKeyLifetimeDays} days.`;

const rotatedKeyId = 'svk_k1_billing_01KB407XWJ2P4S6V8Y0A1C3E5G';

export const apiKeyDocuments: DocumentsOf<typeof apiKeyManageOperations> = {
  'issue-key': {
    answer: issuedKeySchema,
    tag: 'API keys',
    summary: 'Issue an API key',
    description: `Only this answer contains the secret. Without a body the key has the scope \`${defaultKeyScopes}\`, and expires after ${defaultKeyLifetimeDays} days.`,
    example: {
      body: { label: exampleKey.label, scopes: [...exampleKey.scopes], expiresAt: exampleKey.expiresAt },
      answer: { ...exampleKey, secret: 'svs_shown-only-once-and-never-again-00000000000' },
    },
  },
  'list-keys': {
    answer: describedPage(pageSchema(keySchema)),
    opensPage: true,
    tag: 'API keys',
    summary: 'List the API keys of an application',
    description: 'Includes the ten keys that were most recently revoked or expired, for 30 days.',
    example: { query: { limit: 25 }, answer: { items: [exampleKey], cursor: null } },
  },
  'list-all-keys': {
    answer: describedPage(narrowedPageSchema(listedKeySchema)),
    tag: 'API keys',
    summary: 'List the API keys of all applications',
    description:
      'Ordered by application, the newest key first. A key must match all filters. One request reads a limited number of applications, so a page may be short or empty and still have a cursor.',
    example: {
      query: { state: 'active', limit: 25 },
      answer: { items: [{ ...exampleKey, appId: 'billing', applicationName: 'Billing and invoices' }], cursor: null },
    },
  },
  'update-key': {
    answer: changedSchema(keySchema),
    tag: 'API keys',
    summary: 'Label an API key',
    description: 'The key itself does not change. `null` removes the label.',
    example: {
      body: { label: exampleRelabelledKey.label },
      answer: { ...exampleRelabelledKey, lastUsedOn: '2026-11-20', changed: true },
    },
  },
  'revoke-key': {
    answer: changedSchema(keySchema),
    tag: 'API keys',
    summary: 'Revoke an API key',
    description: 'Takes effect immediately: every request reads the state of its key.',
    example: {
      answer: {
        ...exampleRelabelledKey,
        expiresAt: '2026-11-21T19:14:11.123Z',
        revokedAt: exampleTime,
        lastUsedOn: '2026-11-20',
        replacedBy: rotatedKeyId,
        changed: true,
      },
    },
  },
  'rotate-key': {
    answer: issuedKeySchema,
    tag: 'API keys',
    summary: 'Replace an API key',
    description:
      'Issues a key with the same scopes, the same label and, unless `expiresAt` is set, the lifetime with which the old key was issued, counted from now. The old key stays valid for the overlap. Afterwards both keys name each other, in `replaces` and `replacedBy`.',
    example: {
      body: { overlap: 'PT24H' },
      answer: {
        ...exampleRelabelledKey,
        keyId: rotatedKeyId,
        createdAt: exampleTime,
        replaces: exampleKey.keyId,
        secret: 'svs_another-one-shown-only-once-000000000000000',
      },
    },
  },
};

describeMembers(keyIssuerSchema.entries, {
  via: 'How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API.',
  id: "The IAM ARN, or the token's `sub`, which only its issuer vouches for.",
  email: "The e-mail address of the operator's token; `null` if it had none.",
});
describeMembers(listedKeySchema.entries, {
  applicationName: 'The name of the application for people.',
});
describeMembers(listAllKeysOperation.query.entries, {
  state: 'Only valid keys (`active`), or only revoked and expired keys (`ended`).',
  endsWithin: 'Only active keys that expire within this time, such as `P30D`, without those that a rotation replaced.',
  unusedFor: 'Only keys that were neither issued nor used within this time, such as `P30D`. Use is recorded by day.',
});
describeMembers(updateKeyBodySchema.entries, {
  label: 'The name of the key for people; `null` removes it.',
});
describeMembers(keyEntries, {
  issuedBy: 'Who issued or rotated it; `null` if no operator did.',
  createdAt: 'When it was created.',
  expiresAt: 'When the key expires; `null` for never.',
  revokedAt: 'When the key was revoked; `null` if it was not.',
  lastUsedOn: 'The day on which it was last used; `null` if it never was.',
  replaces: 'The key that a rotation replaced with this one; `null` if it was not issued by a rotation.',
  replacedBy: 'The key that replaced this one in its latest rotation; `null` if it was not rotated.',
});
describeMembers(keySchema.entries, { scopes: 'The scopes of the key.' });
describeMembers(issuedKeySchema.entries, {
  secret: 'The secret that signs requests. No later answer contains it.',
});
describeMembers(issueKeyOperation.body.wrapped.entries, {
  scopes: `The scopes of the key. Default: \`${defaultKeyScopes}\`.`,
  expiresAt: keyExpiryDescription,
});
describeMembers(rotateKeyBodySchema.entries, {
  expiresAt:
    'When the new key expires; `null` for never. By default it gets the lifetime with which the old key was issued.',
  avoidRoot:
    'A root version from which the new key must not be derived, such as one that leaked. Refused while it is still the newest.',
  overlap: 'How long the old key stays valid, from `PT0S` to 30 days, in days, hours, minutes and seconds.',
});
