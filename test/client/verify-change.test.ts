import { createPublicKey, createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { canonicalJson } from '#shared/integrity/canonical-json.ts';
import { signChange } from '#shared/integrity/change-signature.ts';
import { deriveSigningKey } from '#shared/keys/signing-keys.ts';
import { ChangeNotVerifiedError, changeKeys, type PublicKey, verifyChange } from '../../client/verify-change.ts';
import { chained } from '../shared/integrity/exported-changes.ts';

const keyOf = (filler: number, root = 'k1') => ({
  root,
  key: deriveSigningKey(createSecretKey(Buffer.alloc(32, filler))),
});
const publicKeyOf = ({ root: kid, key }: ReturnType<typeof keyOf>): PublicKey =>
  ({ ...createPublicKey(key).export({ format: 'jwk' }), kid }) as PublicKey;

const [key, other] = [keyOf(7), keyOf(8)];
const keys = { keys: [publicKeyOf(key)] };
const signed = signChange(chained, key);

async function reasonFor(change: object, given: Parameters<typeof verifyChange>[1]['keys'] = keys): Promise<string> {
  const error = await verifyChange(change, { keys: given }).then(
    () => 'verified',
    (thrown: unknown) => thrown,
  );
  return error instanceof ChangeNotVerifiedError ? error.reason : String(error);
}

test('a change that the service signed is verified and returned, whatever the order of its members', async () => {
  expect(await verifyChange(signed, { keys })).toBe(signed);
  const reversed = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(signed))).reverse());
  expect(await verifyChange(reversed, { keys })).toBe(reversed);
});

test('the signature of a change is the same each time, and that of this key and this change is known', () => {
  expect(signChange(chained, key).signature).toBe(signed.signature);
  expect(signed.signature).toBe(knownSignature);
  expect(publicKeyOf(key)).toEqual({ crv: 'Ed25519', kty: 'OKP', kid: 'k1', x: knownKey });
});

/** Other implementations can check themselves against docs/integrate/events.md, which has the rules. */
const knownSignature =
  'eyJhbGciOiJFZERTQSIsImtpZCI6ImsxIn0..IRjF_6SkbJ2AgUdMQB70egJUBTuy4LMipOvGyBB7MqlKT0xLIWPddtNLZRrNfiJCtlhwoT2Rm_7UNPzjAeq5Cw';
const knownKey = '_hNghfLTPytfshFtxbwnjIfZlkwx69LMcfr4YvCAGss';

describe('a change is not verified', () => {
  const { signature, ...unsigned } = signed;
  const [header = '', , bytes = ''] = signature.split('.');
  const headerOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const another = signChange({ ...chained, id: '01KB3ZC4N7Z3QF4V6E5T8S9R2X' }, key);

  test.each<[string, object, string]>([
    ['without a signature', unsigned, 'missing-signature'],
    ['if a member was altered', { ...signed, action: 'access.enabled' }, 'altered'],
    ['if the state was altered', { ...signed, after: { ...signed.after, status: 'enabled' } }, 'altered'],
    ['if personal data was altered', { ...signed, reason: 'another' }, 'altered'],
    ['if personal data was removed', { ...signed, reason: null }, 'altered'],
    ['if a member was removed', { ...signed, sourceIp: undefined }, 'altered'],
    ['if a member was added', { ...signed, note: 'x' }, 'altered'],
    ['if its link was altered', { ...signed, integrity: { ...signed.integrity, previous: null } }, 'altered'],
    ['with the signature of another change', { ...signed, signature: another.signature }, 'altered'],
    ['with the signature of another key', signChange(chained, other), 'altered'],
    ['if the service has no key of that name', signChange(chained, keyOf(7, 'k9')), 'unknown-key'],
    ['with no algorithm', { ...unsigned, signature: `${headerOf({ alg: 'none', kid: 'k1' })}..${bytes}` }, 'malformed'],
    [
      'with another algorithm',
      { ...unsigned, signature: `${headerOf({ alg: 'HS256', kid: 'k1' })}..${bytes}` },
      'malformed',
    ],
    [
      'with a critical header',
      { ...unsigned, signature: `${headerOf({ alg: 'EdDSA', kid: 'k1', crit: ['x'] })}..${bytes}` },
      'malformed',
    ],
    [
      'with another header',
      { ...unsigned, signature: `${headerOf({ kid: 'k1', alg: 'EdDSA' })}..${bytes}` },
      'altered',
    ],
    ['with content in the signature', { ...unsigned, signature: `${header}.e30.${bytes}` }, 'malformed'],
    ['with a header that is not JSON', { ...unsigned, signature: `eHg..${bytes}` }, 'malformed'],
    ['with a short signature', { ...unsigned, signature: `${header}..${bytes.slice(1)}` }, 'malformed'],
    ['with a signature that is no text', { ...unsigned, signature: { header } }, 'malformed'],
    ['with an empty signature', { ...unsigned, signature: '' }, 'malformed'],
  ])('%s', async (_, change, reason) => {
    expect(await reasonFor(change)).toBe(reason);
  });

  test('if any character of it was altered', async () => {
    const text = canonicalJson(chained);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('a', '0', 'Z', '-'), async (at, character) => {
        const altered = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        const parsed = parse(altered);
        if (parsed === undefined || canonicalJson(parsed) === text) return;
        expect(await reasonFor({ ...parsed, signature })).toBe('altered');
      }),
    );
  });

  test('with a public key of another kind', async () => {
    const wrong: PublicKey[] = [
      { ...publicKeyOf(key), crv: 'X25519' },
      { ...publicKeyOf(key), kty: 'EC' },
      { kid: 'k1' },
    ];
    for (const each of wrong) expect(await reasonFor(signed, { keys: [each] })).toBe('unknown-key');
  });
});

