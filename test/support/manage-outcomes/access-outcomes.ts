import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { newMember, nobody, nowhere } from './prepare.ts';

/** The requests for accesses. */
export function accessOutcomes() {
  return {
    'list-application-users': {
      done: async () => ({ call: { path: { appId: (await newMember()).appId }, query: {} }, status: 200 }),
      'done for explicitly disabled users': async () => ({
        call: { path: { appId: (await newMember()).appId }, query: { status: 'disabled' } },
        status: 200,
      }),
      'done for effectively disabled users': async () => ({
        call: { path: { appId: (await newMember()).appId }, query: { effectiveStatus: 'disabled' } },
        status: 200,
      }),
      'done for users found by name': async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { appId }, query: { q: userId } }, status: 200 };
      },
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'set-access-in-bulk': {
      done: async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: [await newUser()], status: 'disabled' } },
        status: 200,
      }),
      'done as a dry run': async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: [await newUser()], status: 'disabled', dryRun: true } },
        status: 200,
      }),
      unchanged: async () => {
        const { appId, userId } = await newMember();
        const body = { userIds: [userId], status: 'disabled', reason: 'a reason' } as const;
        return { call: { path: { appId }, body }, status: 200 };
      },
      refused: async () => ({
        call: { path: { appId: 'billing' }, body: { userIds: ['nobody'], status: 'disabled' } },
        status: 200,
      }),
    },
    'list-user-access': {
      done: async () => ({ call: { path: { userId: (await newMember()).userId }, query: {} }, status: 200 }),
      'done for one application': async () => ({
        call: { path: { userId: 'ada' }, query: {} },
        status: 200,
        groups: ['viewer:billing'],
      }),
      refused: async () => ({ call: { path: nobody, query: {} }, status: 404 }),
    },
    'set-user-access': {
      done: async () => ({
        call: { path: { userId: await newUser(), appId: 'billing' }, body: { status: 'disabled' } },
        status: 200,
      }),
      unchanged: async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { userId, appId }, body: { status: 'disabled', reason: 'a reason' } }, status: 200 };
      },
      refused: async () => ({
        call: { path: { ...nobody, appId: 'billing' }, body: { status: 'enabled' } },
        status: 404,
      }),
    },
  } satisfies Partial<ManageOutcomes>;
}
