import type * as v from 'valibot';
import type { PathOf } from '#shared/contract/manage-answers.ts';
import type { manageInputs } from '#shared/contract/manage-inputs.ts';
import { type ManageRouteName, manageRoutes } from '#shared/contract/manage-routes.ts';
import { notSent } from './cli-error.ts';

/** The schemas of an operation's input: the only place in the CLI that says where its types come from. */
type Inputs<Name extends ManageRouteName> = (typeof manageInputs)[Name];

/** The path parameters, query and body of one operation; a query or body that it does not take is `undefined`. */
export type ManageCall<Name extends ManageRouteName> = {
  readonly path: PathOf<Name>;
} & QueryPart<Inputs<Name>> &
  BodyPart<Inputs<Name>>;

type QueryPart<Schemas> = Schemas extends { readonly query: infer Query extends v.GenericSchema }
  ? { readonly query?: QueryValues<v.InferInput<Query>, v.InferOutput<Query>> }
  : { readonly query?: undefined };

/** Parameters that are `undefined` are left out of the URL; numbers and booleans are sent as text. */
type QueryValues<Texts, Parsed> = {
  readonly [Name in keyof Texts]?:
    | Texts[Name]
    | (Name extends keyof Parsed ? Extract<Parsed[Name], number> : never)
    | (Exclude<Texts[Name], undefined> extends 'true' | 'false' ? boolean : never)
    | undefined;
};

/** Optional where the operation also accepts a request without a body. */
type BodyPart<Schemas> = Schemas extends { readonly body: infer Body extends v.GenericSchema }
  ? undefined extends v.InferInput<Body>
    ? { readonly body?: Fields<NonNullable<v.InferInput<Body>>> }
    : { readonly body: Fields<v.InferInput<Body>> }
  : { readonly body?: undefined };

/** The same fields, with lists that may be read-only. */
type Fields<Body> = {
  readonly [Name in keyof Body]: Body[Name] extends readonly (infer Item)[] | undefined
    ? readonly Item[] | Extract<Body[Name], undefined>
    : Body[Name];
};

/**
 * What a call must be in addition: no path parameter, query parameter or body field that the operation does not have.
 * TypeScript itself finds those only in object literals, not in a variable that is passed.
 */
export type ExactCall<Name extends ManageRouteName, Call> = {
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
  /** Percent-encoded, as it is sent. */
  readonly path: string;
  /** Decoded, as the Signature Version 4 library expects it. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Builds the request of an operation; an id that would change the path is refused. */
export function manageRequest<Name extends ManageRouteName>(name: Name, call: ManageCall<Name>): UnsignedRequest {
  const { method, path } = manageRoutes[name];
  const values: Readonly<Record<string, string>> = call.path;
  const query = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined);
  return {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, parameter: string) => segment(values[parameter] ?? '')),
    query: Object.fromEntries(query.map(([key, value]) => [key, String(value)])),
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
  };
}

/** The query of the URL, encoded as it is signed: a space is `%20`, never `+`. */
export function queryString(query: UnsignedRequest['query']): string {
  const pairs = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** URL parsers resolve `.` and `..`: `…/keys/..` would name the application instead of a key. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw notSent(`${JSON.stringify(value)} is not an id.`);
  return encode(value);
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
