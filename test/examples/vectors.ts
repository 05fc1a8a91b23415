import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Vector } from '../../examples/build-vectors.ts';

/** The content of `examples/vectors.json`. */
export const vectors: readonly Vector[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../examples/vectors.json'), 'utf8'),
);

/**
 * Whether the reference signers support a vector: required components only, a key's usual algorithm and parameters, a
 * URI, and a text body if any.
 */
export function isSignable({ request, key, expected }: Vector): boolean {
  const { method, url, headers, body, bodyBase64 } = request;
  const query = new URL(url).search === '' ? '' : ' "@query"';
  const digest = body === undefined ? '' : ' "content-digest"';
  const condition = headers['If-Match'] === undefined ? '' : ' "if-match"';
  const covered = `("@method" "@authority" "@path"${query}${digest}${condition})`;
  const [, start, parameters = ''] = /^(.*\))(;.*)$/.exec(String(headers['Signature-Input'])) ?? [];
  const isUsual =
    key.algorithm === 'hmac-sha256' &&
    start === `sig1=${covered}` &&
    /^;created=\d+;nonce="[^"]*";keyid="[^"]*"$/.test(parameters);
  const isGivenByUs = bodyBase64 === undefined && !String(headers['Content-Digest']).includes('sha-512');
  return expected === 'accepted' && isUsual && isGivenByUs && !url.includes('|') && method === method.toUpperCase();
}
