import * as v from 'valibot';
import type { Answer, ChangedOf, NarrowedPageOf, PageOf } from './answers.ts';
import type { issuedKeySchema, keyIssuerSchema, keySchema, listedKeySchema } from './api-key-answers.ts';
import { keyFields } from './api-key-fields.ts';
import { fieldEntries } from './field-forms.ts';
import {
  answers,
  dryRunQuerySchema,
  durationSchema,
  pageQuery,
  pageQuerySchema,
  rootVersionSchema,
  timestampSchema,
} from './fields.ts';
import { type ManageOperation, type Scope, scopes } from './operation.ts';

/** Keys of one application or connection that are neither revoked nor expired. */
export const maxKeysPerOwner = 10;

/** How long a rotated key can stay valid beside the new one. */
const maxKeyOverlapDays = 30;

export type KeyIssuer = Answer<typeof keyIssuerSchema>;

/** A key of an application or, with other scopes, of a connection. */
export type KeyView<Scopes extends string = Scope> = Omit<Answer<typeof keySchema>, 'scopes'> & {
  readonly scopes: readonly Scopes[];
};

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

/** A key that is issued without naming any has these scopes. */
export const defaultKeyScopes = ['access:read'] as const satisfies readonly Scope[];
/** A key that is issued without an expiry expires after so long. */
export const defaultKeyLifetimeDays = 90;

/** Without an expiry, a key gets the usual lifetime; `null` is none. */
export const keyExpirySchema = v.optional(v.nullable(timestampSchema));

const issueKeyBodySchema = v.optional(
  v.strictObject({
    scopes: v.optional(scopesSchema(scopes), [...defaultKeyScopes]),
    expiresAt: keyExpirySchema,
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

export const listKeysOperation = {
  name: 'list-keys',
  method: 'GET',
  path: '/api/manage/applications/{appId}/keys',
  role: 'viewer',
  query: pageQuerySchema,
  answer: answers<PageOf<typeof keySchema>>(),
  errors: ['application_not_found'],
} as const satisfies ManageOperation;

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

/** The label is required; other omitted fields keep their values. */
export const updateKeyBodySchema = v.strictObject({
  ...fieldEntries(keyFields, 'patch'),
  label: v.nullable(keyFields.label.input),
});

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

export const revokeKeyOperation = {
  name: 'revoke-key',
  method: 'DELETE',
  path: '/api/manage/applications/{appId}/keys/{keyId}',
  role: 'admin',
  query: dryRunQuerySchema,
  answer: answers<ChangedOf<typeof keySchema>>(),
  errors: ['application_not_found', 'key_not_found'],
} as const satisfies ManageOperation;

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

/** The Management API: API keys. */
export const apiKeyManageOperations = {
  'issue-key': issueKeyOperation,
  'list-keys': listKeysOperation,
  'list-all-keys': listAllKeysOperation,
  'update-key': updateKeyOperation,
  'revoke-key': revokeKeyOperation,
  'rotate-key': rotateKeyOperation,
} as const;
