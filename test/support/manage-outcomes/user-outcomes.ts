import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { aUser, recorded } from '../view-shapes.ts';
import {
  anything,
  creates,
  deleted,
  eraseUser,
  fresh,
  newMember,
  nobody,
  noName,
  reads,
  setByTests,
  setInactive,
  why,
} from './prepare.ts';

const ada = { displayName: 'Ada Byron', email: 'ada@example.org' };

/** What the Change of a deactivation says. */
const deactivated = (userId: string) => () => ({
  action: 'user.status.changed',
  userId,
  before: { status: 'active', version: 1 },
  after: { status: 'inactive', version: 2 },
  ...why,
});

/** The requests for users. */
export function userOutcomes() {
  return {
    'list-users': {
      'done for all': async () => ({ call: { query: {} }, status: 200 }),
      done: async () => {
        const userId = await newUser();
        const answer = { items: [aUser({ userId })], cursor: null };
        return { call: { query: { prefix: userId } }, status: 200, answer };
      },
      'done for a word': async () => ({ call: { query: { q: 'example' } }, status: 200 }),
      'done for inactive users': async () => {
        await setInactive(await newUser());
        return { call: { query: { status: 'inactive' } }, status: 200 };
      },
      refused: anything,
    },
    'resolve-users': {
      done: async () => {
        const userId = await newUser();
        return {
          call: { body: { names: [userId] } },
          status: 200,
          answer: { items: [{ name: userId, users: [{ userId, ...noName, status: 'active' }] }] },
        };
      },
      'done for an address': async () => ({ call: { body: { names: ['ada', 'grace@example.com'] } }, status: 200 }),
      unchanged: reads,
      refused: anything,
    },
    'create-user': {
      done: async () => {
        const userId = fresh();
        return {
          call: { path: { userId }, body: ada },
          status: 201,
          answer: aUser({ userId, ...ada }),
          change: () => ({
            action: 'user.created',
            userId,
            before: null,
            after: { status: 'active', ...ada, version: 1 },
          }),
          again: 409,
        };
      },
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
        const answer = {
          ...aUser({ userId, status: 'inactive', version: 2 }),
          statusSetBy: setByTests(null),
          directory: null,
        };
        return { call: { path: { userId } }, status: 200, answer };
      },
      refused: async () => ({ call: { path: nobody }, status: 404 }),
    },
    'update-user': {
      done: async () => {
        const userId = await newUser();
        return {
          call: { path: { userId }, body: ada },
          status: 200,
          answer: { ...aUser({ userId, ...ada, version: 2 }), ...recorded },
          change: () => ({
            action: 'user.updated',
            userId,
            before: { ...noName, version: 1 },
            after: { ...ada, version: 2 },
          }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: { userId: 'ada' }, body: { displayName: null } }, status: 200 }),
      refused: async () => ({ call: { path: nobody, body: { displayName: 'Ada' } }, status: 404 }),
    },
    'delete-user': {
      done: async () => {
        const userId = await newUser();
        const before = { status: 'active', version: 1 };
        return {
          call: { path: { userId } },
          status: 200,
          answer: deleted,
          change: () => ({ action: 'user.deleted', userId, before, after: null }),
          again: 'unchanged',
        };
      },
      'done for an inactive member': async () => {
        const { userId } = await newMember();
        await setInactive(userId);
        return { call: { path: { userId } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { userId: fresh() } }, status: 200 }),
      refused: anything,
    },
    'set-user-status': {
      done: async () => {
        const userId = await newUser();
        return {
          call: { path: { userId }, body: { status: 'inactive', ...why } },
          status: 200,
          answer: { ...aUser({ userId, status: 'inactive', version: 2 }), ...recorded },
          change: deactivated(userId),
          again: 'unchanged',
        };
      },
      'done for an inactive user': async () => {
        const userId = await newUser();
        await setInactive(userId);
        return { call: { path: { userId }, body: { status: 'active' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { userId: 'ada' }, body: { status: 'active' } }, status: 200 }),
      refused: async () => ({ call: { path: nobody, body: { status: 'inactive' } }, status: 404 }),
    },
    'set-user-status-in-bulk': {
      done: async () => {
        const userId = await newUser();
        return {
          call: { body: { userIds: [userId], status: 'inactive', ...why } },
          status: 200,
          answer: { items: [{ userId, outcome: 'changed' }] },
          change: deactivated(userId),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { body: { userIds: ['ada'], status: 'active' } }, status: 200 }),
      refused: async () => ({ call: { body: { userIds: ['nobody'], status: 'inactive' } }, status: 200 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
