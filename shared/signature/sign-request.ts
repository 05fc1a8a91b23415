import { computeMac, createMacKey } from './compute-mac.ts';
import { createContentDigest } from './content-digest.ts';
import { parseSignature } from './parse-signature.ts';
import { type ComponentSource, createSignatureBase } from './signature-base.ts';

/** Signs a request by this profile (RFC 9421 section 3.1) and returns the headers to add, or throws what the server would answer. */
export function signRequest(request: RequestToSign, options: SigningOptions): Record<string, string> {
  const digest = digestHeader(request.body);
  const source = componentSource(request, digest);
  const components = coveredComponents(source, digest, options.cover ?? []);
  const params = serializeParams(components, options);
  const base = createSignatureBase(components, params, source);
  const mac = computeMac(base, createMacKey(options.secret)).toString('base64');
  const label = options.label ?? 'sig1';
  const added = { 'signature-input': `${label}=${params}`, signature: `${label}=:${mac}:` };
  parseSignature(added['signature-input'], added.signature);
  return { ...digest, ...added };
}

/** A request as it will be sent: the method's case and the URL's encoding are signed as they stand (RFC 9421 section 2.2). */
export interface RequestToSign {
  readonly method: string;
  readonly url: URL | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string stands for its UTF-8 bytes. */
  readonly body?: string | Uint8Array;
}

/** Who signs, when, and what beyond the required components (RFC 9421 section 2.3). */
export interface SigningOptions {
  readonly keyId: string;
  /** Its ASCII bytes are the MAC key. */
  readonly secret: string;
  /** Whole seconds since 1970. */
  readonly created: number;
  /** 16 to 64 characters, never used before with this key. */
  readonly nonce: string;
  /** Defaults to `sig1`. */
  readonly label?: string;
  /** More headers of the request to cover; none by default. */
  readonly cover?: readonly string[];
}

function digestHeader(body: string | Uint8Array = ''): Record<string, string> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return bytes.byteLength > 0 ? { 'content-digest': createContentDigest(bytes) } : {};
}

function componentSource(
  { method, url, headers = {} }: RequestToSign,
  digest: Record<string, string>,
): ComponentSource {
  const { host, pathname, search } = new URL(url);
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    authority: host,
    path: pathname,
    query: search.slice(1),
    headers: { ...Object.fromEntries(named), ...digest },
  };
}

function coveredComponents(
  source: ComponentSource,
  digest: Record<string, string>,
  cover: readonly string[],
): string[] {
  const query = source.query === '' ? [] : ['@query'];
  const headers = cover.map((name) => name.toLowerCase());
  return [...new Set(['@method', '@authority', '@path', ...query, ...Object.keys(digest), ...headers])];
}

function serializeParams(components: readonly string[], { created, nonce, keyId }: SigningOptions): string {
  const list = components.map((name) => `"${name}"`).join(' ');
  return `(${list});created=${created};nonce=${quote(nonce)};keyid=${quote(keyId)}`;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
