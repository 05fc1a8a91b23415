import type { AppId, RoleName } from '#shared/contract/fields.ts';
import { alterItem, removeItem } from '../alter-item.ts';
import { newApplication } from '../new-application.ts';
import { newUser } from '../new-user.ts';
import type { ManageOutcomes } from '../outcomes.ts';
import { operator, type TestService } from '../start-service.ts';
import { fromNow } from '../timestamps.ts';
import { anAccess, aRole, aTimestamp, recorded } from '../view-shapes.ts';
import {
  accessOfMember,
  deleted,
  isGranted,
  newMember,
  nobody,
  noName,
  notGranted,
  nowhere,
  pageOf,
  why,
} from './prepare.ts';

const noRole = { appId: 'billing', role: 'nothing' };
const toNobody = { path: { appId: 'billing', role: 'editor' }, body: { userIds: ['nobody'] } };

async function removeRole(appId: string, role: string): Promise<void> {
  const { deleteRole } = await import('#shared/domain/role/delete-role.ts');
  await deleteRole({ appId: appId as AppId, role: role as RoleName, force: true }, operator);
}

/** The requests for roles and their members. */
export function roleOutcomes(service: () => TestService) {
  return {
    'list-roles': {
      done: async () => {
        const appId = await newApplication(['editor', 'viewer']);
        const roles = ['editor', 'viewer'].map((role) => aRole({ appId, role }));
        return { call: { path: { appId }, query: {} }, status: 200, answer: pageOf(...roles) };
      },
      refused: async () => ({ call: { path: nowhere, query: {} }, status: 404 }),
    },
    'define-role': {
      done: async () => {
        const path = { appId: await newApplication(), role: 'editor' };
        const description = 'Edits';
        return {
          call: { path, body: { description } },
          status: 201,
          answer: { ...aRole({ ...path, description }), changed: true },
          change: () => ({ action: 'role.defined', ...path, before: null, after: { description, version: 1 } }),
          again: 'unchanged',
        };
      },
      'done with another description': async () => {
        const path = { appId: await newApplication(['editor']), role: 'editor' };
        const [before, after] = [
          { description: null, version: 1 },
          { description: 'Edits', version: 2 },
        ];
        return {
          call: { path, body: { description: 'Edits' } },
          status: 200,
          answer: { ...aRole({ ...path, ...after }), changed: true },
          change: () => ({ action: 'role.defined', ...path, before, after }),
          again: 'unchanged',
        };
      },
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
      done: async () => {
        const path = { appId: 'billing', role: 'editor' };
        return { call: { path }, status: 200, answer: aRole(path) };
      },
      refused: async () => ({ call: { path: noRole }, status: 404 }),
    },
    'delete-role': {
      done: async () => {
        const path = { appId: await newApplication(['editor']), role: 'editor' };
        return {
          call: { path, query: {} },
          status: 200,
          answer: deleted,
          change: () => ({ action: 'role.deleted', ...path, before: { description: null, version: 1 }, after: null }),
          again: 'unchanged',
        };
      },
      'done by force': async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: { force: 'true' } }, status: 200 };
      },
      'done by force for a member whose access is gone': async () => {
        const { appId, userId, role } = await newMember();
        await removeItem(service(), [`USER#${userId}`, `ACCESS#${appId}`]);
        return { call: { path: { appId, role }, query: { force: 'true' } }, status: 200 };
      },
      unchanged: async () => ({ call: { path: noRole, query: {} }, status: 200 }),
      refused: async () => {
        const { appId, role } = await newMember();
        return { call: { path: { appId, role }, query: {} }, status: 409 };
      },
    },
    'list-members': {
      done: async () => {
        const { appId, role, userId } = await newMember();
        const answer = pageOf({ userId, ...noName, expiresAt: null });
        return { call: { path: { appId, role }, query: {} }, status: 200, answer };
      },
      refused: async () => ({ call: { path: noRole, query: {} }, status: 404 }),
    },
    'assign-role-in-bulk': {
      done: async () => {
        const [path, userId] = [{ appId: await newApplication(['editor']), role: 'editor' }, await newUser()];
        const [before, after] = [
          { ...notGranted, version: 0 },
          { ...isGranted, version: 1 },
        ];
        return {
          call: { path, body: { userIds: [userId], ...why } },
          status: 200,
          answer: { items: [{ userId, outcome: 'changed' }] },
          change: () => ({ action: 'role.assigned', ...path, userId, before, after, ...why }),
          again: 'unchanged',
        };
      },
      unchanged: async () => {
        const { appId, userId, role } = await newMember();
        return { call: { path: { appId, role }, body: { userIds: [userId] } }, status: 200 };
      },
      refused: async () => ({ call: toNobody, status: 200 }),
    },
    'revoke-role-in-bulk': {
      done: async () => {
        const { appId, userId, role } = await newMember();
        const [before, after] = [
          { ...isGranted, version: 2 },
          { ...notGranted, version: 3 },
        ];
        return {
          call: { path: { appId, role }, body: { userIds: [userId], ...why } },
          status: 200,
          answer: { items: [{ userId, outcome: 'changed' }] },
          change: () => ({ action: 'role.revoked', appId, role, userId, before, after, ...why }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({
        call: { path: { appId: 'billing', role: 'editor' }, body: { userIds: [await newUser()] } },
        status: 200,
      }),
      refused: async () => ({ call: toNobody, status: 200 }),
    },
    'assign-user-role': {
      done: async () => {
        const path = { userId: await newUser(), appId: await newApplication(['editor']), role: 'editor' };
        const { userId, appId } = path;
        const roles = [{ name: 'editor', expiresAt: null }];
        const [before, after] = [
          { ...notGranted, version: 0 },
          { ...isGranted, version: 1 },
        ];
        return {
          call: { path, body: why },
          status: 200,
          answer: { ...anAccess({ userId, appId, roles, version: 1, updatedAt: aTimestamp }), ...recorded },
          change: () => ({ action: 'role.assigned', ...path, before, after, ...why }),
          again: 'unchanged',
        };
      },
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
      refused: async () => ({ call: { path: { userId: 'ada', ...noRole }, body: {} }, status: 404 }),
    },
    'revoke-user-role': {
      done: async () => {
        const path = await newMember();
        const [before, after] = [
          { ...isGranted, version: 2 },
          { ...notGranted, version: 3 },
        ];
        return {
          call: { path, body: why },
          status: 200,
          answer: { ...accessOfMember(path), roles: [], version: 3, ...recorded },
          change: () => ({ action: 'role.revoked', ...path, before, after, ...why }),
          again: 'unchanged',
        };
      },
      unchanged: async () => ({ call: { path: { userId: 'ada', ...noRole } }, status: 200 }),
      refused: async () => ({ call: { path: { ...nobody, appId: 'billing', role: 'editor' } }, status: 404 }),
    },
  } satisfies Partial<ManageOutcomes>;
}
