import * as v from 'valibot';
import type { Answer } from './answers.ts';
import { type ErrorCode, errorCatalogue } from './error-codes.ts';
import { timestampSchema } from './fields.ts';
import { operatorRoles } from './operator-role.ts';

/** An invalid field: `#/status` is a member of the body; `path:`, `query:` and `header:` are the other parts of the request. */
export const fieldErrorSchema = v.object({ pointer: v.string(), detail: v.string() });
export type FieldError = Answer<typeof fieldErrorSchema>;

/** The body of every error, `application/problem+json` (RFC 9457). */
export const problemSchema = v.object({
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.picklist(Object.keys(errorCatalogue) as ErrorCode[]),
  requestId: v.string(),
  errors: v.exactOptional(v.array(fieldErrorSchema)),
});

/** Additional members of the problem documents of some codes. */
export const problemMembers = {
  clock_skew: {
    serverTime: timestampSchema,
    created: v.pipe(v.number(), v.integer()),
    windowSeconds: v.pipe(v.number(), v.integer()),
  },
  signature_mismatch: { signatureBase: v.string() },
  digest_mismatch: { receivedBytes: v.pipe(v.number(), v.integer()) },
  role_required: { requiredRole: v.picklist(operatorRoles) },
  version_mismatch: { version: v.pipe(v.number(), v.integer(), v.minValue(0)) },
} as const satisfies Partial<Record<ErrorCode, v.ObjectEntries>>;

/** A problem document of any code. */
export type Problem = Answer<typeof problemSchema> & { readonly [member: string]: unknown };
