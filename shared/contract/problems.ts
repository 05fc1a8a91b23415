import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { timestampSchema } from './fields.ts';

/** Every error that a caller can see: its HTTP status and its title (RFC 9457 section 3.1.3: the same for each occurrence). */
export const errorCatalogue = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  signature_missing: { status: 401, title: 'The request is not signed' },
  signature_malformed: { status: 401, title: 'The signature cannot be read' },
  component_missing: { status: 401, title: 'The signature does not cover enough' },
  clock_skew: { status: 401, title: 'The signature is too old or from the future' },
  signature_mismatch: { status: 401, title: 'The signature does not match the request' },
  digest_mismatch: { status: 401, title: 'The body is not the one that was signed' },
  key_revoked: { status: 401, title: 'The API key is revoked' },
  key_expired: { status: 401, title: 'The API key has expired' },
  scope_missing: { status: 403, title: 'The API key may not do this' },
  address_not_allowed: { status: 403, title: 'This address may not call' },
  user_not_found: { status: 404, title: 'There is no such user' },
  role_not_found: { status: 404, title: 'There is no such role' },
  application_not_found: { status: 404, title: 'There is no such application' },
  key_not_found: { status: 404, title: 'There is no such API key' },
  route_not_found: { status: 404, title: 'There is no such endpoint' },
  nonce_replayed: { status: 409, title: 'This request was already received' },
  already_exists: { status: 409, title: 'It already exists' },
  application_in_use: { status: 409, title: 'The application is in use' },
  role_in_use: { status: 409, title: 'The role is in use' },
  too_many_keys: { status: 409, title: 'The application has too many API keys' },
  version_mismatch: { status: 412, title: 'Somebody else changed it meanwhile' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be JSON' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'The service cannot answer right now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

/** What is wrong with one field: `#/status` names a body member, `path:`, `query:` and `header:` the rest of the request. */
export const fieldErrorSchema = /* @__PURE__ */ (() => v.object({ pointer: v.string(), detail: v.string() }))();
export type FieldError = Answer<typeof fieldErrorSchema>;

/** The body of every error, `application/problem+json` (RFC 9457). */
export const problemSchema = /* @__PURE__ */ (() =>
  v.object({
    type: v.string(),
    title: v.string(),
    status: v.pipe(v.number(), v.integer()),
    detail: v.string(),
    code: v.picklist(Object.keys(errorCatalogue) as ErrorCode[]),
    requestId: v.string(),
    errors: v.exactOptional(v.array(fieldErrorSchema)),
  }))();

/** Further members of the problem documents of single codes. */
export const problemMembers = /* @__PURE__ */ (() =>
  ({
    clock_skew: {
      serverTime: timestampSchema,
      created: v.pipe(v.number(), v.integer()),
      windowSeconds: v.pipe(v.number(), v.integer()),
    },
    signature_mismatch: { signatureBase: v.string() },
    digest_mismatch: { receivedBytes: v.pipe(v.number(), v.integer()) },
    version_mismatch: { version: v.pipe(v.number(), v.integer(), v.minValue(0)) },
  }) as const satisfies Partial<Record<ErrorCode, v.ObjectEntries>>)();

/** A problem document of any code. */
export type Problem = Answer<typeof problemSchema> & { readonly [member: string]: unknown };

/* @__PURE__ */ describeMembers(() => fieldErrorSchema.entries, {
  pointer:
    'Which field: `#/status` in the body (RFC 6901), or `path:userId`, `query:limit`, `header:if-match` beside it.',
  detail: 'What is wrong this time, and what to do.',
});
/* @__PURE__ */ describeMembers(() => problemSchema.entries, {
  type: 'Where the code is explained, relative to the address of the request.',
  title: 'The code in words, always the same.',
  status: 'The HTTP status.',
  detail: 'What is wrong this time, and what to do.',
  code: 'What programs decide by. New codes may be added.',
  requestId: 'The request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log.',
  errors: 'Every field that is wrong, of `invalid_request`.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.clock_skew, {
  serverTime: "Only of `clock_skew`: the server's clock.",
  created: 'Only of `clock_skew`: when the signature says it was made, in seconds since 1970.',
  windowSeconds: 'Only of `clock_skew`: how far the two may be apart.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.signature_mismatch, {
  signatureBase: 'Only of `signature_mismatch`: the text that the server expected to be signed.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.digest_mismatch, {
  receivedBytes: 'Only of `digest_mismatch`: how long the body was that arrived.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.version_mismatch, {
  version: 'Only of `version_mismatch`: the current version.',
});
