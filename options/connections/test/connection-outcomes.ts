import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from '@jest/globals';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { documentClient } from '#test/support/document-client.ts';
import { type AskManage, anything, creates, deleted, fresh } from '#test/support/manage-outcomes/prepare.ts';
import { newApplication } from '#test/support/new-application.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import type { ManageOutcomes } from '#test/support/outcomes.ts';
import type { TestService } from '#test/support/start-service.ts';
import { aTimestamp } from '#test/support/view-shapes.ts';
import type { ConnectionActivity } from '../contract/connection-activity.ts';
import { exampleConnection } from '../contract/connection-examples.ts';
import { hourKey, refusalKey } from '../table/activity-item-keys.ts';
import { aConnection, aConnectionKey, aToken } from './connection-shapes.ts';
import { newConnection } from './support/new-connection.ts';

const nothing = { connectionId: 'nothing' };
const notSet = {
  issuer: null,
  audience: null,
  trustsUserHeader: false,
  clients: null,
  userIdClaim: null,
  userIdAttribute: null,
  takeover: null,
};

async function newPath() {
  const { connectionId } = await newKey();
  return { connectionId };
}

async function newKey() {
  const { connectionId, keyId } = await newConnection([await newApplication()]);
  return { connectionId, keyId };
}

/** A connection with a key, as the API shows it and as its Changes say. */
async function newShown() {
  const applications = [await newApplication(), 'billing'].sort();
  const { connectionId, keyId } = await newConnection(applications);
  const shown = aConnection({ connectionId, applications, keys: [aConnectionKey({ keyId })], version: 2 });
  const before = { kind: 'evaluate', name: 'Gateway', ...notSet, applications: applications.join(' '), version: 2 };
  return { path: { connectionId }, shown, before };
}

