import { type ManagementOperations, managementRoutes } from './management-contract.ts';
import { ManagementError } from './management-error.ts';

/** The names of the operations, as in the description of the API. */
export type ManagementOperationName = keyof ManagementOperations;

/** The path parameters, query and body of one operation, exactly as its record has them. */
export type ManagementInput<Name extends ManagementOperationName> = ManagementOperations[Name]['input'];

/** The body of the answer of an operation. */
export type ManagementAnswer<Name extends ManagementOperationName> = ManagementOperations[Name]['answer'];

/**
 * An additional constraint: no path parameter, query parameter or body field that the operation does not have. TypeScript
 * itself finds those only in object literals, not in variables.
 */
export type ExactInput<Name extends ManagementOperationName, Input> = {
  readonly [Part in keyof Input]: Part extends keyof ManagementInput<Name>
    ? OnlyKeysOf<ManagementInput<Name>[Part], Input[Part]>
    : never;
};

type OnlyKeysOf<Allowed, Given> = Given extends object
  ? { readonly [Key in Exclude<keyof Given, keyof NonNullable<Allowed>>]: never }
  : unknown;

/** What goes into a request beside the input of its operation. */
export interface RequestConditions {
  /** Default: a new one for each call that writes. */
  readonly idempotencyKey?: string | undefined;
  /** The version that the caller has read; if it is no longer current, the service refuses with `version_mismatch`. */
  readonly ifMatch?: number | undefined;
}

/** A request before it is authorized. */
export interface UnsignedRequest {
  readonly method: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  /** Decoded, as the Signature Version 4 library expects it. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Among them the `Idempotency-Key` of a write: retries take effect only once. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The input of any operation; callers are typed by `ManagementInput`. */
export interface AnyInput {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/**
 * Builds the request of an operation. Each write has its own Idempotency-Key unless one is passed, with which a later process
 * can repeat the same request. Throws for an id that would change the path.
 */
export function managementRequest(
  name: ManagementOperationName,
  input: AnyInput,
  { idempotencyKey = crypto.randomUUID(), ifMatch }: RequestConditions = {},
): UnsignedRequest {
  const [method, path] = managementRoutes[name];
  const { path: given = {}, query = {}, body } = input;
  const values = new Map<string, unknown>(Object.entries(given));
  const known = Object.entries(query).filter(([, value]) => value !== undefined);
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, parameter: string) => segment(String(values.get(parameter) ?? ''))),
    query: Object.fromEntries(known.map(([key, value]) => [key, String(value)])),
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      // A structured-field string (RFC 8941 section 3.3.3).
      ...(method !== 'GET' && { 'idempotency-key': `"${idempotencyKey}"` }),
      ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    },
  };
}

/** The query of the URL, encoded as it is signed: a space is `%20`, never `+`. */
export function queryString(query: UnsignedRequest['query']): string {
  const pairs = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** URL parsers resolve `.` and `..`: `…/keys/..` would name the application instead of a key. */
function segment(value: string): string {
  if (value !== '' && value !== '.' && value !== '..') return encode(value);
  throw new ManagementError({
    code: 'invalid_request',
    detail: `${JSON.stringify(value)} is not a valid id.`,
    isSent: false,
  });
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
