import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { describeMembers } from './descriptions.ts';
import { type ErrorCode, errorCatalogue } from './error-codes.ts';
import { timestampSchema } from './fields.ts';
import { operatorRoles } from './operator-role.ts';

/** An invalid field: `#/status` is a member of the body; `path:`, `query:` and `header:` are the other parts of the request. */
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

/** Additional members of the problem documents of some codes. */
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
    'The field: `#/status` in the body (RFC 6901), or for example `path:userId`, `query:limit`, `header:if-match`.',
  detail: 'What is wrong in this case, and what to do.',
});
/* @__PURE__ */ describeMembers(() => problemSchema.entries, {
  type: 'The address of an explanation of the code, relative to the URL of the request.',
  title: 'The code in words, the same in every response.',
  status: 'The HTTP status.',
  detail: 'What is wrong in this case, and what to do.',
  code: 'The code, for programs. New codes may be added.',
  requestId: 'The id of the request, as in its `Apigw-Requestid` or `X-Amzn-RequestId` header and in the log.',
  errors: 'Only with `invalid_request`: all invalid fields.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.clock_skew, {
  serverTime: "Only of `clock_skew`: the server's clock.",
  created: 'Only with `clock_skew`: when the signature claims it was created, in seconds since 1970.',
  windowSeconds: 'Only with `clock_skew`: the maximum difference between the two.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.signature_mismatch, {
  signatureBase:
    'Only with `signature_mismatch`: the text that the server expected to be signed, without the values of headers that it does not require.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.digest_mismatch, {
  receivedBytes: 'Only with `digest_mismatch`: the length of the received body.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.role_required, {
  requiredRole: 'Only with `role_required`: the minimum operator role.',
});
/* @__PURE__ */ describeMembers(() => problemMembers.version_mismatch, {
  version: 'Only with `version_mismatch`: the current version.',
});
