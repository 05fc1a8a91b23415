import { createHash, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chainChange, isChangeMacValid } from '#shared/integrity/change-mac.ts';
import { type ChangeRecord, redactChange } from '#shared/integrity/redact-change.ts';
import { deriveChainKey } from '#shared/keys/chain-keys.ts';
import { chained, chainKey, plainChange, salt } from './exported-changes.ts';

function isValid(change: ChangeRecord, key = chainKey.key): boolean {
  const redacted = redactChange(change);
  return redacted !== undefined && isChangeMacValid(redacted, key);
}

/** Written by hand, in the order of the members' names. */
const personalText =
  '{"personal":{"after":{"reason":"left the team"},"before":{"reason":null},"caller":{"email":"edith@example.org","id":"sub-1"},"reason":"left the team","sourceIp":"192.0.2.7"},"salt":"AAECAwQFBgcICQoLDA0ODw"}';
const textOf = (digest: string) =>
  `{"action":"access.changed","after":{"explicit":true,"status":"disabled","until":null,"version":4},"appId":"billing","at":"2026-11-20T19:14:11.123Z","before":{"explicit":false,"status":"enabled","until":null,"version":3},"caller":{"issuer":"https://login.example.org","kind":"operator","role":"support","via":"token"},"id":"01KB3ZC4N7Z3QF4V6E5T8S9R2W","integrity":{"personal":"${digest}","previous":"QBf00L3jHlCJ98R8cZF3nA","root":"k1"},"requestId":"KxYz1iQrDoEEJfA=","userId":"ada"}`;

describe('the MAC of a Change', () => {
  test('is HMAC-SHA-256-128 of its redacted form, with a key derived from the root only for this', () => {
    const key = hkdfSync('sha256', Buffer.alloc(32, 7), '', 'auth-service/change-chain/1', 32);
    const digest = createHash('sha256').update(personalText).digest('base64url');
    const mac = createHmac('sha256', Buffer.from(key)).update(textOf(digest)).digest().subarray(0, 16);
    expect(chained).toEqual({
      ...plainChange,
      integrity: { root: 'k1', previous: 'QBf00L3jHlCJ98R8cZF3nA', salt, mac: mac.toString('base64url') },
    });
  });

  test('is stable, so that a Change can be verified for years', () => {
    expect([digestOf(chained), chained.integrity.mac]).toEqual([
      'f5xzz2T6IqwmhN4Q4j07lWbTn9z3yRb6R1upAfWsRJU',
      'w4_Zkk-kRKqdeT5ojy80hw',
    ]);
    expect(isValid(chained)).toBe(true);
  });

  test('is correct whole, redacted, and redacted again', () => {
    const redacted = redactChange(chained) as ChangeRecord;
    expect([isValid(redacted), redactChange(redacted)]).toEqual([true, redacted]);
    expect(JSON.stringify(redacted)).not.toMatch(/edith|sub-1|192\.0\.2\.7|left the team|AAECAwQ/);
  });

  test('is wrong under another root', () => {
    expect(isValid(chained, deriveChainKey(createSecretKey(Buffer.alloc(32, 8))))).toBe(false);
  });

  test.each(['', 'short', 'é', 'XE1FDC9M2rB8Qr6j_0l0eQ', chained.integrity.mac.toLowerCase()])('is not "%s"', (mac) => {
    expect(isValid({ ...chained, integrity: { ...chained.integrity, mac } })).toBe(false);
  });

  test('two identical Changes have different digests because of their salts', () => {
    const other = chainChange(plainChange, { previous: null, salt: 'AAECAwQFBgcICQoLDA0ODg' }, chainKey);
    expect(digestOf(other)).not.toBe(digestOf(chained));
  });
});

describe('a modification of any member is noticed', () => {
  const leaves = leavesOf(chained);
  const anything = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined));

  test.each(leaves.map((path) => [path.join('.'), path] as const))('%s', (_, path) => {
    // A MAC that is not a string cannot get here.
    const values = path.at(-1) === 'mac' ? fc.string() : anything;
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(value !== valueAt(chained, path));
        expect(isValid(altered(chained, path, value))).toBe(false);
      }),
      { numRuns: 25 },
    );
  });

  test.each([
    [['extra']],
    [['caller', 'extra']],
    [['before', 'extra']],
    [['after', 'displayName']],
    [['before', 'email']],
  ])('an added member: %j', (path) => {
    expect(isValid(altered(chained, path, 'x'))).toBe(false);
    expect(isValid(altered(redactChange(chained) as ChangeRecord, path, 'x'))).toBe(false);
  });

  test('a member that moves from one state to the other', () => {
    expect(isValid({ ...chained, before: chained.after, after: chained.before })).toBe(false);
  });
});

describe('a redacted Change', () => {
  const redacted = redactChange(chained) as ChangeRecord;

  test.each(leavesOf(redactChange(chained) as object).map((path) => [path.join('.'), path] as const))(
    'is wrong if %s is altered',
    (_, path) => {
      expect(isValid(altered(redacted, path, 'altered'))).toBe(false);
    },
  );

  test.each([
    ['a reason', { reason: 'another' }],
    ['no reason', { reason: null }],
    ['a ticket', { ticket: 'INC-1' }],
    ['an address', { sourceIp: '192.0.2.8' }],
    ['an operator', { caller: { ...plainChange.caller } }],
  ])('does not cover data added next to the digest: %s', (_, members) => {
    expect(redactChange({ ...redacted, ...members })).toBeUndefined();
  });

  test('cannot be verified with both salt and digest, or with neither', () => {
    const { root, previous, mac } = chained.integrity;
    expect(
      redactChange({ ...chained, integrity: { ...chained.integrity, personal: digestOf(chained) ?? '' } }),
    ).toBeUndefined();
    expect(redactChange({ ...chained, integrity: { root, previous, mac } })).toBeUndefined();
    expect(redactChange({ ...plainChange } as ChangeRecord)).toBeUndefined();
  });
});

function digestOf(change: ChangeRecord): string | undefined {
  return redactChange(change)?.integrity.personal;
}

type Path = readonly string[];

function leavesOf(value: object, path: Path = []): Path[] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'object' && member !== null ? leavesOf(member, [...path, name]) : [[...path, name]],
  );
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner, name) => Object(inner)[name], value);
}

function altered(change: ChangeRecord, [name = '', ...rest]: Path, value: unknown): ChangeRecord {
  if (rest.length === 0) return { ...change, [name]: value } as ChangeRecord;
  return { ...change, [name]: altered(Object(change[name]), rest, value) } as ChangeRecord;
}
