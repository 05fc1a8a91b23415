import { describe } from '@jest/globals';
import { page, testRequests } from './sent-request.ts';
import { app, key, role } from './views.ts';

const operator = {
  id: 'arn:aws:iam::111122223333:user/edith',
  via: 'iam',
  email: null,
  roles: [
    { role: 'viewer', appId: null },
    { role: 'support', appId: 'billing' },
  ],
};
const { keyId } = key;
const issuedBy = { via: 'token', id: 'edith', email: 'edith@example.com' };
const listedKey = { ...key, label: 'Backend', issuedBy, appId: 'billing', applicationName: 'Billing' };

describe('a command for applications, keys or roles sends its signed request and prints the outcome', () => {
  testRequests([
    [
      'apps create billing Billing',
      'POST /applications',
      { body: { appId: 'billing', name: 'Billing' } },
      app,
      'Created the application billing.',
    ],
    ['apps create billing', 'POST /applications', { body: { appId: 'billing', name: 'billing' } }, app, 'Created'],
    [
      'apps create billing --rollout 0',
      'POST /applications',
      { body: { appId: 'billing', name: 'billing', rolloutPercent: 0 } },
      { ...app, rolloutPercent: 0 },
      'Created',
    ],
    ['apps list --limit 5', 'GET /applications', { query: 'limit=5' }, page(app), 'billing      Billing  100 %'],
    [
      'whoami',
      'GET /operator',
      {},
      operator,
      'user/edith\nroles       viewer, support of billing\ndeployment  local, ',
    ],
    ['apps show billing', 'GET /applications/billing', {}, app, 'rollout      100 %'],
    [
      'apps show billing',
      'GET /applications/billing',
      {},
      { ...app, requestsPerSecond: 200 },
      'limit        200 requests per second',
    ],
    [
      'apps update billing --requests-per-second 200',
      'PATCH /applications/billing',
      { body: { requestsPerSecond: 200 } },
      app,
      'Updated the application billing.',
    ],
    [
      'apps update billing --requests-per-second none --name New',
      'PATCH /applications/billing',
      { body: { name: 'New', requestsPerSecond: null } },
      app,
      'Updated',
    ],
    [
      'apps update billing --require-reason all',
      'PATCH /applications/billing',
      { body: { requireReason: 'all' } },
      app,
      'Updated',
    ],
    [
      'apps update billing --require-reason none',
      'PATCH /applications/billing',
      { body: { requireReason: null } },
      app,
      'Updated',
    ],
    [
      'apps update billing --review-every 90',
      'PATCH /applications/billing',
      { body: { reviewEveryDays: 90 } },
      app,
      'Updated',
    ],
    [
      'apps update billing --review-every none',
      'PATCH /applications/billing',
      { body: { reviewEveryDays: null } },
      app,
      'Updated',
    ],
    [
      'apps show billing',
      'GET /applications/billing',
      {},
      { ...app, reviewEveryDays: 1, reviewDueAt: '2026-11-20T00:00:00.000Z' },
      'reviews      every 1 day\nreviewed     -\nreview due   2026-11-20 00:00:00Z (',
    ],
    ['apps rename billing New', 'PATCH /applications/billing', { body: { name: 'New' } }, app, 'Renamed'],
    [
      'keys issue billing --expires never',
      'POST /applications/billing/keys',
      { body: { scopes: ['access:read'], expiresAt: null } },
      key,
      'secret   svs_test',
    ],
    ['keys list billing --cursor c+', 'GET /applications/billing/keys', { query: 'cursor=c%2B' }, page(key), 'active'],
    [
      'keys issue billing --label Backend --expires never',
      'POST /applications/billing/keys',
      { body: { label: 'Backend', scopes: ['access:read'], expiresAt: null } },
      { ...key, label: 'Backend' },
      'label    Backend',
    ],
    ['keys list', 'GET /keys', {}, page(listedKey), 'svk_k1_billing_01  billing      Backend  active'],
    [
      'keys list --ends-within 30d --unused-for 4w --state active',
      'GET /keys',
      { query: 'state=active&endsWithin=PT2592000S&unusedFor=PT2419200S' },
      page(listedKey),
      'edith@example.com',
    ],
    [
      `keys label billing ${keyId} Backend`,
      `PATCH /applications/billing/keys/${keyId}`,
      { body: { label: 'Backend' } },
      key,
      'Labelled',
    ],
    [
      `keys rotate billing ${keyId}`,
      `POST /applications/billing/keys/${keyId}/rotate`,
      { body: { overlap: 'PT86400S' } },
      key,
      'svs_test',
    ],
    [
      `keys rotate billing ${keyId} --overlap 2h`,
      `POST /applications/billing/keys/${keyId}/rotate`,
      { body: { overlap: 'PT7200S' } },
      key,
      'svs_test',
    ],
    [
      `keys rotate billing ${keyId} --overlap 0s --expires 2099-01-31T12:00:00Z`,
      `POST /applications/billing/keys/${keyId}/rotate`,
      { body: { overlap: 'PT0S', expiresAt: '2099-01-31T12:00:00.000Z' } },
      key,
      'svs_test',
    ],
    [`keys revoke billing ${keyId}`, `DELETE /applications/billing/keys/${keyId}`, {}, key, 'Revoked'],
    [
      'roles define billing editor',
      'PUT /applications/billing/roles/editor',
      { body: { description: null } },
      role,
      'Defined',
    ],
    [
      'roles define billing editor --description x',
      'PUT /applications/billing/roles/editor',
      { body: { description: 'x' } },
      { ...role, changed: false },
      'No change.',
    ],
    ['roles list billing', 'GET /applications/billing/roles', {}, page(role), 'editor'],
    ['roles show billing editor', 'GET /applications/billing/roles/editor', {}, role, 'role         editor'],
    [
      'roles members billing editor',
      'GET /applications/billing/roles/editor/users',
      {},
      page({ userId: 'ada', expiresAt: null }),
      'ada',
    ],
    [
      `keys issue billing --scope access:write --scope access:read --expires 2099-01-31T12:00:00.000Z`,
      'POST /applications/billing/keys',
      { body: { scopes: ['access:write', 'access:read'], expiresAt: '2099-01-31T12:00:00.000Z' } },
      key,
      'svs_test',
    ],
  ]);
});
