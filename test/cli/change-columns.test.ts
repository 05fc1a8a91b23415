import { describe, expect, test } from '@jest/globals';
import type { Caller, Change } from '#shared/contract/change.ts';
import { changeColumns } from '../../cli/history/change-columns.ts';
import { formatTime } from '../../cli/terminal/format-time.ts';

const names = { users: new Map([['ada', 'Ada King']]), applications: new Map([['billing', 'Billing']]) };
const cell = (column: string, change: Partial<Change>) =>
  changeColumns(() => names)
    .find(({ title }) => title === column)
    ?.cell(change as Change);

describe('a change in a history', () => {
  test.each<[string, Partial<Change>, string]>([
    [
      'what differs, without the version',
      { before: { status: 'enabled', version: 1 }, after: { status: 'disabled', version: 2 } },
      'Status: Allowed → Blocked',
    ],
    ['what came', { before: null, after: { role: 'editor', description: null } }, 'Role: editor'],
    ['what went', { before: { role: 'editor', version: 1 }, after: null }, 'Role: editor → none'],
    [
      'timestamps as times',
      { before: {}, after: { until: '2099-01-01T00:00:00.000Z' } },
      `Until: ${formatTime('2099-01-01T00:00:00.000Z')}`,
    ],
    ['no reason twice', { before: { reason: null }, after: { reason: 'audit' }, reason: 'audit' }, '-'],
    [
      'a rollout in percent',
      { before: { name: 'CRM', rolloutPercent: 25 }, after: { name: 'CRM', rolloutPercent: 50 } },
      'Rollout: 25% → 50%',
    ],
    [
      'what was undone, and the bulk change',
      { before: { status: 'disabled' }, after: { status: 'enabled' }, undoOf: '01A', bulkId: '01B' },
      'Status: Blocked → Allowed, undo of 01A, bulk 01B',
    ],
    ['nothing when nothing is known', { before: null, after: null }, '-'],
  ])('shows %s', (_, sides, shown) => {
    expect(cell('CHANGE', { reason: null, ...sides })).toBe(shown);
  });

  test.each<[Partial<Change>, string]>([
    [{ userId: 'ada', appId: 'billing', role: 'editor' }, 'Ada King (ada) in Billing (billing), editor'],
    [{ userId: 'bob', appId: 'crm' }, 'bob in crm'],
    [{ appId: 'billing', keyId: 'svk_1' }, 'Billing (billing), svk_1'],
    [{ userId: 'ada' }, 'Ada King (ada)'],
  ])('%j is about %s', (change, name) => {
    expect(cell('SUBJECT', change)).toBe(name);
  });

  test.each([
    [{ kind: 'api-key', appId: 'billing', keyId: 'svk_1' }, 'svk_1'],
    [
      { kind: 'operator', via: 'token', role: 'admin', id: 'sub-1', email: 'ops@example.com' },
      'ops@example.com (admin)',
    ],
    [
      { kind: 'operator', via: 'token', role: 'viewer', id: 'arn:aws:iam::123456789012:user/root' },
      'token arn:aws:iam::123456789012:user/root (viewer)',
    ],
    [{ kind: 'operator', via: 'iam', id: 'arn:aws:iam::123456789012:user/ada', role: 'admin' }, 'user/ada (admin)'],
    [{ kind: 'operator', via: 'token', id: 'sub-1', role: 'support' }, 'token sub-1 (support)'],
    [
      { kind: 'operator', via: 'iam', role: 'admin', id: 'arn:aws:sts::123456789012:assumed-role/Admin/ada' },
      'assumed-role/Admin/ada (admin)',
    ],
  ])('%j is named %s', (caller, name) => {
    expect(cell('CHANGED BY', { caller: caller as Caller })).toBe(name);
  });
});
