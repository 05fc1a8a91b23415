import * as v from 'valibot';
import {
  type Answer,
  type ChangedOf,
  changedSchema,
  extendedSchema,
  type NarrowedPageOf,
  narrowedPageSchema,
  type PageOf,
  pageSchema,
} from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { documentOperation } from './documentation.ts';
import { exampleKey, exampleRelabelledKey, exampleTime } from './examples.ts';
import {
  answers,
  appIdSchema,
  dryRunQuerySchema,
  durationSchema,
  keyIdSchema,
  pageQuery,
  pageQuerySchema,
  rootVersionSchema,
  timestampSchema,
} from './fields.ts';
import { defaultScopes, type ManageOperation, type Scope, scopes } from './operation.ts';
import { fieldEntries, keyFields } from './resource-fields.ts';

/** Keys of one application or connection that are neither revoked nor expired. */
export const maxKeysPerOwner = 10;

/** How long a rotated key can stay valid beside the new one. */
const maxKeyOverlapDays = 30;

/** Who issued a key, as in its Change. */
const keyIssuerSchema = /* @__PURE__ */ (() =>
  v.object({ via: v.picklist(['iam', 'token']), id: v.string(), email: v.nullable(v.string()) }))();
export type KeyIssuer = Answer<typeof keyIssuerSchema>;

/** What every key has besides its scopes: that of an application, and that of a connection. */
export const keyEntries = /* @__PURE__ */ (() => ({
  keyId: keyIdSchema,
  ...fieldEntries(keyFields, 'shown'),
  createdAt: timestampSchema,
  issuedBy: v.nullable(keyIssuerSchema),
  expiresAt: v.nullable(timestampSchema),
  revokedAt: v.nullable(timestampSchema),
  lastUsedOn: v.nullable(v.pipe(v.string(), v.isoDate())),
  replaces: v.nullable(keyIdSchema),
  replacedBy: v.nullable(keyIdSchema),
}))();

const keySchema = /* @__PURE__ */ (() => v.object({ ...keyEntries, scopes: v.array(v.picklist(scopes)) }))();
/** A key of an application or, with other scopes, of a connection. */
export type KeyView<Scopes extends string = Scope> = Omit<Answer<typeof keySchema>, 'scopes'> & {
  readonly scopes: readonly Scopes[];
};

/** The answer to issuing or rotating a key, the only one that contains its secret. */
const issuedKeySchema = /* @__PURE__ */ (() => extendedSchema(keySchema, { secret: v.string() }))();
export type IssuedKeyView<Scopes extends string = Scope> = KeyView<Scopes> & { readonly secret: string };

/** A choice of scopes, ordered as they are known. */
// @__NO_SIDE_EFFECTS__
export function scopesSchema<const Known extends string>(known: readonly Known[]) {
  return v.pipe(
    v.array(v.picklist(known, `must be one of ${known.join(', ')}`), 'must be a list'),
    v.minLength(1, 'must name at least one scope'),
    v.transform((named): readonly Known[] => known.filter((scope) => named.includes(scope))),
  );
}

