import type * as v from 'valibot';
import { type ErrorCode, errorCatalogue } from '#shared/contract/error-codes.ts';
import type { Scope } from '#shared/contract/routes.ts';

/** What the document says of an operation; what can be told from the contract is told from there. */
export interface Operation {
  /** As in the contract's routes. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** What a key must be allowed to; undefined for an operation of the Management API. */
  readonly scope?: Scope;
  readonly query?: v.StrictObjectSchema<v.ObjectEntries, undefined> | undefined;
  readonly body?: v.GenericSchema | undefined;
  readonly answer: v.GenericSchema;
  readonly text: OperationText;
  /** What it refuses with, beside what follows from the rest. */
  readonly codes: readonly ErrorCode[];
}

/** What people read, and how it answers when it succeeds. */
export interface OperationText {
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Default: 200 alone. The first is that of the example. */
  readonly statuses?: readonly [Success, ...Success[]];
  /** Whether it heeds `If-Match`. */
  readonly guarded?: boolean;
}

/** What an answer of success says by its status. */
export type Success = 200 | 201 | 202;

/** All that an operation refuses with, in the order of the catalogue. */
export function codesOf({ path, body, text, codes }: Operation): ErrorCode[] {
  const all = new Set<ErrorCode>([
    ...codes,
    ...(body === undefined ? [] : ofBodies),
    ...(text.guarded ? (['version_mismatch'] as const) : []),
    // An id with an encoded slash leads to another path, as API Gateway decodes it first.
    ...(path.includes('{') ? (['route_not_found'] as const) : []),
  ]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => all.has(code));
}

const ofBodies = ['malformed_json', 'body_too_large', 'unsupported_media_type'] as const;
