import { describe, expect, test } from '@jest/globals';
import type { KeyId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { requireKey, requireKeyLimit, withoutLongEndedKeys } from '#shared/domain/api-key/owned-keys.ts';
import { storedKey } from '../../../support/stored-items.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const keyId = 'svk_k1_billing_1' as KeyId;
const createdAt = '2026-01-01T00:00:00.000Z';
const key = storedKey();

describe('the keys of an application', () => {
  test('the ten most recently ended keys stay in the item', () => {
    const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000).toISOString();
    const ended = Array.from({ length: 12 }, (_, n) => {
      const end = n % 2 === 0 ? { expiresAt: minutesAgo(n) } : { revokedAt: minutesAgo(n), expiresAt: minutesAgo(-60) };
      return [`ended${n}`, { ...key, ...end }] as const;
    });
    const kept = Object.keys(withoutLongEndedKeys({ active: key, ...Object.fromEntries(ended.toReversed()) }, at));
    expect(kept.sort()).toEqual(['active', ...Array.from({ length: 10 }, (_, n) => `ended${n}`)]);
  });

  test('an application has at most ten active keys', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, key]));
    expect(() => requireKeyLimit(keys(10), at)).not.toThrow();
    expect(() => requireKeyLimit({ ...keys(10), old: { ...key, revokedAt: createdAt } }, at)).not.toThrow();
    expect(() => requireKeyLimit(keys(11), at)).toThrow(
      new ServiceError('too_many_keys', { detail: 'There can be at most 10 unexpired keys. Revoke one first.' }),
    );
  });

  test('keys are found by their own ids and not by the names of inherited members', () => {
    const keys = { [keyId]: key };
    expect(requireKey(keys, keyId)).toBe(key);
    for (const other of ['svk_k1_billing_2', 'constructor', 'toString']) {
      expect(() => requireKey(keys, other)).toThrow(
        new ServiceError('key_not_found', { detail: 'There is no key with this id here.' }),
      );
    }
  });
});
