import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createMacKey } from '#shared/signature/mac.ts';
import { readSignature, verifySignature } from '#shared/signature/verify.ts';
import { signRequest } from '../../client/index.ts';
import { readStamp, testKey } from './client-fixture.ts';

const segment = fc
  .string({ unit: 'binary', minLength: 1 })
  .map(encodeURIComponent)
  .filter((text) => !/^[.]+$/.test(text));

/** The result of the verifier for a request as `fetch` sends it. */
async function verify(signed: Request): Promise<void> {
  const { host, pathname, search } = new URL(signed.url);
  const body = new Uint8Array(await signed.arrayBuffer());
  const message = {
    method: signed.method,
    paths: [pathname],
    authorities: [host],
    query: search.slice(1),
    headers: Object.fromEntries(signed.headers),
    body,
  };
  verifySignature(message, readSignature(message), createMacKey(testKey.secret), Math.floor(Date.now() / 1000));
}

test('the verifier accepts every request that the client signs', async () => {
  const request = fc.record({
    method: fc.constantFrom('GET', 'PUT', 'POST', 'DELETE'),
    path: fc.array(segment, { maxLength: 4 }).map((segments) => segments.join('/')),
    query: fc.string({ unit: 'binary', maxLength: 20 }).map(encodeURIComponent),
    body: fc.string({ unit: 'binary' }),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, body }) => {
      const url = `https://auth.example.com/${path}${query && `?${query}`}`;
      const unsigned = new Request(url, { method, ...(method !== 'GET' && { body }) });
      await verify(await signRequest(unsigned, testKey));
    }),
  );
});

test('signs with a non-extractable WebCrypto key', async () => {
  const bytes = new TextEncoder().encode(testKey.secret);
  const secret = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  await verify(await signRequest(new Request('https://auth.example.com/'), { ...testKey, secret }));
});

test('signs a retry with the nonce of the first attempt', async () => {
  const request = new Request('https://auth.example.com/');
  const signed = await signRequest(request, testKey, { nonce: 'first-attempt-0001', created: 1795201200.9 });
  expect(readStamp(signed.headers.get('signature-input'))).toEqual({
    nonce: 'first-attempt-0001',
    created: 1795201200,
    expires: Number.NaN,
  });
});

test('signs the expiry in whole seconds, never before the time of signing', async () => {
  const expiring = async (expires: number) => {
    const signed = await signRequest(new Request('https://auth.example.com/'), testKey, {
      created: 1795201200.9,
      expires,
    });
    return readStamp(signed.headers.get('signature-input')).expires;
  };
  expect(await expiring(1795201205.1)).toBe(1795201206);
  expect(await expiring(1795201199)).toBe(1795201200);
});

test('covers If-Match and the requested headers, and uses a new nonce for each signature', async () => {
  const request = new Request('https://auth.example.com/', { headers: { 'If-Match': '"3"', 'X-Team': 'a' } });
  const inputs = await Promise.all(
    [1, 2].map(async () => (await signRequest(request, testKey, { cover: ['X-Team'] })).headers.get('signature-input')),
  );
  expect(inputs[0]).toContain('"@path" "if-match" "x-team")');
  expect(new Set(inputs).size).toBe(2);
});
