import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { type ErrorCode, errorCatalogue } from './error-codes.ts';
import { timestampSchema } from './fields.ts';
import { operatorRoles } from './operator-role.ts';

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
    role_required: { requiredRole: v.picklist(operatorRoles) },
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
  signatureBase:
    'Only of `signature_mismatch`: the text that the server expected to be signed, without the values of headers that it does not ask for.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.digest_mismatch, {
  receivedBytes: 'Only of `digest_mismatch`: how long the body was that arrived.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.role_required, {
  requiredRole: 'Only of `role_required`: the least operator role that would do.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.version_mismatch, {
  version: 'Only of `version_mismatch`: the current version.',
});
