import { randomUUID } from 'node:crypto';
import type { OperationRequest } from '#shared/contract/operation.ts';
import { type ManageOperationName, type ManageOperations, manageOperations } from '#shared/contract/operations.ts';
import { notSent } from '../terminal/cli-error.ts';

/** The path parameters, query and body of one operation, exactly as its record has them. */
export type ManageCall<Name extends ManageOperationName> = OperationRequest<ManageOperations[Name]>;

/**
 * An additional constraint: no path parameter, query parameter or body field that the operation does not have. TypeScript
 * itself finds those only in object literals, not in variables.
 */
export type ExactCall<Name extends ManageOperationName, Call> = {
  readonly [Part in keyof Call]: Part extends keyof ManageCall<Name>
    ? OnlyKeysOf<ManageCall<Name>[Part], Call[Part]>
    : never;
};

type OnlyKeysOf<Allowed, Given> = Given extends object
  ? { readonly [Key in Exclude<keyof Given, keyof NonNullable<Allowed>>]: never }
  : unknown;

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  /** Decoded, as the Signature Version 4 library expects it. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The `Idempotency-Key` of a write, a structured-field string (RFC 8941 section 3.3.3): retries take effect only once. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Builds the request of an operation. Each write has its own Idempotency-Key unless one is passed, with which a later process
 * can repeat the same request. Throws for an id that would change the path.
 */
export function manageRequest<Name extends ManageOperationName>(
  name: Name,
  call: ManageCall<Name>,
  idempotencyKey: string = randomUUID(),
): UnsignedRequest {
  const { method, path } = manageOperations[name];
  const values: Readonly<Record<string, string>> = call.path ?? {};
  const query = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined);
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, parameter: string) => segment(values[parameter] ?? '')),
    query: Object.fromEntries(query.map(([key, value]) => [key, String(value)])),
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
    idempotencyKey: method === 'GET' ? undefined : `"${idempotencyKey}"`,
  };
}

/** The query of the URL, encoded as it is signed: a space is `%20`, never `+`. */
export function queryString(query: UnsignedRequest['query']): string {
  const pairs = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** URL parsers resolve `.` and `..`: `…/keys/..` would name the application instead of a key. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw notSent(`${JSON.stringify(value)} is not a valid id.`);
  return encode(value);
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
