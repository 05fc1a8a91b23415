import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { alterItem, removeItem } from '../alter-item.ts';
import { newApplication } from '../new-application.ts';
import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { operator, type TestService } from '../start-service.ts';
import { fromNow } from '../timestamps.ts';
import { newMember, nobody, nowhere } from './prepare.ts';

async function removeRole(appId: string, role: string): Promise<void> {
  const { deleteRole } = await import('#shared/domain/role/delete-role.ts');
  await deleteRole({ appId: appId as AppId, role: role as RoleName, force: true }, operator);
}

/** The requests for roles and their members. */
export function roleOutcomes(service: () => TestService) {
  return {
    'list-roles': {
      done: async () => ({ call: { path: { appId: 'billing' }, query: {} }, status: 200 }),
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'define-role': {
      done: async () => ({ call: { path: { appId: await newApplication(), role: 'editor' }, body: {} }, status: 201 }),
      'done with another description': async () => ({
        call: { path: { appId: await newApplication(['editor']), role: 'editor' }, body: { description: 'Edits' } },
        status: 200,
      }),
      'done after its deletion': async () => {
        const { appId, role } = await newMember();
        await removeRole(appId, role);
        return { call: { path: { appId, role }, body: {} }, status: 201 };
      },
      unchanged: async () => ({
        call: { path: { appId: await newApplication(['editor']), role: 'editor' }, body: {} },
        status: 200,
      }),
      refused: async () => ({ call: { path: { ...nowhere, role: 'editor' }, body: {} }, status: 404 }),
    },
    'get-role': {
      done: async () => ({ call: { path: { appId: 'billing', role: 'editor' } }, status: 200 }),
      refused: async () => ({ call: { path: { appId: 'billing', role: 'nothing' } }, status: 404 }),
    },
    'delete-role': {
      done: async () => ({
        call: { path: { appId: await newApplication(['editor']), role: 'editor' }, query: {} },
        status: 200,
      }),
      'done by force': async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: { force: 'true' } }, status: 200 };
      },
      'done by force for a member whose access is gone': async () => {
        const { appId, userId, role } = await newMember();
        await removeItem(service(), [`USER#${userId}`, `ACCESS#${appId}`]);
        return { call: { path: { appId, role }, query: { force: 'true' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: { appId: 'billing', role: 'nothing' }, query: {} }, status: 200 }),
      refused: async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: {} }, status: 409 };
      },
    },
    'list-members': {
      done: async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: {} }, status: 200 };
      },
      refused: async () => ({ call: { path: { appId: 'billing', role: 'nothing' }, query: {} }, status: 404 }),
    },
    'assign-role-in-bulk': {
      done: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: [await newUser()] } },
        status: 200,
      }),
      unchanged: async () => {
        const { appId, userId, role } = await newMember();
        return { call: { path: { appId, role }, body: { userIds: [userId] } }, status: 200 };
      },
      refused: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: ['nobody'] } },
        status: 200,
      }),
    },
    'revoke-role-in-bulk': {
      done: async () => {
        const { appId, userId, role } = await newMember();
        return { call: { path: { appId, role }, body: { userIds: [userId] } }, status: 200 };
      },
      unchanged: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: [await newUser()] } },
        status: 200,
      }),
      refused: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: ['nobody'] } },
        status: 200,
      }),
    },
    'assign-user-role': {
      done: async () => ({
        call: { path: { userId: await newUser(), appId: 'billing', role: 'editor' }, body: {} },
        status: 200,
      }),
      'done for a user whose other grant has expired': async () => {
        const { appId, userId } = await newMember();
        await alterItem(
          service(),
          [`USER#${userId}`, `ACCESS#${appId}`],
          ['roles', 'editor', 'expiresAt'],
          fromNow(-1),
        );
        return { call: { path: { userId, appId, role: 'viewer' }, body: {} }, status: 200 };
      },
      unchanged: async () => ({ call: { path: await newMember(), body: {} }, status: 200 }),
      refused: async () => ({
        call: { path: { userId: 'ada', appId: 'billing', role: 'nothing' }, body: {} },
        status: 404,
      }),
    },
    'revoke-user-role': {
      done: async () => ({ call: { path: await newMember() }, status: 200 }),
      unchanged: async () => ({ call: { path: { userId: 'ada', appId: 'billing', role: 'nothing' } }, status: 200 }),
      refused: async () => ({ call: { path: { ...nobody, appId: 'billing', role: 'editor' } }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