/** The requests for connections and their keys. */
function manage(_: () => TestService, ask: AskManage) {
  const unknownKey = async () => ({ ...(await newPath()), keyId: 'unknown' });
  return {
    'create-connection': {
      done: async () => {
        const applications = ['billing', 'wiki'];
        const body = { connectionId: fresh(), kind: 'evaluate', name: 'New', applications } as const;
        const { connectionId } = body;
        const after = { kind: 'evaluate', name: 'New', ...notSet, applications: 'billing wiki', version: 1 };
        return {
          call: { body },
          status: 201,
          answer: aConnection({ connectionId, name: 'New', applications }),
          change: () => ({ action: 'connection.created', connectionId, before: null, after }),
          again: 409,
        };
      },
      unchanged: creates,
      refused: async () => {
        const body = { ...(await newPath()), kind: 'evaluate', name: 'Again', applications: ['billing'] } as const;
        return { call: { body }, status: 409 };
      },
    },
    'list-connections': {
      done: async () => {
        const { shown } = await newShown();
        const answer = expect.objectContaining({ items: expect.arrayContaining([shown]) });
        return { call: { query: { limit: 100 } }, status: 200, answer };
      },
      refused: anything,
    },
    'get-connection': {
      done: async () => {
        const { path, shown } = await newShown();
        return { call: { path }, status: 200, answer: shown };
      },
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'get-connection-activity': {
      done: async () => {
        const answer = { lastRequestAt: null, requests: 0, refused: 0, refusals: [] };
        return { call: { path: await newPath() }, status: 200, answer };
      },
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'update-connection': {
      done: async () => {
        const { path, shown, before } = await newShown();
        const body = { name: 'Renamed', applications: ['billing'] };
        const after = { ...before, name: 'Renamed', applications: 'billing', version: 3 };
        return {
          call: { path, body },
          status: 200,
          answer: { ...shown, ...body, version: 3, changed: true },
          change: () => ({ action: 'connection.updated', ...path, before, after }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: await newPath(), body: { name: 'Gateway' } }, status: 200 }),
      refused: async () => ({ call: { path: nothing, body: { name: 'Renamed' } }, status: 404 }),
    },
    'delete-connection': {
      done: async () => {
        const { path, before } = await newShown();
        const change = () => ({ action: 'connection.deleted', ...path, before, after: null });
        return { call: { path }, status: 200, answer: deleted, change };
      },
      unchanged: { never: 'A connection that is deleted is not found.' },
      refused: async () => ({ call: { path: nothing }, status: 404 }),
    },
    'issue-connection-key': {
      done: async () => {
        const path = await newPath();
        const after = { scopes: 'roles:read', expiresAt: null, label: 'nginx', version: 3 };
        return {
          call: { path, body: { scopes: ['roles:read'], label: 'nginx', expiresAt: null } },
          status: 201,
          answer: { ...aConnectionKey({ scopes: ['roles:read'], label: 'nginx' }), token: aToken },
          change: ({ keyId }) => ({ action: 'key.issued', ...path, keyId, before: { version: 2 }, after }),
        };
      },
      'done with the usual scopes': async () => ({
        call: { path: await newPath(), body: {} },
        status: 201,
        answer: { ...aConnectionKey({ expiresAt: aTimestamp }), token: aToken },
      }),
      unchanged: creates,
      refused: async () => ({ call: { path: nothing, body: {} }, status: 404 }),
    },
    'update-connection-key': {
      done: async () => {
        const path = await newKey();
        const [before, after] = [
          { label: null, version: 2 },
          { label: 'Proxy', version: 3 },
        ];
        return {
          call: { path, body: { label: 'Proxy' } },
          status: 200,
          answer: { ...aConnectionKey({ keyId: path.keyId, label: 'Proxy' }), changed: true },
          change: () => ({ action: 'key.updated', ...path, before, after }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: await newKey(), body: { label: null } }, status: 200 }),
      refused: async () => ({ call: { path: await unknownKey(), body: { label: 'Renamed' } }, status: 404 }),
    },
    'rotate-connection-key': {
      done: async () => {
        const { connectionId, keyId: replaced } = await newKey();
        return {
          call: { path: { connectionId, keyId: replaced }, body: { overlap: 'PT1H' } },
          status: 201,
          answer: { ...aConnectionKey({ replaces: replaced }), token: aToken },
          change: ({ keyId }) => ({
            action: 'key.rotated',
            connectionId,
            keyId,
            before: { keyId: replaced, expiresAt: null, version: 2 },
            after: { keyId: replaced, expiresAt: aTimestamp, newExpiresAt: null, version: 3 },
          }),
        };
      },
      unchanged: creates,
      refused: async () => ({ call: { path: await unknownKey(), body: { overlap: 'PT1H' } }, status: 404 }),
    },
    'revoke-connection-key': {
      done: async () => {
        const path = await newKey();
        return {
          call: { path },
          status: 200,
          answer: { ...aConnectionKey({ keyId: path.keyId, revokedAt: aTimestamp }), changed: true },
          change: ({ revokedAt }) => ({
            action: 'key.revoked',
            ...path,
            before: { revokedAt: null, version: 2 },
            after: { revokedAt, version: 3 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => {
        const path = await newKey();
        await ask('revoke-connection-key', { path });
        return { call: { path }, status: 200 };
      },
      refused: async () => ({ call: { path: await unknownKey() }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}

/** The connection has sent the requests of the example. */
async function prepareExample({ endpoint }: Pick<TestService, 'endpoint'>, name: string, shown: object): Promise<void> {
  if (name !== 'get-connection-activity') return;
  const { requests, refused, refusals } = shown as ConnectionActivity;
  const connectionId = exampleConnection.connectionId as ConnectionId;
  const at = new Date().toISOString();
  const hour = { ...hourKey(connectionId, at), requests, refused, lastRequestAt: at };
  const refusal = { ...refusalKey(connectionId, createUlid(new Date(at))), ...refusals[0], at };
  for (const Item of [hour, refusal]) {
    await documentClient(endpoint).send(new PutCommand({ TableName: process.env.TABLE_NAME, Item }));
  }
}

const reading = ['list-connections', 'get-connection', 'get-connection-activity'];
const changing = [
  'create-connection',
  'update-connection',
  'delete-connection',
  'issue-connection-key',
  'update-connection-key',
  'rotate-connection-key',
  'revoke-connection-key',
];

/** What connections add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  manage,
  allowed: { viewer: reading, admin: changing },
  global: [...reading, ...changing],
  examples: [
    'create-connection',
    'issue-connection-key',
    'list-connections',
    'get-connection',
    'update-connection',
    'get-connection-activity',
    'update-connection-key',
    'rotate-connection-key',
    'revoke-connection-key',
    'delete-connection',
  ],
  problems: (ask) => ({ connection_not_found: () => ask('get-connection', { path: nothing }) }),
  prepareExample,
};
