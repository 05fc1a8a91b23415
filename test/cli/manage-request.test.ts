import { expect, test } from '@jest/globals';
import { manageRequest, queryString } from '../../cli/service/manage-request.ts';

test('fills the path with encoded ids', () => {
  const request = manageRequest('set-user-access', {
    path: { userId: "a/b|c+d@e'", appId: 'billing' },
    body: { status: 'enabled' },
  });
  expect(request).toEqual({
    method: 'PUT',
    path: '/api/manage/users/a%2Fb%7Cc%2Bd%40e%27/access/billing',
    query: {},
    body: '{"status":"enabled"}',
    idempotencyKey: expect.stringMatching(/^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/),
  });
});

test('gives each write its own Idempotency-Key, and a read none', () => {
  const revoke = () => manageRequest('revoke-key', { path: { appId: 'billing', keyId: 'svk_1' } }).idempotencyKey;
  expect(new Set([revoke(), revoke()]).size).toBe(2);
  expect(manageRequest('list-users', {}).idempotencyKey).toBeUndefined();
});

test.each(['', '.', '..'])('refuses %j as an id, which would change the path', (keyId) => {
  expect(() => manageRequest('revoke-key', { path: { appId: 'billing', keyId } })).toThrow('is not a valid id');
});

test('omits undefined values, keeps empty ones', () => {
  const query = { after: '', limit: 5, cursor: undefined };
  const request = manageRequest('list-application-changes', { path: { appId: 'billing' }, query });
  expect(request.query).toEqual({ after: '', limit: '5' });
  const deletion = manageRequest('delete-application', { path: { appId: 'billing' }, query: { force: true } });
  expect(deletion.query).toEqual({ force: 'true' });
});

test('encodes a query as Signature Version 4 does', () => {
  expect(queryString({ prefix: 'a +/*', limit: '5' })).toBe('?prefix=a%20%2B%2F%2A&limit=5');
  expect(queryString({})).toBe('');
});
