import { newMemberOfDirectory } from '../new-directory.ts';
import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { anything, creates, eraseUser, fresh, newMember, nobody, reads, setInactive } from './prepare.ts';

/** The requests for users. */
export function userOutcomes() {
  return {
    'list-users': {
      done: async () => ({ call: { query: {} }, status: 200 }),
      'done for an id prefix': async () => ({ call: { query: { prefix: 'ad' } }, status: 200 }),
      'done for a word': async () => ({ call: { query: { q: 'example' } }, status: 200 }),
      'done for inactive users': async () => {
        await setInactive(await newUser());
        return { call: { query: { status: 'inactive' } }, status: 200 };
      },
      refused: anything,
    },
    'resolve-users': {
      done: async () => ({ call: { body: { names: ['ada', 'grace@example.com'] } }, status: 200 }),
      unchanged: reads,
      refused: anything,
    },
    'import-users': {
      done: async () => ({
        call: { body: { users: [{ userId: fresh(), displayName: 'Ada Byron', status: 'inactive' }] } },
        status: 200,
      }),
      'done for a member': async () => {
        const { userId, appId, role } = await newMember();
        const accesses = [{ appId, status: 'disabled' as const }];
        const roles = [{ appId, role, status: 'revoked' as const }];
        return { call: { body: { users: [{ userId, accesses, roles }] } }, status: 200 };
      },
      unchanged: async () => ({ call: { body: { users: [{ userId: 'ada', status: 'active' }] } }, status: 200 }),
      refused: async () => ({ call: { body: { users: [{ userId: 'nobody' }], create: false } }, status: 200 }),
    },
    'create-user': {
      done: async () => ({ call: { path: { userId: fresh() }, body: { displayName: 'Ada Byron' } }, status: 201 }),
      'done after its deletion': async () => {
        const userId = await newUser();
        await eraseUser(userId);
        return { call: { path: { userId }, body: {} }, status: 201 };
      },
      unchanged: creates,
      refused: async () => ({ call: { path: { userId: 'ada' }, body: {} }, status: 409 }),
    },
    'get-user': {
      done: async () => {
        const userId = await newUser();
        await setInactive(userId);
        return { call: { path: { userId } }, status: 200 };
      },
      refused: async () => ({ call: { path: nobody }, status: 404 }),
    },
    'update-user': {
      done: async () => ({
        call: { path: { userId: await newUser() }, body: { displayName: 'Ada', email: 'ada@example.org' } },
        status: 200,
      }),
      unchanged: async () => ({ call: { path: { userId: 'ada' }, body: { displayName: null } }, status: 200 }),
      refused: async () => ({ call: { path: nobody, body: { displayName: 'Ada' } }, status: 404 }),
    },
    'delete-user': {
      done: async () => {
        const { userId } = await newMember();
        await setInactive(userId);
        return { call: { path: { userId } }, status: 200 };
      },
      'done for a user of a directory': async () => {
        const { userId } = await newMemberOfDirectory();
        return { call: { path: { userId } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { userId: fresh() } }, status: 200 }),
      refused: anything,
    },
    'set-user-status': {
      done: async () => ({ call: { path: { userId: await newUser() }, body: { status: 'inactive' } }, status: 200 }),
      'done for an inactive user': async () => {
        const userId = await newUser();
        await setInactive(userId);
        return { call: { path: { userId }, body: { status: 'active' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { userId: 'ada' }, body: { status: 'active' } }, status: 200 }),
      refused: async () => ({ call: { path: nobody, body: { status: 'inactive' } }, status: 404 }),
    },
    'set-user-status-in-bulk': {
      done: async () => ({ call: { body: { userIds: [await newUser()], status: 'inactive' } }, status: 200 }),
      unchanged: async () => ({ call: { body: { userIds: ['ada'], status: 'active' } }, status: 200 }),
      refused: async () => ({ call: { body: { userIds: ['nobody'], status: 'inactive' } }, status: 200 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
