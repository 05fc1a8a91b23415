import { expect } from '@jest/globals';
import { tableFormatKey } from '#shared/contract/table-format.ts';
import { removeItem } from '../alter-item.ts';
import { newApplication } from '../new-application.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import type { TestService } from '../start-service.ts';
import { anApplication, recorded } from '../view-shapes.ts';
import { type AskManage, anything, creates, deleted, fresh, newMember, nowhere } from './prepare.ts';

/** The requests for applications. */
export function applicationOutcomes(service: () => TestService, _ask: AskManage) {
  /** Changes one field of a new application. */
  const update = async (field: object, before: object = {}) => {
    const appId = await newApplication();
    const state = { name: `Application ${appId}`, rolloutPercent: 100, ...before };
    return {
      call: { path: { appId }, body: field },
      status: 200,
      answer: { ...anApplication({ appId, name: state.name, ...field, version: 2 }), ...recorded },
      change: () => ({
        action: 'application.updated',
        appId,
        before: { ...state, version: 1 },
        after: { ...state, ...field, version: 2 },
      }),
      again: 'unchanged',
    } as const;
  };
  return {
    'create-application': {
      done: async () => {
        // As the first application of a table.
        await removeItem(service(), [tableFormatKey.pk, tableFormatKey.sk]);
        const body = { appId: fresh(), name: 'New' };
        const after = { name: 'New', rolloutPercent: 100, version: 1 };
        return {
          call: { body },
          status: 201,
          answer: anApplication(body),
          change: () => ({ action: 'application.created', appId: body.appId, before: null, after }),
          again: 409,
        };
      },
      unchanged: creates,
      refused: async () => ({ call: { body: { appId: 'billing', name: 'Again' } }, status: 409 }),
    },
    'list-applications': {
      done: async () => ({
        call: { query: { limit: 100 } },
        status: 200,
        answer: expect.objectContaining({
          items: expect.arrayContaining([anApplication({ appId: 'billing', version: expect.any(Number) })]),
        }),
      }),
      'done for one application': async () => ({ call: { query: {} }, status: 200, groups: ['viewer:billing'] }),
      refused: anything,
    },
    'get-application': {
      done: async () => {
        const appId = await newApplication();
        return {
          call: { path: { appId } },
          status: 200,
          answer: anApplication({ appId, name: `Application ${appId}` }),
        };
      },
      refused: async () => ({ call: { path: nowhere }, status: 404 }),
    },
    'update-application': {
      done: () => update({ name: 'Renamed' }),
      'done, with a limit of requests': () => update({ requestsPerSecond: 200 }, { requestsPerSecond: null }),
      'done, open to a part of the users': () => update({ rolloutPercent: 2.5 }),
      'done, with reviews': async () => {
        const { answer: _, ...row } = await update({ reviewEveryDays: 90 }, { reviewEveryDays: null });
        return row;
      },
      unchanged: async () => ({ call: { path: { appId: 'billing' }, body: { name: 'billing' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, body: { name: 'Renamed' } }, status: 404 }),
    },
    'delete-application': {
      done: async () => {
        const appId = await newApplication(['editor']);
        const before = { name: `Application ${appId}`, rolloutPercent: 100, version: 1 };
        return {
          call: { path: { appId }, query: {} },
          status: 200,
          answer: deleted,
          change: () => ({ action: 'application.deleted', appId, before, after: null }),
        };
      },
      'done by force': async () => {
        const { appId } = await newMember();
        const key = await service().issueKey(appId, ['access:read']);
        await service().request(['GET', '/api/service/users/ada/access'], { key });
        return { call: { path: { appId }, query: { force: 'true' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { appId: fresh() }, query: {} }, status: 200 }),
      refused: async () => ({ call: { path: { appId: (await newMember()).appId }, query: {} }, status: 409 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
