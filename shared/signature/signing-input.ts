import { layOutBase } from './serialize.ts';

/** Lays out what is signed, by whatever means the MAC is then computed (RFC 9421 section 3.1): the parameters and the base that they end. */
export function createSigningInput(
  { method, url }: RequestHead,
  { headers, digest, created, nonce, keyId, cover = [] }: SigningContent,
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
  const components = [...new Set([...Object.keys(required), ...cover.map((name) => name.toLowerCase())])];
  const params = `(${components.map(quote).join(' ')});created=${created};nonce=${quote(nonce)};keyid=${quote(keyId)}`;
  const values = { ...headers, ...required };
  return { params, base: layOutBase(components, params, (name) => read(values, name)) };
}

/** Where a request goes: the method's case and the URL's encoding are signed as they stand (RFC 9421 section 2.2). */
export interface RequestHead {
  readonly method: string;
  readonly url: URL | string;
}

/** Who signs, when, and what beyond the required components (RFC 9421 section 2.3). */
export interface SigningParameters {
  readonly keyId: string;
  /** Whole seconds since 1970. */
  readonly created: number;
  /** 16 to 64 characters, never used before with this key. */
  readonly nonce: string;
  /** More headers of the request to cover; none by default. */
  readonly cover?: readonly string[] | undefined;
}

/** The rest of a request, and how it is signed. */
export interface SigningContent extends SigningParameters {
  /** By lower-case name. */
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

/** How a component is read from what is there; without it, what is absent is left for the server to refuse. */
export type ReadComponent = (values: Readonly<Record<string, string | undefined>>, name: string) => string | undefined;

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
