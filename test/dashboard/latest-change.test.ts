import { expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import { isLatestOf } from '../../dashboard/history/latest-change.ts';

const about = (change: Partial<Change>) => change as Change;
const block = about({ id: '2', action: 'access.changed', userId: 'ada', appId: 'billing' });
const grant = about({ id: '2', action: 'role.assigned', userId: 'ada', appId: 'billing', role: 'editor' });
const rollout = about({ id: '2', action: 'application.updated', appId: 'billing' });
const status = about({ id: '2', action: 'user.status.changed', userId: 'ada' });

test.each<[string, Change, Partial<Change>]>([
  ['another change of the access', block, { action: 'role.revoked', userId: 'ada', appId: 'billing', role: 'viewer' }],
  ['the deletion of the user', block, { action: 'user.deleted', userId: 'ada' }],
  ['a new user with the same ID', grant, { action: 'user.created', userId: 'ada' }],
  ['the deletion of the application', block, { action: 'application.deleted', appId: 'billing' }],
  ['the deletion of the role', grant, { action: 'role.deleted', appId: 'billing', role: 'editor' }],
  ['a new name for the user', status, { action: 'user.updated', userId: 'ada' }],
  ['a new key of the application', rollout, { action: 'key.issued', appId: 'billing' }],
])('after %s a change is no longer the latest', (_, change, later) => {
  expect(isLatestOf([about({ id: '3', ...later }), change], change)).toBe(false);
  expect(isLatestOf([change, about({ id: '1', ...later })], change)).toBe(true);
});

test.each<[string, Change, Partial<Change>]>([
  ['of another user', block, { action: 'access.changed', userId: 'bob', appId: 'billing' }],
  ['in another application', block, { action: 'access.changed', userId: 'ada', appId: 'wiki' }],
  ['of the user itself', block, { action: 'user.status.changed', userId: 'ada' }],
  ['of the application', block, { action: 'application.updated', appId: 'billing' }],
  ['of a role', rollout, { action: 'role.defined', appId: 'billing', role: 'viewer' }],
  ['of another role', grant, { action: 'role.deleted', appId: 'billing', role: 'viewer' }],
])('after a later change %s it is still the latest', (_, change, later) => {
  expect(isLatestOf([about({ id: '3', ...later }), change], change)).toBe(true);
});
