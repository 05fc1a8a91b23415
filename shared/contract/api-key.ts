import * as v from 'valibot';
import { type Answer, type ChangedOf, changedSchema, extendedSchema, type PageOf, pageSchema } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleKey, exampleTime } from './examples.ts';
import { answers, durationSchema, keyIdSchema, pageQuerySchema, timestampSchema } from './fields.ts';
import { type ManageOperation, type Scope, scopes } from './operation.ts';

/** API keys of one application that are neither revoked nor expired. */
export const maxKeysPerApplication = 10;

/** How long a rotated key can go on beside the new one. */
const maxKeyOverlapDays = 30;

const keySchema = /* @__PURE__ */ (() =>
  v.object({
    keyId: keyIdSchema,
    scopes: v.array(v.picklist(scopes)),
    createdAt: timestampSchema,
    expiresAt: v.nullable(timestampSchema),
    revokedAt: v.nullable(timestampSchema),
    lastUsedOn: v.nullable(v.pipe(v.string(), v.isoDate())),
  }))();
export type KeyView = Answer<typeof keySchema>;

/** The answer to issuing or rotating a key, and the only one that ever shows its secret. */
const issuedKeySchema = /* @__PURE__ */ (() => extendedSchema(keySchema, { secret: v.string() }))();
export type IssuedKeyView = Answer<typeof issuedKeySchema>;

/** By default a key has all scopes and never expires. */
const issueKeyBodySchema = v.optional(
  v.strictObject({
    scopes: v.optional(
      v.pipe(
        v.array(v.picklist(scopes, `must be one of ${scopes.join(', ')}`), 'must be a list'),
        v.minLength(1, 'must name at least one scope'),
        v.transform((named): readonly Scope[] => scopes.filter((scope) => named.includes(scope))),
      ),
      [...scopes],
    ),
    expiresAt: v.nullish(timestampSchema, null),
  }),
  {},
);

export const issueKeyOperation = {
  name: 'issue-key',
  method: 'POST',
  path: '/api/manage/applications/{appId}/keys',
  role: 'admin',
  body: issueKeyBodySchema,
  answer: answers<typeof issuedKeySchema>(),
  statuses: [201],
  errors: ['application_not_found', 'too_many_keys'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(issueKeyOperation, () => ({
  answer: issuedKeySchema,
  tag: 'API keys',
  summary: 'Issue an API key',
  description:
    'The secret is in this answer and in no later one. Without a body the key may do everything and never expires.',
  example: {
    body: { scopes: [...scopes], expiresAt: null },
    answer: { ...exampleKey, secret: 'svs_shown-only-once-and-never-again-00000000000' },
  },
}));

export const listKeysOperation = {
  name: 'list-keys',
  method: 'GET',
  path: '/api/manage/applications/{appId}/keys',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof keySchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listKeysOperation, () => ({
  answer: pageSchema(keySchema),
  tag: 'API keys',
  summary: 'List the API keys of an application',
  description: 'Those that were revoked or expired over 30 days ago are left out.',
  example: { query: { limit: 25 }, answer: { items: [exampleKey], cursor: null } },
}));

export const revokeKeyOperation = {
  name: 'revoke-key',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}/keys/{keyId}',
  role: 'admin',
  answer: answers<ChangedOf<typeof keySchema>>(),
  errors: ['application_not_found', 'key_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(revokeKeyOperation, () => ({
  answer: changedSchema(keySchema),
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'At once: the state of a key is read with every request.',
  example: {
    answer: {
      ...exampleKey,
      expiresAt: '2026-11-21T19:14:11.123Z',
      revokedAt: exampleTime,
      lastUsedOn: '2026-11-20',
      changed: true,
    },
  },
}));

/** How long the old key stays valid, from `PT0S` to 30 days; and the end of the new one, by default after the old one's lifetime. */
const rotateKeyBodySchema = v.strictObject({
  overlap: v.pipe(durationSchema, v.maxValue(maxKeyOverlapDays * 86_400, `must be at most ${maxKeyOverlapDays} days`)),
  expiresAt: v.optional(v.nullable(timestampSchema)),
});

export const rotateKeyOperation = {
  name: 'rotate-key',
  method: 'POST',
  path: '/api/manage/applications/{appId}/keys/{keyId}/rotate',
  role: 'admin',
  body: rotateKeyBodySchema,
  answer: answers<typeof issuedKeySchema>(),
  statuses: [201],
  errors: ['application_not_found', 'key_not_found', 'too_many_keys'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(rotateKeyOperation, () => ({
  answer: issuedKeySchema,
  tag: 'API keys',
  summary: 'Replace an API key',
  description:
    'Issues a key with the same scopes and, unless `expiresAt` says otherwise, with the lifetime that the old one was issued with, counted from now. The old one stays valid for the overlap.',
  example: {
    body: { overlap: 'PT24H' },
    answer: {
      ...exampleKey,
      keyId: 'svk_k1_billing_01KB407XWJ2P4S6V8Y0A1C3E5G',
      createdAt: exampleTime,
      secret: 'svs_another-one-shown-only-once-000000000000000',
    },
  },
}));

/* @__PURE__ */ describeMembers(() => keySchema.entries, {
  scopes: 'What the key may do.',
  createdAt: 'When it was created.',
  expiresAt: 'When it ends by itself; `null` is never.',
  revokedAt: 'When the key was revoked; `null` is never.',
  lastUsedOn: 'The day of its last use; `null` is never.',
});
/* @__PURE__ */ describeMembers(() => issuedKeySchema.entries, {
  secret: 'What requests are signed with. It is in this answer and in no later one.',
});
/* @__PURE__ */ describeMembers(() => issueKeyBodySchema.wrapped.entries, {
  scopes: 'What the key may do.',
  expiresAt: 'When it ends by itself; `null` is never.',
});
/* @__PURE__ */ describeMembers(() => rotateKeyBodySchema.entries, {
  expiresAt:
    'When the new key ends by itself; `null` is never. Left out, it gets the lifetime that the old one was issued with.',
  overlap: 'How long the old key stays valid, from `PT0S` to 30 days, in days, hours, minutes and seconds.',
});
