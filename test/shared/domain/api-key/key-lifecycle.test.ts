import { expect, test } from '@jest/globals';
import { rotateState, withoutLongEnded } from '#shared/domain/api-key/key-lifecycle.ts';
import { isActive } from '#shared/domain/request/authorize.ts';
import type { OperatorContext } from '#shared/domain/request/request-context.ts';
import { storedKey } from '../../../support/stored-items.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const createdAt = '2026-01-01T00:00:00.000Z';
const key = storedKey();

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
  expect(Object.keys(withoutLongEnded(keys, at, 10))).toEqual(['active', 'revokedLater', 'expiredLater']);
});

test('at most the given number of ended keys is kept, those that ended last', () => {
  const [first, second] = ['2026-11-20T17:00:00.000Z', '2026-11-20T18:00:00.000Z'];
  const keys = { active: key, first: { ...key, revokedAt: first }, second: { ...key, revokedAt: second } };
  expect(Object.keys(withoutLongEnded(keys, at, 1))).toEqual(['active', 'second']);
});

test('a rotation keeps every member that is not part of the lifecycle', () => {
  const caller = { kind: 'operator', via: 'iam', role: 'admin', id: 'eve', email: 'eve@example.com' } as const;
  const context: OperatorContext = { requestId: 'r', sourceIp: '192.0.2.7', caller };
  const other = { ...key, expiresAt: null, target: 'gateway' };
  const rotation = { oldKeyId: 'one', createdAt: at.toISOString(), overlapSeconds: 60 };
  const { old, next } = rotateState(other, rotation, context, at);
  expect(old).toEqual({ ...other, expiresAt: '2026-11-20T19:01:00.000Z' });
  expect(next).toEqual({
    ...other,
    createdAt: at.toISOString(),
    expiresAt: null,
    lifetimeSeconds: null,
    revokedAt: null,
    replaces: 'one',
    issuedBy: { via: 'iam', id: 'eve', email: 'eve@example.com' },
  });
});
