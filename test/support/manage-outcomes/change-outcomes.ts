import { createUlid } from '#shared/core/ids.ts';
import { newApplication, setStatus } from '../new-application.ts';
import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import type { Answer } from '../send-request.ts';
import { type AskManage, anything, newMember, nowhere, reads } from './prepare.ts';

/** The requests for changes, and for undoing them. */
export function changeOutcomes(ask: AskManage) {
  const changeIdOf = async (answer: Promise<Answer>): Promise<string> => (await answer).body.changeId;
  /** Creates a bulk that changed one user. */
  const blockInBulk = async () => {
    const [appId, userId, bulkId] = [await newApplication(), await newUser(), createUlid(new Date())];
    await ask('set-access-in-bulk', { path: { appId }, body: { userIds: [userId], status: 'disabled', bulkId } });
    return { appId, userId, bulkId };
  };
  const deactivateInBulk = async () => {
    const [userId, bulkId] = [await newUser(), createUlid(new Date())];
    await ask('set-user-status-in-bulk', { body: { userIds: [userId], status: 'inactive', bulkId } });
    return { userId, bulkId };
  };
  const firstChange = async (userId: string) =>
    (await ask('list-user-changes', { path: { userId }, query: { limit: 1 } })).body.items[0];

  return {
    'list-application-changes': {
      done: async () => ({ call: { path: { appId: 'billing' }, query: {} }, status: 200 }),
      'done forward': async () => ({ call: { path: { appId: 'billing' }, query: { after: '' } }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'list-user-changes': {
      done: async () => ({ call: { path: { userId: (await newMember()).userId }, query: {} }, status: 200 }),
      'done for one application': async () => {
        const { appId, userId } = await newMember();
        return { call: { path: { userId }, query: {} }, status: 200, groups: [`viewer:${appId}`] };
      },
      refused: anything,
    },
    'verify-changes': {
      done: async () => {
        const { userId } = await newMember();
        return { call: { body: { changes: [await firstChange(userId)] } }, status: 200 };
      },
      unchanged: reads,
      refused: anything,
    },
    'list-all-changes': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for a user': async () => ({ call: { query: { userId: 'ada' } }, status: 200 }),
      'done for an application': async () => ({ call: { query: { appId: 'billing' } }, status: 200 }),
      'done for an operator': async () => ({ call: { query: { actor: 'test' } }, status: 200 }),
      'done for a connection': async () => ({ call: { query: { connectionId: 'gateway' } }, status: 200 }),
      refused: anything,
    },
    'undo-bulk': {
      done: async () => {
        const { appId, bulkId } = await blockInBulk();
        return { call: { path: { appId, bulkId }, query: {} }, status: 200 };
      },
      unchanged: async () => ({
        call: { path: { appId: 'billing', bulkId: createUlid(new Date()) }, query: {} },
        status: 200,
      }),
      refused: async () => {
        const { appId, userId, bulkId } = await blockInBulk();
        await setStatus(userId, appId, 'enabled');
        return { call: { path: { appId, bulkId }, query: {} }, status: 200 };
      },
    },
    'undo-status-bulk': {
      done: async () => ({ call: { path: { bulkId: (await deactivateInBulk()).bulkId }, query: {} }, status: 200 }),
      unchanged: async () => ({ call: { path: { bulkId: createUlid(new Date()) }, query: {} }, status: 200 }),
      refused: { never: 'Whom it cannot change is an outcome of its own.' },
    },
    'undo-change': {
      done: async () => {
        const [userId, appId] = [await newUser(), 'billing'];
        const body = { status: 'disabled' } as const;
        const changeId = await changeIdOf(ask('set-user-access', { path: { userId, appId }, body }));
        return { call: { path: { userId, changeId } }, status: 200 };
      },
      'done for a grant': async () => {
        const path = await newMember();
        const changeId = await changeIdOf(ask('revoke-user-role', { path }));
        return { call: { path: { userId: path.userId, changeId } }, status: 200 };
      },
      'done for a status': async () => {
        const userId = await newUser();
        const body = { status: 'inactive' } as const;
        const changeId = await changeIdOf(ask('set-user-status', { path: { userId }, body }));
        return { call: { path: { userId, changeId } }, status: 200 };
      },
      unchanged: { never: 'What was changed since is refused.' },
      refused: async () => ({ call: { path: { userId: 'ada', changeId: '0'.repeat(26) } }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
