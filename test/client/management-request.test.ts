import { expect, test } from '@jest/globals';
import { managementRequest, queryString } from '#client/management/management-request.ts';

test('fills the path with encoded ids', () => {
  const request = managementRequest('set-user-access', {
    path: { userId: "a/b|c+d@e'", appId: 'billing' },
    body: { status: 'enabled' },
  });
  expect(request).toEqual({
    method: 'PUT',
    path: '/api/manage/users/a%2Fb%7Cc%2Bd%40e%27/access/billing',
    query: {},
    body: '{"status":"enabled"}',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/),
    },
  });
});

test('gives each write its own Idempotency-Key, and a read none', () => {
  const revoke = () => managementRequest('revoke-key', { path: { appId: 'billing', keyId: 'svk_1' } }).headers;
  expect(new Set([revoke(), revoke()].map((headers) => headers['idempotency-key'])).size).toBe(2);
  expect(managementRequest('list-users', {}).headers).toEqual({});
});

test('passes the Idempotency-Key and the version of the caller', () => {
  const conditions = { idempotencyKey: 'mine', ifMatch: 3 };
  const { headers } = managementRequest(
    'revoke-user-role',
    { path: { userId: 'ada', appId: 'billing', role: 'x' } },
    conditions,
  );
  expect(headers).toEqual({ 'idempotency-key': '"mine"', 'if-match': '"3"' });
});

test.each(['', '.', '..'])('refuses %j as an id, which would change the path', (keyId) => {
  expect(() => managementRequest('revoke-key', { path: { appId: 'billing', keyId } })).toThrow('is not a valid id');
});

test('omits undefined values, keeps empty ones', () => {
  const query = { after: '', limit: 5, cursor: undefined };
  const request = managementRequest('list-application-changes', { path: { appId: 'billing' }, query });
  expect(request.query).toEqual({ after: '', limit: '5' });
  const deletion = managementRequest('delete-application', { path: { appId: 'billing' }, query: { force: true } });
  expect(deletion.query).toEqual({ force: 'true' });
});

test('encodes a query as Signature Version 4 does', () => {
  expect(queryString({ prefix: 'a +/*', limit: '5' })).toBe('?prefix=a%20%2B%2F%2A&limit=5');
  expect(queryString({})).toBe('');
});
