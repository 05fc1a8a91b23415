import { type ComponentSource, createSignatureBase } from './signature-base.ts';

/** Lays out what a signer signs, by whatever means it then computes the MAC (RFC 9421 section 2.5). */
export function createSigningInput(request: RequestHead, parameters: SigningParameters): SigningInput {
  const source = componentSource(request);
  const components = coveredComponents(source.query, request.digest, parameters.cover ?? []);
  const params = serializeParams(components, parameters);
  return { params, base: createSignatureBase(components, params, source) };
}

/** A request without its body: the method's case and the URL's encoding are signed as they stand (RFC 9421 section 2.2). */
export interface RequestHead {
  readonly method: string;
  readonly url: URL | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Content-Digest` of a body that is not empty. */
  readonly digest?: string | undefined;
}

/** Who signs, when, and what beyond the required components (RFC 9421 section 2.3). */
export interface SigningParameters {
  readonly keyId: string;
  /** Whole seconds since 1970. */
  readonly created: number;
  /** 16 to 64 characters, never used before with this key. */
  readonly nonce: string;
  /** More headers of the request to cover; none by default. */
  readonly cover?: readonly string[];
}

export interface SigningInput {
  /** The value of `@signature-params`. */
  readonly params: string;
  /** The text whose MAC is the signature. */
  readonly base: string;
}

/** Writes the headers to add to a request (RFC 9421 section 4). */
export function signedHeaders({ digest, params, mac, label = 'sig1' }: Signed): SignedHeaders {
  return { ...digestHeader(digest), 'signature-input': `${label}=${params}`, signature: `${label}=:${mac}:` };
}

export interface Signed {
  readonly digest: string | undefined;
  readonly params: string;
  /** In base64. */
  readonly mac: string;
  /** Defaults to `sig1`. */
  readonly label?: string | undefined;
}

export type SignedHeaders = Record<string, string> & { readonly 'signature-input': string; readonly signature: string };

/** Writes the `Content-Digest` of a SHA-256 (RFC 9530 section 2). */
export function formatContentDigest(sha256Base64: string): string {
  return `sha-256=:${sha256Base64}:`;
}

function componentSource({ method, url, headers = {}, digest }: RequestHead): ComponentSource {
  const { host, pathname, search } = new URL(url);
  const named = Object.entries({ ...headers, ...digestHeader(digest) });
  const lowerCase = named.map(([name, value]) => [name.toLowerCase(), value]);
  return { method, authority: host, path: pathname, query: search.slice(1), headers: Object.fromEntries(lowerCase) };
}

function coveredComponents(query: string, digest: string | undefined, cover: readonly string[]): string[] {
  const inQuery = query === '' ? [] : ['@query'];
  const more = cover.map((name) => name.toLowerCase());
  return [...new Set(['@method', '@authority', '@path', ...inQuery, ...Object.keys(digestHeader(digest)), ...more])];
}

function digestHeader(digest: string | undefined): Record<string, string> {
  return digest === undefined ? {} : { 'content-digest': digest };
}

function serializeParams(components: readonly string[], { created, nonce, keyId }: SigningParameters): string {
  const list = components.map((name) => `"${name}"`).join(' ');
  return `(${list});created=${created};nonce=${quote(nonce)};keyid=${quote(keyId)}`;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
