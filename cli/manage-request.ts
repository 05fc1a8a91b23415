import type { PathOf } from '#shared/contract/manage-answers.ts';
import { type ManageRouteName, manageRoutes } from '#shared/contract/manage-routes.ts';
import { notSent } from './cli-error.ts';

/** The path parameters, query and body of one operation. */
export interface ManageCall<Name extends ManageRouteName> {
  readonly path: PathOf<Name>;
  /** Parameters that are `undefined` are left out of the URL. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

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
