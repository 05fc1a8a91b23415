import { expect, test } from '@jest/globals';
import type { AppId, KeyId, UserId } from '#shared/contract/fields.ts';
import { decideStatusChange } from '#shared/domain/access/decide-access-change.ts';
import { type Attempt, evaluateChange } from '#shared/domain/access/evaluate-change.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const createdAt = '2026-01-01T00:00:00.000Z';
const [userId, appId, keyId] = ['ada' as UserId, 'billing' as AppId, 'svk_k1_billing_1' as KeyId];
const user = {
  userId,
  status: 'active',
  displayName: null,
  email: null,
  version: 1,
  createdAt,
  updatedAt: createdAt,
} as const;
const application = { appId, name: 'Billing', keys: {}, version: 1, createdAt, updatedAt: createdAt };
const access = { userId, appId, status: null, until: null, reason: null, roles: {}, version: 0, updatedAt: null };
const setting = { status: 'disabled', until: null, reason: null } as const;

const attempt: Attempt = {
  command: { userId, appId },
  rule: { decide: ({ access: current }) => decideStatusChange(current, setting) },
  current: { application, user, access, also: undefined },
  authorized: { application, scopes: ['access:write'] },
  context: {
    caller: { kind: 'api-key', appId, keyId },
    requiredScope: 'access:write',
    requestId: 'r',
    sourceIp: '192.0.2.7',
    nonce: { keyId, value: 'n', created: 0 },
  },
  at,
};

test('a change that is allowed has the outcome change, to be written', () => {
  expect(evaluateChange(attempt)).toMatchObject({ kind: 'change', user, change: { action: 'access.changed' } });
});

test('a change that is already in effect is answered as unchanged', () => {
  const current = { ...attempt.current, access: { ...access, ...setting, version: 3 } };
  expect(evaluateChange({ ...attempt, current })).toMatchObject({
    kind: 'unchanged',
    answer: { changed: false, effectiveStatus: 'disabled', version: 3 },
  });
});

test.each([
  ['scope_missing', { authorized: { application, scopes: ['access:read', 'roles:write'] as const } }],
  ['user_not_found', { current: { ...attempt.current, user: undefined } }],
  ['version_mismatch', { command: { userId, appId, ifMatch: [1] } }],
] as const)('the refusal %s is an outcome and not thrown, so that it spends the nonce', (code, difference) => {
  expect(evaluateChange({ ...attempt, ...difference })).toMatchObject({ kind: 'refused', refusal: { code } });
});

test('a refusal for another version names the access and its version', () => {
  const evaluation = evaluateChange({ ...attempt, command: { userId, appId, ifMatch: [1] } });
  const message = 'version_mismatch: The access is at version 0. Read it again and decide anew.';
  expect(evaluation).toMatchObject({ refusal: { message, options: { members: { version: 0 } } } });
});

test('operators need no scope to change an access', () => {
  const { requestId, sourceIp } = attempt.context;
  const context = { caller: { kind: 'operator', id: 'ada' }, requestId, sourceIp } as const;
  expect(evaluateChange({ ...attempt, context, authorized: { application, scopes: 'all' } }).kind).toBe('change');
});

test('an error that is no ServiceError is thrown', () => {
  const rule = {
    decide: () => {
      throw new TypeError('a defect');
    },
  };
  expect(() => evaluateChange({ ...attempt, rule })).toThrow('a defect');
});
