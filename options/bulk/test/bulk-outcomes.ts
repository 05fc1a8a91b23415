import { expect } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import { type AskManage, aUlid, fresh, newMember, notSet, pageOf } from '#test/support/manage-outcomes/prepare.ts';
import { newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import type { OptionOutcomes } from '#test/support/option-outcomes.ts';
import type { ManageOutcomes } from '#test/support/outcomes.ts';
import type { TestService } from '#test/support/start-service.ts';

/** What the Changes of an undo have before and after. */
const states = { before: expect.any(Object), after: expect.any(Object) };

/** The requests of operators to import users and to undo bulks. */
function manage(_: () => TestService, ask: AskManage) {
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

  return {
    'import-users': {
      done: async () => {
        const [appId, userId] = [await newApplication(), await newUser()];
        const after = { ...notSet, status: 'disabled', explicit: true, reason: 'unpaid', version: 1 };
        const users = [{ userId, accesses: [{ appId, status: 'disabled' as const }] }];
        return {
          call: { body: { users, reason: 'unpaid' } },
          status: 200,
          answer: { items: [{ userId, outcome: 'changed', changes: [expect.any(Object)], problems: [] }] },
          change: () => ({
            action: 'access.changed',
            appId,
            userId,
            before: { ...notSet, version: 0 },
            after,
            reason: 'unpaid',
          }),
          again: 'unchanged',
        };
      },
      'done for an inactive user': async () => {
        const userId = await newUser();
        return {
          call: { body: { users: [{ userId, status: 'inactive' }], reason: 'left' } },
          status: 200,
          answer: { items: [{ userId, outcome: 'changed', changes: [{ effect: 'deactivated' }], problems: [] }] },
          change: () => ({
            action: 'user.status.changed',
            userId,
            before: { status: 'active', version: 1 },
            after: { status: 'inactive', version: 2 },
            reason: 'left',
          }),
          again: 'unchanged',
        };
      },
      'done for a new user': async () => ({
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
    'undo-bulk': {
      done: async () => {
        const { appId, userId, bulkId } = await blockInBulk();
        return {
          call: { path: { appId, bulkId }, query: {} },
          status: 200,
          answer: pageOf(expect.objectContaining({ userId, outcome: 'changed' })),
          change: () => ({ action: 'access.changed', appId, userId, bulkId, undoOf: aUlid, ...states }),
          again: 'unchanged',
        };
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
      done: async () => {
        const { userId, bulkId } = await deactivateInBulk();
        return {
          call: { path: { bulkId }, query: {} },
          status: 200,
          answer: pageOf(expect.objectContaining({ userId, outcome: 'changed' })),
          change: () => ({ action: 'user.status.changed', userId, bulkId, undoOf: aUlid, ...states }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: { bulkId: createUlid(new Date()) }, query: {} }, status: 200 }),
      refused: { never: 'Whom it cannot change is an outcome of its own.' },
    },
  } satisfies Partial<ManageOutcomes>;
}

const undo = ['undo-bulk', 'undo-status-bulk'];

/** What imports and the undo of bulks add to the tests of all operations. */
export const outcomes: OptionOutcomes = {
  manage,
  allowed: { viewer: [], support: undo, admin: ['import-users'] },
  global: ['undo-status-bulk', 'import-users'],
  examplesAfter: { 'update-user': ['import-users'], 'set-user-status-in-bulk': undo },
};
