import { describe } from '@jest/globals';
import { page, testRequests } from '#test/cli/sent-request.ts';
import { key } from '#test/cli/views.ts';

const keyId = 'svc_c1_gateway_01';
const connectionKey = { ...key, keyId, scopes: ['access:read', 'roles:read'], token: 'svt_test' };
const { secret: _, token: __, ...storedKey } = { ...connectionKey, secret: '' };
const connection = {
  connectionId: 'gateway',
  kind: 'evaluate',
  name: 'Gateway',
  applications: ['billing', 'wiki'],
  issuer: null,
  audience: null,
  trustsUserHeader: true,
  keys: [storedKey],
  version: 2,
  clients: '0oa1=wiki',
  userIdClaim: 'login',
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
};
const applications = ['billing', 'wiki'];
const groupRoles = [{ group: 'Editors', appId: 'billing', role: 'editor' }];
const directory = {
  ...connection,
  connectionId: 'okta',
  kind: 'scim',
  name: 'Okta',
  trustsUserHeader: false,
  userIdAttribute: 'externalId',
  takeover: 'matching',
  groupRoles,
};
const activity = {
  lastRequestAt: '2026-11-20T09:00:00.000Z',
  requests: 12,
  refused: 1,
  refusals: [
    {
      at: '2026-11-20T09:00:00.000Z',
      method: 'POST',
      path: '/scim/v2/Users',
      status: 409,
      scimType: 'uniqueness',
      detail: 'Another user of the directory has this userName.',
    },
  ],
};

describe('a command for connections sends its signed request and prints the outcome', () => {
  testRequests([
    [
      'connections create gateway Gateway --app billing --app wiki --trust-user-header',
      'POST /connections',
      { body: { connectionId: 'gateway', kind: 'evaluate', name: 'Gateway', applications, trustsUserHeader: true } },
      connection,
      'Created the connection gateway. Issue its token: ',
    ],
    [
      'connections create gateway --app billing --issuer https://login.example.com --audience g',
      'POST /connections',
      {
        body: {
          connectionId: 'gateway',
          kind: 'evaluate',
          name: 'gateway',
          applications: ['billing'],
          issuer: 'https://login.example.com',
          audience: 'g',
        },
      },
      connection,
      'Created',
    ],
    [
      'connections create okta --app billing --app wiki --client 0oa1=wiki --client 0oa2=billing --user-id-claim login',
      'POST /connections',
      {
        body: {
          connectionId: 'okta',
          kind: 'evaluate',
          name: 'okta',
          applications,
          clients: '0oa1=wiki 0oa2=billing',
          userIdClaim: 'login',
        },
      },
      connection,
      'Created',
    ],
    [
      'connections update okta --client none --user-id-claim none',
      'PATCH /connections/okta',
      { body: { clients: null, userIdClaim: null } },
      { ...connection, changed: true },
      'Updated the connection okta.',
    ],
    ['connections show okta', 'GET /connections/okta', {}, connection, 'clients       0oa1=wiki'],
    ['connections show okta', 'GET /connections/okta', {}, connection, 'user id       claim login'],
    [
      'connections create okta Okta --kind scim --user-id externalId --take-over --app billing --group-role Editors=billing:editor',
      'POST /connections',
      {
        body: {
          connectionId: 'okta',
          kind: 'scim',
          name: 'Okta',
          applications: ['billing'],
          takeover: 'matching',
          userIdAttribute: 'externalId',
          groupRoles,
        },
      },
      directory,
      'Created the connection okta.',
    ],
    ['connections show okta', 'GET /connections/okta', {}, directory, 'group Editors   editor in billing'],
    [
      'connections update okta --no-take-over --group-role Editors=billing:editor',
      'PATCH /connections/okta',
      { body: { takeover: 'none', groupRoles } },
      { ...directory, changed: true },
      'Updated the connection okta.',
    ],
    [
      'connections update okta --group-role none',
      'PATCH /connections/okta',
      { body: { groupRoles: [] } },
      { ...directory, changed: true },
      'Updated the connection okta.',
    ],
    [
      'connections create okta --kind scim --user-id email --group-role A=b=billing:editor --group-role C=wiki:a:b',
      'POST /connections',
      {
        body: {
          connectionId: 'okta',
          kind: 'scim',
          name: 'okta',
          applications,
          userIdAttribute: 'email',
          groupRoles: [
            { group: 'A=b', appId: 'billing', role: 'editor' },
            { group: 'C', appId: 'wiki', role: 'a:b' },
          ],
        },
      },
      directory,
      'Created the connection okta.',
    ],
    [
      'connections activity okta',
      'GET /connections/okta/activity',
      {},
      { ...activity, lastRequestAt: null, refusals: [] },
      'last request  none',
    ],
    ['connections activity okta', 'GET /connections/okta/activity', {}, activity, 'POST /scim/v2/Users'],
    ['connections list', 'GET /connections', {}, page(connection), 'gateway     evaluate  Gateway  billing wiki'],
    ['connections show gateway', 'GET /connections/gateway', {}, connection, 'users         X-Original-User'],
    ['connections show gateway', 'GET /connections/gateway', {}, connection, 'svc_c1_gateway_01'],
    [
      'connections update gateway --app wiki --issuer none --no-trust-user-header',
      'PATCH /connections/gateway',
      { body: { applications: ['wiki'], issuer: null, audience: null, trustsUserHeader: false } },
      { ...connection, changed: true },
      'Updated the connection gateway.',
    ],
    [
      'connections update gateway --name Gateway',
      'PATCH /connections/gateway',
      { body: { name: 'Gateway' } },
      { ...connection, changed: false },
      'No change.',
    ],
    [
      'connections delete gateway --yes',
      'DELETE /connections/gateway',
      {},
      { changed: true, complete: true },
      'Deleted the connection gateway.',
    ],
    [
      'connections issue gateway --label nginx --expires never',
      'POST /connections/gateway/keys',
      { body: { label: 'nginx', expiresAt: null } },
      { ...connectionKey, label: 'nginx' },
      'token    svt_test',
    ],
    [
      'connections issue gateway --scope access:read --expires never --quiet',
      'POST /connections/gateway/keys',
      { body: { scopes: ['access:read'], expiresAt: null } },
      connectionKey,
      'svt_test',
    ],
    [
      `connections rotate gateway ${keyId} --overlap 1h`,
      `POST /connections/gateway/keys/${keyId}/rotate`,
      { body: { overlap: 'PT3600S' } },
      connectionKey,
      'token    svt_test',
    ],
    [
      `connections label gateway ${keyId} Proxy`,
      `PATCH /connections/gateway/keys/${keyId}`,
      { body: { label: 'Proxy' } },
      { ...storedKey, label: 'Proxy', changed: true },
      `Labelled the key ${keyId}.`,
    ],
    [
      `connections label gateway ${keyId} Proxy`,
      `PATCH /connections/gateway/keys/${keyId}`,
      { body: { label: 'Proxy' } },
      { ...storedKey, label: 'Proxy', changed: false },
      `The key ${keyId} already had this label.`,
    ],
    [
      `connections revoke gateway ${keyId}`,
      `DELETE /connections/gateway/keys/${keyId}`,
      {},
      { ...storedKey, changed: true },
      `Revoked the key ${keyId}.`,
    ],
  ]);
});