function parse(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('changeKeys', () => {
  function serve(answers: readonly (() => Response | Promise<Response>)[]) {
    const urls: string[] = [];
    const send = async (url: unknown) => {
      urls.push(String(url));
      return (answers[urls.length - 1] ?? answers.at(-1))?.() ?? Response.error();
    };
    return { urls, options: { baseUrl: 'https://auth.example.com', fetch: send as typeof fetch } };
  }
  const answer = () => Response.json(keys);

  test('fetches the keys once, also for simultaneous changes, and not for each unknown name', async () => {
    const { urls, options } = serve([answer]);
    const fetched = changeKeys(options);
    await Promise.all(Array.from({ length: 5 }, () => verifyChange(signed, { keys: fetched })));
    for (const root of ['k8', 'k9'])
      expect(await reasonFor(signChange(chained, keyOf(7, root)), fetched)).toBe('unknown-key');
    await verifyChange(signed, { keys: fetched });
    expect(urls).toEqual(['https://auth.example.com/api/service/change-keys']);
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ['an error', () => new Response('{}', { status: 503 })],
    ['a page', () => new Response('<html>')],
    ['no keys', () => Response.json({})],
    ['too long an answer', () => new Response(JSON.stringify({ keys: [], more: 'x'.repeat(70_000) }))],
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ])('says that the keys are unavailable after %s, and does not ask again at once', async (_, broken) => {
    const { urls, options } = serve([broken]);
    const fetched = changeKeys(options);
    for (let time = 0; time < 3; time++) expect(await reasonFor(signed, fetched)).toBe('keys-unavailable');
    expect(urls).toHaveLength(1);
  });

  test('asks again when they are old, and uses the old ones while the service does not answer', async () => {
    const { urls, options } = serve([answer, () => new Response('', { status: 503 })]);
    const at = jumpingClock();
    try {
      const fetched = changeKeys({ ...options, keepSeconds: 600 });
      await verifyChange(signed, { keys: fetched });
      at.advance(599);
      await verifyChange(signed, { keys: fetched });
      expect(urls).toHaveLength(1);
      at.advance(2);
      await verifyChange(signed, { keys: fetched });
      await verifyChange(signed, { keys: fetched });
      expect(urls).toHaveLength(2);
      at.advance(61);
      await verifyChange(signed, { keys: fetched });
      expect(urls).toHaveLength(3);
    } finally {
      at.restore();
    }
  });

  test('finds the key of a root that was added since', async () => {
    const added = keyOf(9, 'k2');
    const { urls, options } = serve([answer, () => Response.json({ keys: [...keys.keys, publicKeyOf(added)] })]);
    const at = jumpingClock();
    try {
      const fetched = changeKeys(options);
      await verifyChange(signed, { keys: fetched });
      at.advance(61);
      await verifyChange(signChange(chained, added), { keys: fetched });
      expect(urls).toHaveLength(2);
    } finally {
      at.restore();
    }
  });

  test('follows no redirect, and ends the request after five seconds', async () => {
    let init: RequestInit | undefined;
    const send = async (_: unknown, given?: RequestInit) => {
      init = given;
      return answer();
    };
    await changeKeys({ baseUrl: 'https://auth.example.com', fetch: send as typeof fetch })('k1');
    expect(init).toMatchObject({ redirect: 'error', signal: expect.any(AbortSignal) });
  });
});

function jumpingClock() {
  const original = performance.now.bind(performance);
  let ahead = 0;
  performance.now = () => original() + ahead;
  return {
    advance: (seconds: number): void => {
      ahead += seconds * 1000;
    },
    restore: (): void => {
      performance.now = original;
    },
  };
}

test('verifyChange has less than 4,000 bytes, minified, imports nothing, and is not in the main entry', () => {
  const build = (entry: string) =>
    buildSync({
      entryPoints: [join(import.meta.dirname, `../../client/${entry}.ts`)],
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
    }).outputFiles[0]?.text ?? '';
  const text = build('verify-change');
  expect(text.length).toBeLessThan(4000);
  expect(text).not.toMatch(/\bimport\b|\brequire\b|node:|\bprocess\b|\bBuffer\b/);
  expect(build('index')).not.toContain('Ed25519');
  expect(gzipSync(text).length).toBeLessThan(2000);
});
