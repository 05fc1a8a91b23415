import { malformed, SignatureError } from './error.ts';

/** Serializes a signature base: a line per component, then the parameters (RFC 9421 section 2.5). */
function serializeSignatureBase(
  components: readonly string[],
  params: string,
  read: (name: string) => string | undefined,
): string {
  let lines = '';
  for (const name of components) lines += `"${name}": ${read(name)}\n`;
  return `${lines}"@signature-params": ${params}`;
}

/** Creates the signature base of a received request, or throws as `componentValue` does (RFC 9421 section 2.5). */
export function createSignatureBase(
  components: readonly string[],
  signatureParams: string,
  source: ComponentSource,
): string {
  return serializeSignatureBase(components, signatureParams, (name) => componentValue(name, source));
}

/** One interpretation of a request, the source of component values (RFC 9421 section 2). */
export interface ComponentSource {
  readonly method: string;
  readonly authority: string;
  readonly path: string;
  /** Without the `?`. */
  readonly query: string;
  readonly headers: HeaderValues;
}

/** Header values by lower-case name (RFC 9421 section 2.1). */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/**
 * Reads one component's value (RFC 9421 section 2), or throws `component_missing`, or `signature_malformed` if no base can
 * hold it.
 */
export function componentValue(name: string, source: ComponentSource): string {
  return requireValue(name, receivedValue(name, source));
}

function receivedValue(name: string, source: ComponentSource): string | undefined {
  switch (name) {
    case '@method':
      return source.method;
    case '@authority':
      return source.authority;
    case '@path':
      return source.path;
    case '@query':
      return `?${source.query}`;
    default:
      return headerValue(source.headers, name);
  }
}

/** Reads a received header; ignores inherited names such as `constructor` (RFC 9421 section 2.1). */
export function headerValue(headers: HeaderValues, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

/** Trims a header's value, and refuses a value that is absent or not one line of ASCII (RFC 9421 section 2.1). */
export function requireValue(name: string, value: string | undefined): string {
  if (value === undefined) throw new SignatureError('component_missing', `the request has no "${name}" to cover`);
  if (/[^\t -~]/.test(value)) throw malformed(`component "${name}": a value must be one line of ASCII`);
  return name.startsWith('@') ? value : value.trim();
}

/** Creates the signature parameters and the base that ends with them (RFC 9421 section 3.1), for any way to compute the MAC. */
export function createSigningInput(
  { method, url }: RequestHead,
  { headers, digest, created, expires, nonce, keyId, cover = [] }: SigningContent,
  read: ReadComponent = (values, name) => values[name],
): SigningInput {
  const { host, pathname, search } = new URL(url);
  const required = {
    '@method': method,
    '@authority': host,
    '@path': pathname,
    ...(search && { '@query': search }),
    ...(digest && { 'content-digest': digest }),
  };
  const components = [
    ...new Set([
      ...Object.keys(required),
      ...['if-match'].filter((name) => name in headers),
      ...cover.map((name) => name.toLowerCase()),
    ]),
  ];
  const end = expires === undefined ? '' : `;expires=${expires}`;
  const params = `(${components.map(quote).join(' ')});created=${created};nonce=${quote(nonce)};keyid=${quote(keyId)}${end}`;
  const values = { ...headers, ...required };
  return { params, base: serializeSignatureBase(components, params, (name) => read(values, name)) };
}

/** Method and URL of a request; the method's case and the URL's encoding are signed as given (RFC 9421 section 2.2). */
export interface RequestHead {
  readonly method: string;
  readonly url: URL | string;
}

/** The key, times, nonce and additional components of a signature (RFC 9421 section 2.3). */
export interface SigningParameters {
  readonly keyId: string;
  /** Whole seconds since 1970. */
  readonly created: number;
  /** Whole seconds since 1970, not before `created`; by default the latest that the server allows. */
  readonly expires?: number | undefined;
  /** 16 to 64 characters, never used before with this key. */
  readonly nonce: string;
  /** Additional headers to cover besides `if-match`; none by default. */
  readonly cover?: readonly string[] | undefined;
}

/** The headers and digest of a request, and its signing parameters. */
export interface SigningContent extends SigningParameters {
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Content-Digest` of a body that is not empty. */
  readonly digest: string | undefined;
}

export interface SigningInput {
  /** The value of `@signature-params`. */
  readonly params: string;
  /** The text whose MAC is the signature. */
  readonly base: string;
}

/** Reads a component from the request's values; by default a missing one is left for the server to refuse. */
export type ReadComponent = (values: Readonly<Record<string, string | undefined>>, name: string) => string | undefined;

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Creates the headers to add to a request (RFC 9421 section 4). */
export function signedHeaders(digest: string | undefined, params: string, mac: string, label = 'sig1'): SignedHeaders {
  return {
    ...(digest && { 'content-digest': digest }),
    'signature-input': `${label}=${params}`,
    signature: `${label}=:${mac}:`,
  };
}

export type SignedHeaders = Record<string, string> & { readonly 'signature-input': string; readonly signature: string };

/** Formats the `Content-Digest` of a SHA-256 (RFC 9530 section 2). */
export function formatContentDigest(sha256Base64: string): string {
  return `sha-256=:${sha256Base64}:`;
}

/** The first lines in which two signature bases (RFC 9421 section 2.5) differ; none when they are the same. */
export interface Difference {
  readonly signed: string | undefined;
  readonly expected: string | undefined;
}

/** Finds the first line in which the signed base differs from the base that the server expects. */
export function compareBases(signed: string, expected: string): Difference {
  const ours = signed.split('\n');
  const theirs = expected.split('\n');
  const line = theirs.findIndex((text, index) => text !== ours[index]);
  return { signed: ours[line], expected: theirs[line] };
}

/** Tells a client's author which line differs, or that only the key can be wrong: the server does not say whether it has it. */
export function describeDifference({ signed, expected }: Difference): string {
  if (signed === expected) return 'same base: wrong secret or unknown key';
  return `signed ${signed}, the server has ${expected}`;
}

/** The response header that names its request, so that no other response can be mistaken for it. */
export const nonceHeader = 'request-nonce';

/** Printable ASCII without quotes and backslashes, which reads the same in the signature's parameters and in a header. */
const nonceParameter = /;nonce="([!#-[\]-~]{16,64})"(?:;|$)/;

/** The header with a request's nonce, from its `Signature-Input`; empty if there is none. */
export function nonceHeaderOf(signatureInput: string | null | undefined): Readonly<Record<string, string>> {
  const [, nonce] = nonceParameter.exec(signatureInput ?? '') ?? [];
  return nonce === undefined ? {} : { [nonceHeader]: nonce };
}
