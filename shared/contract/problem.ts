import * as v from 'valibot';
import { type Answer, versionSchema } from './answer.ts';
import { type ErrorCode, errorCatalogue } from './error-codes.ts';
import { momentSchema } from './moment.ts';

/** One thing that is wrong: `#/status` names a body member, `path:`, `query:` and `header:` the rest of the request. */
export const fieldErrorSchema = v.object({ pointer: v.string(), detail: v.string() });
export type FieldError = Answer<typeof fieldErrorSchema>;

/** The body of every error, `application/problem+json` (RFC 9457). */
export const problemSchema = v.object({
  /** Where the code is explained, relative to the address of the request. */
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.picklist(Object.keys(errorCatalogue) as ErrorCode[]),
  requestId: v.string(),
  errors: v.exactOptional(v.array(fieldErrorSchema)),
});

/** What the problem documents of single codes say beside. */
export const problemMembers = {
  clock_skew: {
    serverTime: momentSchema,
    /** As signed, in seconds since 1970. */
    created: v.pipe(v.number(), v.integer()),
    windowSeconds: v.pipe(v.number(), v.integer()),
  },
  /** What the server computed from the request, and would have accepted a signature of. */
  signature_mismatch: { signatureBase: v.string() },
  digest_mismatch: { receivedBytes: v.pipe(v.number(), v.integer()) },
  /** The one that stands. */
  version_mismatch: { version: versionSchema },
} as const satisfies Partial<Record<ErrorCode, v.ObjectEntries>>;

/** A problem document of any code. */
export type Problem = Answer<typeof problemSchema> & { readonly [member: string]: unknown };
