import type { PathOf } from '#shared/contract/manage-answers.ts';
import { type ManageRouteName, manageRoutes } from '#shared/contract/manage-routes.ts';
import { notSent } from './cli-error.ts';

/** What is asked of one operation. */
export interface ManageCall<Name extends ManageRouteName> {
  readonly path: PathOf<Name>;
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** A request that is not signed yet. */
export interface PlainRequest {
  readonly method: string;
  /** Encoded, as it is sent. */
  readonly path: string;
  /** Decoded, as Signature Version 4 wants it. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export function manageRequest<Name extends ManageRouteName>(name: Name, call: ManageCall<Name>): PlainRequest {
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

/** The query as it is sent: encoded as it is signed, where a blank is `%20` and never `+`. */
export function queryString(query: PlainRequest['query']): string {
  const pairs = Object.entries(query).map(([key, value]) => `${encode(key)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** URL parsers swallow `.` and `..`: `…/keys/..` would name the application instead of a key. */
function segment(value: string): string {
  if (value === '' || value === '.' || value === '..') throw notSent(`${JSON.stringify(value)} is no id.`);
  return encode(value);
}

/** Percent-encodes all but the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
