import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { canonicalJson } from '#shared/integrity/canonical-json.ts';
import { ChangeNotVerifiedError } from '../../client/verify/not-verified-error.ts';
import { type JwkSet, verifyChange } from '../../client/verify/verify-signed-change.ts';

/** A change as a receiver gets it. */
export interface ChangeVector {
  readonly name: string;
  /** The change, as the text of its JSON. */
  readonly change: string;
  /** As `GET /api/service/change-keys` answers them. */
  readonly keys: JwkSet;
  /** `verified`, or the reason for which it is not trusted. */
  readonly expected: string;
}

/** Test data: PKCS #8 of a seed that no service has. */
const privateKey = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 'test data')]),
  format: 'der',
  type: 'pkcs8',
});
const { kty = '', crv = '', x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
const keys: JwkSet = { keys: [{ kid: 'k1', kty, crv, x }] };

const change = {
  id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
  at: '2026-11-20T12:00:00.000Z',
  action: 'access.changed',
  appId: 'billing',
  userId: 'auth0|123',
  caller: { kind: 'operator' },
  requestId: 'KxYz1iQrDoEEJfA=',
  before: { status: 'enabled', explicit: false, until: null, reason: null, version: 0 },
  after: { status: 'disabled', explicit: true, until: null, reason: 'left – “for good” \u{1f600}\n\t"\\/', version: 1 },
  reason: 'left',
};
const rollout = { id: change.id, action: 'application.updated', after: { rolloutPercent: 33.33, version: 1e21 } };
const numbers = { id: change.id, numbers: [0, -0, 1, 100, 0.57, 1e-7, 123456789012345680000, 1e21, -1.5e-9, 25] };
const names = { id: change.id, ä: 1, z: 2, Z: 3, '\u{1f600}': 4, '\ufb33': 5, '€': 6, '': 7 };

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** The change with its signature; the header is that of the service unless a case says otherwise. */
function signed(content: object, header: object = { alg: 'EdDSA', kid: 'k1' }): Record<string, unknown> {
  const protectedHeader = base64Url(JSON.stringify(header));
  const input = `${protectedHeader}.${base64Url(canonicalJson(content))}`;
  const signature = sign(null, Buffer.from(input), privateKey).toString('base64url');
  return { ...content, signature: `${protectedHeader}..${signature}` };
}

const genuine = signed(change);
const signature = `${genuine.signature}`;

const cases: readonly (readonly [name: string, change: object, expected: string, keys?: JwkSet])[] = [
  ['a change', genuine, 'verified'],
  ['a change with its members in another order', Object.fromEntries(Object.entries(genuine).reverse()), 'verified'],
  ['a rollout with decimals', signed(rollout), 'verified'],
  ['numbers of every form', signed(numbers), 'verified'],
  ['names in the order of UTF-16', signed(names), 'verified'],
  ['no signature', change, 'missing-signature'],
  ['another user', { ...genuine, userId: 'eve' }, 'altered'],
  ['another member within', { ...genuine, after: { ...change.after, status: 'enabled' } }, 'altered'],
  ['one more member', { ...genuine, note: 'added' }, 'altered'],
  ['one member less', Object.fromEntries(Object.entries(genuine).filter(([name]) => name !== 'reason')), 'altered'],
  ['a text in place of null', { ...genuine, before: { ...change.before, reason: 'null' } }, 'altered'],
  ['a key that the service does not have', signed(change, { alg: 'EdDSA', kid: 'k2' }), 'unknown-key'],
  ['a key of another curve', genuine, 'unknown-key', { keys: [{ kid: 'k1', kty, crv: 'X25519', x }] }],
  ['no keys', genuine, 'unknown-key', { keys: [] }],
  ['another algorithm', signed(change, { alg: 'none', kid: 'k1' }), 'malformed'],
  ['a header without a key', signed(change, { alg: 'EdDSA' }), 'malformed'],
  ['a header with extensions', signed(change, { alg: 'EdDSA', kid: 'k1', crit: ['exp'] }), 'malformed'],
  ['a signature with its content', { ...genuine, signature: signature.replace('..', '.e30.') }, 'malformed'],
  ['a signature that is too short', { ...genuine, signature: signature.slice(0, -1) }, 'malformed'],
  ['a signature that is no text', { ...genuine, signature: 7 }, 'malformed'],
  ['a header that is no JSON', { ...genuine, signature: signature.replace(/^[^.]+/, 'AAAA') }, 'malformed'],
];

/** All changes. Throws if the SDK decides otherwise about one. */
export async function buildChanges(): Promise<ChangeVector[]> {
  for (const [name, given, expected, known = keys] of cases) {
    const found = await verifyChange(given, { keys: known }).then(
      () => 'verified',
      (error) => (error instanceof ChangeNotVerifiedError ? error.reason : `${error}`),
    );
    if (found !== expected) throw new Error(`${name}: the SDK says ${found}`);
  }
  return cases.map(([name, given, expected, known = keys]) => ({
    name,
    change: JSON.stringify(given),
    keys: known,
    expected,
  }));
}
