import { describe, expect, test } from '@jest/globals';
import { decideEvaluation } from '#shared/domain/access/decide-evaluation.ts';
import { storedAccess, storedApplication, storedUser } from '../../../support/stored-items.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const later = '2026-11-20T19:00:00.001Z';
const grant = (expiresAt: string | null = null) => ({ expiresAt, grantedAt: '2026-01-01T00:00:00.000Z' });
const basis = (roles: object = {}, also: object = {}) => ({
  application: storedApplication(),
  user: storedUser(),
  access: storedAccess({ roles: roles as never, ...also }),
});
const isAllowed = (facts: Parameters<typeof decideEvaluation>[0], action: string) =>
  decideEvaluation(facts, action, at).decision;

test('entering needs no role; any other action needs the role of its name', () => {
  expect(decideEvaluation(basis(), 'enter', at)).toEqual({
    decision: true,
    context: { userStatus: 'active', effectiveStatus: 'enabled', decidedBy: 'default', roles: [] },
  });
  expect(decideEvaluation(basis({ editor: grant() }), 'writer', at)).toEqual({
    decision: false,
    context: {
      userStatus: 'active',
      effectiveStatus: 'enabled',
      decidedBy: 'default',
      roles: ['editor'],
      code: 'role_missing',
    },
  });
  expect(isAllowed(basis({ editor: grant() }), 'editor')).toBe(true);
});

test('names of roles are case-sensitive, and inherited members are no roles', () => {
  for (const action of ['Editor', 'editor ', 'constructor', '__proto__', 'ENTER', '0', '']) {
    expect([action, isAllowed(basis({ editor: grant() }), action)]).toEqual([action, false]);
  }
});

test('a role counts until it expires', () => {
  expect(isAllowed(basis({ editor: grant(later) }), 'editor')).toBe(true);
  expect(isAllowed(basis({ editor: grant(at.toISOString()) }), 'editor')).toBe(false);
});

describe('whoever may not enter may do nothing, whatever the roles', () => {
  const roles = { editor: grant(), enter: grant() };
  test.each([
    ['explicit', basis(roles, { status: 'disabled' })],
    ['user', { ...basis(roles, { status: 'enabled' }), user: storedUser({ status: 'inactive' }) }],
    ['rollout', { ...basis(roles), application: storedApplication({ rolloutPercent: 0 }) }],
  ])('decided by %s', (decidedBy, facts) => {
    for (const action of ['enter', 'editor']) {
      const { decision, context } = decideEvaluation(facts, action, at);
      expect([decision, context]).toEqual([
        false,
        expect.objectContaining({ effectiveStatus: 'disabled', decidedBy, roles: ['editor', 'enter'] }),
      ]);
    }
  });
});
