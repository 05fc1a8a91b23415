import { expect } from '@jest/globals';
import { newApplication } from '../new-application.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import type { TestService } from '../start-service.ts';
import { aKey, aSecret, aTimestamp } from '../view-shapes.ts';
import { type AskManage, anything, creates, nowhere, pageOf } from './prepare.ts';

const unknown = { appId: 'billing', keyId: 'unknown' };

/** The requests for keys of applications. */
export function keyOutcomes(service: () => TestService, ask: AskManage) {
  const newKey = async (): Promise<{ readonly appId: string; readonly keyId: string }> => {
    const appId = await newApplication();
    const { keyId } = await service().issueKey(appId, ['access:read']);
    return { appId, keyId };
  };
  const scopes = ['access:read'];
  const tooMany = async () => {
    const path = await newKey();
    for (let issued = 1; issued < 10; issued++) await service().issueKey(path.appId, ['access:read']);
    return path;
  };
  return {
    'issue-key': {
      done: async () => {
        const appId = await newApplication();
        const after = { scopes: 'access:read roles:write', expiresAt: null, label: 'New', version: 2 };
        return {
          call: { path: { appId }, body: { label: 'New', scopes: ['roles:write', 'access:read'], expiresAt: null } },
          status: 201,
          answer: { ...aKey({ label: 'New', scopes: ['access:read', 'roles:write'] }), secret: aSecret },
          change: ({ keyId }) => ({ action: 'key.issued', appId, keyId, before: { version: 1 }, after }),
        };
      },
      'done with the usual scopes': async () => ({
        call: { path: { appId: await newApplication() }, body: {} },
        status: 201,
        answer: { ...aKey({ scopes, expiresAt: aTimestamp }), secret: aSecret },
      }),
      unchanged: creates,
      refused: async () => ({ call: { path: nowhere, body: {} }, status: 404 }),
    },
    'list-keys': {
      done: async () => {
        const { appId, keyId } = await newKey();
        return { call: { path: { appId }, query: {} }, status: 200, answer: pageOf(aKey({ keyId, scopes })) };
      },
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'list-all-keys': {
      done: async () => {
        const { appId, keyId } = await newKey();
        const item = { ...aKey({ keyId, scopes }), appId, applicationName: `Application ${appId}` };
        return {
          call: { query: { limit: 100 } },
          status: 200,
          answer: expect.objectContaining({ items: expect.arrayContaining([item]) }),
        };
      },
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'update-key': {
      done: async () => {
        const { appId, keyId } = await newKey();
        const [before, after] = [
          { label: null, version: 2 },
          { label: 'Backend', version: 3 },
        ];
        return {
          call: { path: { appId, keyId }, body: { label: 'Backend' } },
          status: 200,
          answer: { ...aKey({ keyId, scopes, label: 'Backend' }), changed: true },
          change: () => ({ action: 'key.updated', appId, keyId, before, after }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: await newKey(), body: { label: null } }, status: 200 }),
      refused: async () => ({ call: { path: unknown, body: { label: 'Renamed' } }, status: 404 }),
    },
    'revoke-key': {
      done: async () => {
        const { appId, keyId } = await newKey();
        return {
          call: { path: { appId, keyId } },
          status: 200,
          answer: { ...aKey({ keyId, scopes, revokedAt: aTimestamp }), changed: true },
          change: ({ revokedAt }) => ({
            action: 'key.revoked',
            appId,
            keyId,
            before: { revokedAt: null, version: 2 },
            after: { revokedAt, version: 3 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => {
        const path = await newKey();
        await ask('revoke-key', { path });
        return { call: { path }, status: 200 };
      },
      refused: async () => ({ call: { path: unknown }, status: 404 }),
    },
    'rotate-key': {
      done: async () => {
        const path = await newKey();
        const replaced = { keyId: path.keyId, expiresAt: null, version: 2 };
        return {
          call: { path, body: { overlap: 'PT1H' } },
          status: 201,
          answer: { ...aKey({ scopes, replaces: path.keyId }), secret: aSecret },
          change: ({ keyId }) => ({
            action: 'key.rotated',
            appId: path.appId,
            keyId,
            before: replaced,
            after: { keyId: path.keyId, expiresAt: aTimestamp, newExpiresAt: null, version: 3 },
          }),
        };
      },
      unchanged: creates,
      refused: async () => ({ call: { path: unknown, body: { overlap: 'PT1H' } }, status: 404 }),
      'refused, with as many keys as it can have': async () => {
        return { call: { path: await tooMany(), body: { overlap: 'PT1H' } }, status: 409 };
      },
    },
  } satisfies Partial<ManageOutcomes>;
}
