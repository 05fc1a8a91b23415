import { createSignatureBase, formatContentDigest } from '#shared/signature/base.ts';
import { encodeText, importKey } from '../client-key.ts';
import { base64 } from '../sign-request.ts';
import { FakeProblem } from './fake-problem.ts';

/** What a key may do. */
export type FakeScope = 'access:read' | 'access:write' | 'roles:write';

export const allScopes: readonly FakeScope[] = ['access:read', 'access:write', 'roles:write'];

/** A key of the test double. */
export interface FakeKey {
  readonly keyId: string;
  readonly secret: string;
  readonly scopes: readonly FakeScope[];
  revoked: boolean;
}

/** A request whose signature is valid. */
export interface SignedRequest {
  readonly key: FakeKey;
  readonly nonce: string;
  readonly created: number;
  readonly signature: string;
  readonly body: string;
}

/** Seconds by which the clocks may differ, as with the service. */
const windowSeconds = 300;

const signatureInput = /^\w+=(\(([^)]*)\);created=(\d+);nonce="([^"]*)";keyid="([^"]*)"(?:;expires=(\d+))?)$/;

/** Verifies the signature of a request as the service does, by this machine's own clock; throws what it would answer. */
export async function verifyRequest(request: Request, keys: ReadonlyMap<string, FakeKey>): Promise<SignedRequest> {
  const { headers } = request;
  const [, params = '', list = '', createdText, nonce = '', keyId = '', expires = 'Infinity'] =
    signatureInput.exec(headers.get('signature-input') ?? '') ?? [];
  if (params === '') throw new FakeProblem('signature_missing', 'The header Signature-Input is missing or unknown.');
  const covered = [...list.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
  const body = await request.clone().text();
  requireCovered(request, covered, body);
  const base = baseOf(request, params, covered);
  const key = keys.get(keyId);
  const signature = headers.get('signature') ?? '';
  if (key === undefined || signature !== `sig1=:${await macOf(base, key)}:`)
    throw new FakeProblem('signature_mismatch', 'The signature does not match.', { signatureBase: base });
  const created = Number(createdText);
  requireTime(created, Number(expires));
  if (body !== '' && headers.get('content-digest') !== (await digestOf(body)))
    throw new FakeProblem('digest_mismatch', 'The body is not the one that was signed.');
  if (key.revoked) throw new FakeProblem('key_revoked', 'The API key is revoked.');
  return { key, nonce, created, signature, body };
}

function requireCovered({ url, headers }: Request, covered: readonly string[], body: string): void {
  const required = ['@method', '@authority', '@path'];
  if (new URL(url).search !== '') required.push('@query');
  if (body !== '') required.push('content-digest');
  if (headers.has('if-match')) required.push('if-match');
  const missing = required.find((name) => !covered.includes(name));
  if (missing !== undefined) throw new FakeProblem('component_missing', `"${missing}" is not covered.`);
}

function baseOf({ method, url, headers }: Request, params: string, covered: readonly string[]): string {
  const { host, pathname, search } = new URL(url);
  const source = {
    method,
    authority: host,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(headers),
  };
  try {
    return createSignatureBase(covered, params, source);
  } catch (error) {
    throw new FakeProblem('component_missing', (error as Error).message);
  }
}

async function macOf(base: string, { keyId, secret }: FakeKey): Promise<string> {
  const key = await importKey({ keyId, secret }).secret;
  return base64(await crypto.subtle.sign('HMAC', key, encodeText(base)));
}

async function digestOf(body: string): Promise<string> {
  return formatContentDigest(base64(await crypto.subtle.digest('SHA-256', encodeText(body))));
}

function requireTime(created: number, expires: number): void {
  const serverTime = Date.now();
  const seconds = serverTime / 1000;
  if (Math.abs(created - seconds) <= windowSeconds && seconds <= expires) return;
  const members = { serverTime: new Date(serverTime).toISOString(), windowSeconds };
  throw new FakeProblem('clock_skew', 'The signature is too old or from the future.', members);
}
