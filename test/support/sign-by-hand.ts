import { createHash, createHmac } from 'node:crypto';
import { freshNonce, type Key, type SentRequest } from './send-request.ts';

export interface RequestByHand {
  readonly method: string;
  /** Sent and signed unchanged, although URL parsers would normalize it. */
  readonly target: string;
  readonly headers?: SentRequest['headers'];
  readonly body?: string;
  /** The components that the signature covers; by default those that the profile requires of this request. */
  readonly covered?: readonly string[];
  /** Component values that are signed instead of the sent ones. */
  readonly claimed?: Readonly<Record<string, string>>;
  /** Seconds since 1970; by default now. */
  readonly created?: number;
  /** Changes the text of the parameters before it is signed, so that the MAC is correct. */
  readonly edit?: (signatureParams: string) => string;
}

/** A signed request, with the signed base and the base of the sent request. */
export interface SignedByHand extends SentRequest {
  readonly claimedBase: string;
  readonly sentBase: string;
}

/** Signs by RFC 9421 with only `node:crypto`: for requests that this project's signer refuses to sign. */
export function signByHand(baseUrl: string, key: Key, request: RequestByHand): SignedByHand {
  const { method, target, body, edit = (text) => text } = request;
  const headers: SentRequest['headers'] = { ...bodyHeaders(body), ...request.headers };
  const covered = request.covered ?? requiredComponents(request);
  const created = request.created ?? Math.floor(Date.now() / 1000);
  const list = covered.map((name) => `"${name}"`).join(' ');
  const params = edit(`(${list});created=${created};nonce="${freshNonce()}";keyid="${key.keyId}"`);
  const sentValues = { ...derivedComponents(baseUrl, request), ...headers };
  const baseOf = (values: SentRequest['headers']) =>
    [...covered.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${params}`].join('\n');
  const claimedBase = baseOf({ ...sentValues, ...request.claimed });
  const mac = createHmac('sha256', key.secret).update(claimedBase).digest('base64');
  const signature = { 'signature-input': `sig1=${params}`, signature: `sig1=:${mac}:` };
  return { method, target, headers: { ...headers, ...signature }, body, claimedBase, sentBase: baseOf(sentValues) };
}

/** Returns the components that the profile requires a signature of this request to cover. */
export function requiredComponents({ target, body }: RequestByHand): string[] {
  const query = target.includes('?') ? ['@query'] : [];
  const digest = body === undefined ? [] : ['content-digest'];
  return ['@method', '@authority', '@path', ...query, ...digest];
}

function derivedComponents(baseUrl: string, { method, target }: RequestByHand): Record<string, string> {
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2);
  return { '@method': method, '@authority': new URL(baseUrl).host, '@path': path, '@query': `?${query}` };
}

function bodyHeaders(body: string | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json', 'content-digest': digestOf(body) };
}

/** Computes the `Content-Digest` of a text. */
export function digestOf(body: string): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}
