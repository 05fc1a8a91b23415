import { describe, expect, test } from '@jest/globals';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { authorizeCaller, isActive, requireOpen, requireScope } from '#shared/domain/api-key/authorize-caller.ts';
import { requireKey, requireKeyLimit, withoutLongEnded } from '#shared/domain/api-key/key-states.ts';
import type { KeyState } from '#shared/table/items/application-item.ts';
import { storedApplication, storedKey } from '../../../support/stored-items.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const [appId, keyId] = ['billing' as AppId, 'svk_k1_billing_1' as KeyId];
const createdAt = '2026-01-01T00:00:00.000Z';
const key = storedKey();
const applicationWith = (keys: Record<string, KeyState>) => storedApplication({ keys });
const signed = {
  caller: { kind: 'api-key', appId, keyId },
  requiredScope: 'access:read',
  requestId: 'r',
  sourceIp: '192.0.2.7',
} as const;
const operator = {
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' },
  requestId: 'r',
  sourceIp: '192.0.2.7',
} as const;

describe('authorizeCaller', () => {
  test('authorizes an active key with its scopes', () => {
    const application = applicationWith({ [keyId]: key });
    expect(authorizeCaller(signed, application, at)).toEqual({ application, scopes: ['access:read'] });
  });

  test.each([
    ['of an application that was deleted', undefined],
    ['that was removed from the application', applicationWith({})],
    ['that was revoked', applicationWith({ [keyId]: { ...key, revokedAt: createdAt } })],
  ])('refuses a key %s as revoked', (_, application) => {
    expect(() => authorizeCaller(signed, application, at)).toThrow(
      new ServiceError('key_revoked', { detail: 'This API key was revoked. Use another one.' }),
    );
  });

  test('refuses a key from the exact time of its expiry', () => {
    const ending = (expiresAt: string) => () =>
      authorizeCaller(signed, applicationWith({ [keyId]: { ...key, expiresAt } }), at);
    expect(ending('2026-11-20T19:00:00.000Z')).toThrow(
      new ServiceError('key_expired', {
        detail: 'This API key expired at 2026-11-20T19:00:00.000Z. Use another one.',
      }),
    );
    expect(ending('2026-11-20T19:00:00.001Z')).not.toThrow();
  });

  test('authorizes operators for everything in an application that exists', () => {
    const application = applicationWith({});
    expect(authorizeCaller(operator, application, at)).toEqual({ application, scopes: 'all' });
    expect(() => authorizeCaller(operator, undefined, at)).toThrow(
      expect.objectContaining({ code: 'application_not_found' }),
    );
  });
});

describe('requireScope', () => {
  const application = applicationWith({});

  test('refuses a key without the scope required by the record of the operation', () => {
    expect(() => requireScope({ application, scopes: ['access:write', 'roles:write'] }, signed)).toThrow(
      new ServiceError('scope_missing', {
        detail: 'This takes the scope access:read; the API key has access:write, roles:write.',
      }),
    );
    expect(() => requireScope({ application, scopes: [] }, signed)).toThrow('the API key has none.');
    expect(() => requireScope({ application, scopes: ['access:read'] }, signed)).not.toThrow();
  });

  test('refuses a key if no scope is defined, because only operators need none', () => {
    expect(() => requireScope({ application, scopes: ['access:read'] }, operator)).toThrow(
      expect.objectContaining({ code: 'scope_missing' }),
    );
  });

  test('requires no scope of operators', () => {
    expect(() => requireScope({ application, scopes: 'all' }, operator)).not.toThrow();
    expect(() => requireScope({ application, scopes: 'all' }, signed)).not.toThrow();
  });
});

describe('the keys of an application', () => {
  test('keys are active until they are revoked or expire', () => {
    expect(isActive(key, at)).toBe(true);
    expect(isActive({ ...key, revokedAt: createdAt }, at)).toBe(false);
    expect(isActive({ ...key, expiresAt: at.toISOString() }, at)).toBe(false);
    expect(isActive({ ...key, expiresAt: '2026-11-20T19:00:00.001Z' }, at)).toBe(true);
  });

  test('keys are removed from the item thirty days after their end', () => {
    const [thirtyDays, justLess] = ['2026-10-21T19:00:00.000Z', '2026-10-21T19:00:00.001Z'];
    const keys = {
      active: key,
      revoked: { ...key, revokedAt: thirtyDays },
      expired: { ...key, expiresAt: thirtyDays },
      revokedLater: { ...key, revokedAt: justLess },
      expiredLater: { ...key, expiresAt: justLess },
    };
    expect(Object.keys(withoutLongEnded(keys, at))).toEqual(['active', 'revokedLater', 'expiredLater']);
  });

  test('the ten most recently ended keys stay in the item', () => {
    const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000).toISOString();
    const ended = Array.from({ length: 12 }, (_, n) => {
      const end = n % 2 === 0 ? { expiresAt: minutesAgo(n) } : { revokedAt: minutesAgo(n), expiresAt: minutesAgo(-60) };
      return [`ended${n}`, { ...key, ...end }] as const;
    });
    const kept = Object.keys(withoutLongEnded({ active: key, ...Object.fromEntries(ended.toReversed()) }, at));
    expect(kept.sort()).toEqual(['active', ...Array.from({ length: 10 }, (_, n) => `ended${n}`)]);
  });

  test('an application has at most ten active keys', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, key]));
    expect(() => requireKeyLimit(keys(10), at)).not.toThrow();
    expect(() => requireKeyLimit({ ...keys(10), old: { ...key, revokedAt: createdAt } }, at)).not.toThrow();
    expect(() => requireKeyLimit(keys(11), at)).toThrow(
      new ServiceError('too_many_keys', { detail: 'An application has at most 10 unexpired keys. Revoke one first.' }),
    );
  });

  test('keys are found by their own ids and not by the names of inherited members', () => {
    const application = applicationWith({ [keyId]: key });
    expect(requireKey(application, keyId)).toBe(key);
    for (const other of ['svk_k1_billing_2', 'constructor', 'toString']) {
      expect(() => requireKey(application, other)).toThrow(
        new ServiceError('key_not_found', { detail: 'The application has no API key with this id.' }),
      );
    }
  });
});

describe('requireOpen', () => {
  const later = new Date(at.getTime() + 1).toISOString();

  test.each([
    ['that is open', undefined],
    ['whose closing has just expired', at.toISOString()],
  ])('accepts a change in an application %s', (_, closedUntil) => {
    expect(() => requireOpen({ ...applicationWith({}), closedUntil }, at)).not.toThrow();
  });

  test('refuses a change in a closed application, for some seconds', () => {
    const refused = expect.objectContaining({
      code: 'unavailable',
      options: {
        detail: 'Somebody is about to delete this application. Try again in some seconds.',
        headers: { 'retry-after': '5' },
      },
    });
    expect(() => requireOpen({ ...applicationWith({}), closedUntil: later }, at)).toThrow(refused);
  });
});