/** By default a key can do all that concerns users, and never expires. */
const issueKeyBodySchema = v.optional(
  v.strictObject({
    scopes: v.optional(scopesSchema(scopes), [...defaultScopes]),
    expiresAt: v.nullish(timestampSchema, null),
    ...fieldEntries(keyFields, 'body'),
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
    'Only this answer contains the secret. Without a body the key has all scopes except `webhooks:write`, and never expires.',
  example: {
    body: { label: exampleKey.label, scopes: [...defaultScopes], expiresAt: null },
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
  opensPage: true,
  tag: 'API keys',
  summary: 'List the API keys of an application',
  description: 'Includes the ten keys that were most recently revoked or expired, for 30 days.',
  example: { query: { limit: 25 }, answer: { items: [exampleKey], cursor: null } },
}));

const rotatedKeyId = 'svk_k1_billing_01KB407XWJ2P4S6V8Y0A1C3E5G';

/** A key in the list of all applications. */
const listedKeySchema = /* @__PURE__ */ (() =>
  extendedSchema(keySchema, { appId: appIdSchema, applicationName: v.string() }))();
export type ListedKeyView = Answer<typeof listedKeySchema>;

export const keyStates = ['active', 'ended'] as const;
export type KeyStateName = (typeof keyStates)[number];

const allKeysQuerySchema = v.strictObject({
  ...pageQuery,
  state: v.optional(v.picklist(keyStates, `must be ${keyStates.join(' or ')}`)),
  endsWithin: v.optional(durationSchema),
  unusedFor: v.optional(durationSchema),
});

export const listAllKeysOperation = {
  name: 'list-all-keys',
  method: 'GET',
  path: '/api/manage/keys',
  role: 'viewer',
  forLimited: 'narrowed',
  query: allKeysQuerySchema,
  answer: answers<NarrowedPageOf<typeof listedKeySchema>>(),
  errors: [],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(listAllKeysOperation, () => ({
  answer: narrowedPageSchema(listedKeySchema),
  tag: 'API keys',
  summary: 'List the API keys of all applications',
  description:
    'Ordered by application, the newest key first. A key must match all filters. One request reads a limited number of applications, so a page may be short or empty and still have a cursor.',
  example: {
    query: { state: 'active', limit: 25 },
    answer: { items: [{ ...exampleKey, appId: 'billing', applicationName: 'Billing and invoices' }], cursor: null },
  },
}));

/** The label is required; other omitted fields keep their values. */
export const updateKeyBodySchema = /* @__PURE__ */ (() =>
  v.strictObject({ ...fieldEntries(keyFields, 'patch'), label: v.nullable(keyFields.label.input) }))();

export const updateKeyOperation = {
  name: 'update-key',
  method: 'PATCH',
  path: '/api/manage/applications/{appId}/keys/{keyId}',
  role: 'admin',
  query: dryRunQuerySchema,
  body: updateKeyBodySchema,
  answer: answers<ChangedOf<typeof keySchema>>(),
  errors: ['application_not_found', 'key_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(updateKeyOperation, () => ({
  answer: changedSchema(keySchema),
  tag: 'API keys',
  summary: 'Label an API key',
  description: 'The key itself does not change. `null` removes the label.',
  example: {
    body: { label: exampleRelabelledKey.label },
    answer: { ...exampleRelabelledKey, lastUsedOn: '2026-11-20', changed: true },
  },
}));

export const revokeKeyOperation = {
  name: 'revoke-key',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}/keys/{keyId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<ChangedOf<typeof keySchema>>(),
  errors: ['application_not_found', 'key_not_found'],
} as const satisfies ManageOperation;

/* @__PURE__ */ documentOperation(revokeKeyOperation, () => ({
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
}));

/**
 * How long the old key stays valid, from `PT0S` to 30 days; when the new one expires, by default after the same lifetime; and a
 * root version from which the new one must not be derived.
 */
export const rotateKeyBodySchema = v.strictObject({
  overlap: v.pipe(durationSchema, v.maxValue(maxKeyOverlapDays * 86_400, `must be at most ${maxKeyOverlapDays} days`)),
  expiresAt: v.optional(v.nullable(timestampSchema)),
  avoidRoot: v.optional(rootVersionSchema),
});

export const rotateKeyOperation = {
  name: 'rotate-key',
  method: 'POST',
  path: '/api/manage/applications/{appId}/keys/{keyId}/rotate',
  role: 'admin',
  query: dryRunQuerySchema,
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
}));

/* @__PURE__ */ describeMembers(() => keyIssuerSchema.entries, {
  via: 'How the operator was authenticated: `iam` at the function URL, `token` at the HTTP API.',
  id: "The IAM ARN, or the token's `sub`, which only its issuer vouches for.",
  email: "The e-mail address of the operator's token; `null` if it had none.",
});
/* @__PURE__ */ describeMembers(() => listedKeySchema.entries, {
  applicationName: 'The name of the application for people.',
});
/* @__PURE__ */ describeMembers(() => allKeysQuerySchema.entries, {
  state: 'Only valid keys (`active`), or only revoked and expired keys (`ended`).',
  endsWithin: 'Only active keys that expire within this time, such as `P30D`.',
  unusedFor: 'Only keys that were neither issued nor used within this time, such as `P30D`. Use is recorded by day.',
});
/* @__PURE__ */ describeMembers(() => updateKeyBodySchema.entries, {
  label: 'The name of the key for people; `null` removes it.',
});
/* @__PURE__ */ describeMembers(() => keyEntries, {
  issuedBy: 'Who issued or rotated it; `null` if no operator did.',
  createdAt: 'When it was created.',
  expiresAt: 'When the key expires; `null` for never.',
  revokedAt: 'When the key was revoked; `null` if it was not.',
  lastUsedOn: 'The day on which it was last used; `null` if it never was.',
  replaces: 'The key that a rotation replaced with this one; `null` if it was not issued by a rotation.',
  replacedBy: 'The key that replaced this one in its latest rotation; `null` if it was not rotated.',
});
/* @__PURE__ */ describeMembers(() => keySchema.entries, { scopes: 'The scopes of the key.' });
/* @__PURE__ */ describeMembers(() => issuedKeySchema.entries, {
  secret: 'The secret that signs requests. No later answer contains it.',
});
/* @__PURE__ */ describeMembers(() => issueKeyBodySchema.wrapped.entries, {
  scopes: 'The scopes of the key.',
  expiresAt: 'When the key expires; `null` for never.',
});
/* @__PURE__ */ describeMembers(() => rotateKeyBodySchema.entries, {
  expiresAt:
    'When the new key expires; `null` for never. By default it gets the lifetime with which the old key was issued.',
  avoidRoot:
    'A root version from which the new key must not be derived, such as one that leaked. Refused while it is still the newest.',
  overlap: 'How long the old key stays valid, from `PT0S` to 30 days, in days, hours, minutes and seconds.',
});
