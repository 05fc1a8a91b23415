import { tableFormatKey } from '#shared/contract/table-format.ts';
import { removeItem } from '../alter-item.ts';
import { newApplication } from '../new-application.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import type { TestService } from '../start-service.ts';
import { type AskManage, anything, creates, fresh, newMember, nowhere } from './prepare.ts';

async function newKey(service: TestService): Promise<{ readonly appId: string; readonly keyId: string }> {
  const appId = await newApplication();
  const { keyId } = await service.issueKey(appId, ['access:read']);
  return { appId, keyId };
}

/** The requests for applications and their keys. */
export function applicationOutcomes(service: () => TestService, ask: AskManage) {
  return {
    'create-application': {
      done: async () => {
        // As the first application of a table.
        await removeItem(service(), [tableFormatKey.pk, tableFormatKey.sk]);
        return { call: { body: { appId: fresh(), name: 'New' } }, status: 201 };
      },
      unchanged: creates,
      refused: async () => ({ call: { body: { appId: 'billing', name: 'Again' } }, status: 409 }),
    },
    'list-block-ends': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'get-overview': {
      done: async () => ({ call: {}, status: 200 }),
      'done for one application': async () => ({ call: {}, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'list-applications': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'get-application': {
      done: async () => ({ call: { path: { appId: 'billing' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere }, status: 404 }),
    },
    'update-application': {
      done: async () => ({ call: { path: { appId: await newApplication() }, body: { name: 'Renamed' } }, status: 200 }),
      unchanged: async () => ({ call: { path: { appId: 'billing' }, body: { name: 'billing' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, body: { name: 'Renamed' } }, status: 404 }),
    },
    'list-access-review': {
      done: async () => {
        const { appId } = await newMember();
        await ask('review-application', { path: { appId }, query: {}, body: { asOf: new Date().toISOString() } });
        return { call: { path: { appId }, query: {} }, status: 200 };
      },
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'review-application': {
      done: async () => {
        const { appId } = await newMember();
        return { call: { path: { appId }, query: {}, body: { asOf: new Date().toISOString() } }, status: 200 };
      },
      unchanged: { never: 'Each review is recorded.' },
      refused: async () => ({ call: { path: nowhere, body: { asOf: new Date().toISOString() } }, status: 404 }),
    },
    'delete-application': {
      done: async () => ({ call: { path: { appId: await newApplication() }, query: {} }, status: 200 }),
      'done by force': async () => {
        const { appId } = await newMember();
        const key = await service().issueKey(appId, ['access:read']);
        await service().request(['GET', '/api/service/users/ada/access'], { key });
        return { call: { path: { appId }, query: { force: 'true' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { appId: fresh() }, query: {} }, status: 200 }),
      refused: async () => ({ call: { path: { appId: (await newMember()).appId }, query: {} }, status: 409 }),
    },
    'issue-key': {
      done: async () => ({ call: { path: { appId: await newApplication() }, body: { label: 'New' } }, status: 201 }),
      unchanged: creates,
      refused: async () => ({ call: { path: nowhere, body: {} }, status: 404 }),
    },
    'list-keys': {
      done: async () => ({ call: { path: { appId: 'billing' }, query: {} }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'list-all-keys': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'update-key': {
      done: async () => ({ call: { path: await newKey(service()), body: { label: 'Renamed' } }, status: 200 }),
      unchanged: async () => ({ call: { path: await newKey(service()), body: { label: null } }, status: 200 }),
      refused: async () => ({
        call: { path: { appId: 'billing', keyId: 'unknown' }, body: { label: 'Renamed' } },
        status: 404,
      }),
    },
    'revoke-key': {
      done: async () => ({ call: { path: await newKey(service()) }, status: 200 }),
      unchanged: async () => {
        const path = await newKey(service());
        await ask('revoke-key', { path });
        return { call: { path }, status: 200 };
      },
      refused: async () => ({ call: { path: { appId: 'billing', keyId: 'unknown' } }, status: 404 }),
    },
    'rotate-key': {
      done: async () => ({ call: { path: await newKey(service()), body: { overlap: 'PT1H' } }, status: 201 }),
      unchanged: creates,
      refused: async () => ({
        call: { path: { appId: 'billing', keyId: 'unknown' }, body: { overlap: 'PT1H' } },
        status: 404,
      }),
    },
  } satisfies Partial<ManageOutcomes>;
}
