import { expect } from '@jest/globals';
import type { Ask } from './each-entry-point.ts';
import { newApplication } from './new-application.ts';
import { newConnection } from './new-connection.ts';
import { newWebhook } from './new-webhook.ts';
import { type ChangeRow, userChangeRows } from './user-change-rows.ts';
import { aSecretId, aTimestamp } from './view-shapes.ts';

/** Every operation of the Management API that writes, with the change that it records. */
export function changeRows(ask: Ask): readonly ChangeRow[] {
  return [...applicationChangeRows(ask), ...userChangeRows];
}

const application = async () => `/applications/${await newApplication(['editor', 'viewer'])}`;
const identity = {
  issuer: null,
  audience: null,
  trustsUserHeader: false,
  clients: null,
  userIdClaim: null,
  userIdAttribute: null,
  takeover: null,
};
const idIn = (path: string) => /sv[kc]_[^/]+/.exec(path)?.[0];

/** The operations that write applications, their keys and roles. */
function applicationChangeRows(ask: Ask): readonly ChangeRow[] {
  const key = async () => {
    const path = await application();
    const { keyId } = (await ask('POST', `${path}/keys`, { scopes: ['access:read'] })).body;
    return `${path}/keys/${keyId}`;
  };
  const webhook = async (id?: string) => {
    const { appId, webhookId } = await newWebhook(await newApplication(), {}, id);
    return `/applications/${appId}/webhooks/${webhookId}`;
  };
  let keyPath = '';
  const reviewedAsOf = new Date().toISOString();
  return [
    {
      route: 'create-application',
      does: 'creates',
      write: async () => ['/applications', { appId: 'created', name: 'Created' }],
      change: () => ({
        action: 'application.created',
        appId: 'created',
        before: null,
        after: { name: 'Created', rolloutPercent: 100, version: 1 },
      }),
      again: 409,
    },
    {
      route: 'update-application',
      does: 'renames',
      write: async () => [await application(), { name: 'Renamed' }],
      change: ({ appId }) => ({
        action: 'application.updated',
        appId,
        before: { name: `Application ${appId}`, rolloutPercent: 100, version: 1 },
        after: { name: 'Renamed', rolloutPercent: 100, version: 2 },
      }),
      again: 'unchanged',
    },
    {
      route: 'update-application',
      does: 'limits the requests',
      write: async () => [await application(), { requestsPerSecond: 200 }],
      change: ({ appId }) => ({
        action: 'application.updated',
        appId,
        before: { name: `Application ${appId}`, rolloutPercent: 100, requestsPerSecond: null, version: 1 },
        after: { name: `Application ${appId}`, rolloutPercent: 100, requestsPerSecond: 200, version: 2 },
      }),
      again: 'unchanged',
    },
    {
      route: 'update-application',
      does: 'opens to a part of the users',
      write: async () => [await application(), { rolloutPercent: 2.5 }],
      change: ({ appId }) => ({
        action: 'application.updated',
        appId,
        before: { name: `Application ${appId}`, rolloutPercent: 100, version: 1 },
        after: { name: `Application ${appId}`, rolloutPercent: 2.5, version: 2 },
      }),
      again: 'unchanged',
    },
    {
      route: 'update-application',
      does: 'expects reviews',
      write: async () => [await application(), { reviewEveryDays: 90 }],
      change: ({ appId }) => ({
        action: 'application.updated',
        appId,
        before: { name: `Application ${appId}`, rolloutPercent: 100, reviewEveryDays: null, version: 1 },
        after: { name: `Application ${appId}`, rolloutPercent: 100, reviewEveryDays: 90, version: 2 },
      }),
      again: 'unchanged',
    },
    {
      route: 'review-application',
      does: 'marks as reviewed',
      write: async () => [`${await application()}/reviews`, { asOf: reviewedAsOf }],
      change: ({ appId }) => ({
        action: 'application.reviewed',
        appId,
        before: { reviewedAsOf: null, laterChanges: null, version: 1 },
        after: { reviewedAsOf, laterChanges: 0, version: 2 },
      }),
      again: undefined,
    },
    {
      route: 'delete-application',
      does: 'deletes',
      write: async () => [`/applications/${await newApplication(['editor'], 'soon-gone')}`],
      change: () => ({
        action: 'application.deleted',
        appId: 'soon-gone',
        before: { name: 'Application soon-gone', rolloutPercent: 100, version: 1 },
        after: null,
      }),
      // See applications.test.ts; it takes a second.
      again: undefined,
    },
    {
      route: 'issue-key',
      does: 'issues',
      write: async () => [`${await application()}/keys`, { scopes: ['roles:write', 'access:read'] }],
      change: ({ keyId }) => ({
        action: 'key.issued',
        appId: expect.any(String),
        keyId,
        before: { version: 1 },
        after: { scopes: 'access:read roles:write', expiresAt: null, label: null, version: 2 },
      }),
      again: undefined,
    },
    {
      route: 'update-key',
      does: 'labels',
      write: async () => [await key(), { label: 'Backend' }],
      change: ({ keyId }) => ({
        action: 'key.updated',
        appId: expect.any(String),
        keyId,
        before: { label: null, version: 2 },
        after: { label: 'Backend', version: 3 },
      }),
      again: 'unchanged',
    },
    {
      route: 'rotate-key',
      does: 'rotates',
      write: async () => {
        keyPath = await key();
        return [`${keyPath}/rotate`, { overlap: 'PT1H' }];
      },
      change: ({ keyId }) => ({
        action: 'key.rotated',
        appId: expect.any(String),
        keyId,
        before: { keyId: idIn(keyPath), expiresAt: null, version: 2 },
        after: { keyId: idIn(keyPath), expiresAt: aTimestamp, newExpiresAt: null, version: 3 },
      }),
      again: undefined,
    },
    {
      route: 'revoke-key',
      does: 'revokes',
      write: async () => [await key()],
      change: ({ keyId, revokedAt }) => ({
        action: 'key.revoked',
        appId: expect.any(String),
        keyId,
        before: { revokedAt: null, version: 2 },
        after: { revokedAt, version: 3 },
      }),
      again: 'unchanged',
    },
    {
      route: 'create-webhook',
      does: 'creates',
      write: async () => [`${await application()}/webhooks`, { webhookId: 'created', url: 'https://a.example/hook' }],
      change: () => ({
        action: 'webhook.created',
        appId: expect.any(String),
        webhookId: 'created',
        before: { url: null, format: null, enabled: null, secretId: null, version: 1 },
        after: { url: 'https://a.example/hook', format: 'standard', enabled: true, secretId: aSecretId, version: 2 },
      }),
      again: 409,
    },
    {
      route: 'update-webhook',
      does: 'narrows and turns off',
      write: async () => [await webhook(), { events: ['role.revoked', 'access.changed'], enabled: false }],
      change: ({ webhookId }) => ({
        action: 'webhook.updated',
        appId: expect.any(String),
        webhookId,
        before: { enabled: true, events: null, version: 2 },
        after: { enabled: false, events: 'access.changed role.revoked', version: 3 },
      }),
      again: 'unchanged',
    },
    {
      route: 'rotate-webhook-secret',
      does: 'rotates',
      write: async () => [`${await webhook()}/rotate`, { overlap: 'PT1H' }],
      change: ({ webhookId }) => ({
        action: 'webhook.rotated',
        appId: expect.any(String),
        webhookId,
        before: { secretId: aSecretId, previousSecretId: null, previousSecretUntil: null, version: 2 },
        after: { secretId: aSecretId, previousSecretId: aSecretId, previousSecretUntil: aTimestamp, version: 3 },
      }),
      again: undefined,
    },
    {
      route: 'delete-webhook',
      does: 'deletes',
      write: async () => [await webhook('soon-deleted')],
      change: () => ({
        action: 'webhook.deleted',
        appId: expect.any(String),
        webhookId: 'soon-deleted',
        before: { url: expect.any(String), format: 'standard', enabled: true, secretId: aSecretId, version: 2 },
        after: { url: null, format: null, enabled: null, secretId: null, version: 3 },
      }),
      again: undefined,
    },
    {
      route: 'create-connection',
      does: 'creates',
      write: async () => [
        '/connections',
        { connectionId: 'created', kind: 'evaluate', name: 'Created', applications: ['billing', 'wiki'] },
      ],
      change: () => ({
        action: 'connection.created',
        connectionId: 'created',
        before: null,
        after: { kind: 'evaluate', name: 'Created', ...identity, applications: 'billing wiki', version: 1 },
      }),
      again: 409,
    },
    {
      route: 'update-connection',
      does: 'renames and narrows',
      write: async () => [
        `/connections/${(await newConnection(['billing', 'wiki'])).connectionId}`,
        { name: 'Renamed', applications: ['wiki'] },
      ],
      change: ({ connectionId }) => ({
        action: 'connection.updated',
        connectionId,
        before: { kind: 'evaluate', name: 'Gateway', ...identity, applications: 'billing wiki', version: 2 },
        after: { kind: 'evaluate', name: 'Renamed', ...identity, applications: 'wiki', version: 3 },
      }),
      again: 'unchanged',
    },
    {
      route: 'delete-connection',
      does: 'deletes',
      write: async () => [`/connections/${(await newConnection(['billing'], 'soon-closed')).connectionId}`],
      change: () => ({
        action: 'connection.deleted',
        connectionId: 'soon-closed',
        before: { kind: 'evaluate', name: 'Gateway', ...identity, applications: 'billing', version: 2 },
        after: null,
      }),
      again: undefined,
    },
    {
      route: 'issue-connection-key',
      does: 'issues',
      write: async () => [
        `/connections/${(await newConnection(['billing'])).connectionId}/keys`,
        { scopes: ['roles:read'], label: 'nginx' },
      ],
      change: ({ keyId }) => ({
        action: 'key.issued',
        connectionId: expect.any(String),
        keyId,
        before: { version: 2 },
        after: { scopes: 'roles:read', expiresAt: null, label: 'nginx', version: 3 },
      }),
      again: undefined,
    },
    {
      route: 'update-connection-key',
      does: 'labels',
      write: async () => {
        const { connectionId, keyId } = await newConnection(['billing']);
        return [`/connections/${connectionId}/keys/${keyId}`, { label: 'Proxy' }];
      },
      change: ({ keyId }) => ({
        action: 'key.updated',
        connectionId: expect.any(String),
        keyId,
        before: { label: null, version: 2 },
        after: { label: 'Proxy', version: 3 },
      }),
      again: 'unchanged',
    },
    {
      route: 'rotate-connection-key',
      does: 'rotates',
      write: async () => {
        const { connectionId, keyId } = await newConnection(['billing']);
        keyPath = `/connections/${connectionId}/keys/${keyId}`;
        return [`${keyPath}/rotate`, { overlap: 'PT1H' }];
      },
      change: ({ keyId }) => ({
        action: 'key.rotated',
        connectionId: expect.any(String),
        keyId,
        before: { keyId: idIn(keyPath), expiresAt: null, version: 2 },
        after: { keyId: idIn(keyPath), expiresAt: aTimestamp, newExpiresAt: null, version: 3 },
      }),
      again: undefined,
    },
    {
      route: 'revoke-connection-key',
      does: 'revokes',
      write: async () => {
        const { connectionId, keyId } = await newConnection(['billing']);
        return [`/connections/${connectionId}/keys/${keyId}`];
      },
      change: ({ keyId, revokedAt }) => ({
        action: 'key.revoked',
        connectionId: expect.any(String),
        keyId,
        before: { revokedAt: null, version: 2 },
        after: { revokedAt, version: 3 },
      }),
      again: 'unchanged',
    },
    {
      route: 'define-role',
      does: 'defines',
      write: async () => [`${await application()}/roles/new`, { description: 'A new one' }],
      change: ({ appId }) => ({
        action: 'role.defined',
        appId,
        role: 'new',
        before: null,
        after: { description: 'A new one', version: 1 },
      }),
      again: 'unchanged',
    },
    {
      route: 'define-role',
      does: 'replaces the description',
      write: async () => [`${await application()}/roles/editor`, { description: 'Edits' }],
      change: ({ appId }) => ({
        action: 'role.defined',
        appId,
        role: 'editor',
        before: { description: null, version: 1 },
        after: { description: 'Edits', version: 2 },
      }),
      again: 'unchanged',
    },
    {
      route: 'delete-role',
      does: 'deletes',
      write: async () => [`${await application()}/roles/editor`],
      change: () => ({
        action: 'role.deleted',
        appId: expect.any(String),
        role: 'editor',
        before: { description: null, version: 1 },
        after: null,
      }),
      again: 'unchanged',
    },
  ];
}
