import { manageInputs } from '#shared/contract/manage-inputs.ts';
import { manageRoutes } from '#shared/contract/manage-routes.ts';
import { assignRole } from '#shared/domain/assign-role.ts';
import { createUser } from '#shared/domain/create-user.ts';
import { deleteUser } from '#shared/domain/delete-user.ts';
import { getUser } from '#shared/domain/get-user.ts';
import { listUserChanges } from '#shared/domain/list-changes.ts';
import { listUserAccess } from '#shared/domain/list-user-access.ts';
import { listUsers } from '#shared/domain/list-users.ts';
import { revokeRole } from '#shared/domain/revoke-role.ts';
import { setAccess } from '#shared/domain/set-access.ts';
import { setUserStatus } from '#shared/domain/set-user-status.ts';
import { updateUser } from '#shared/domain/update-user.ts';
import { deletionAnswer } from './deletion-answer.ts';
import { manageOperation } from './manage-operation.ts';

/** Users, and what each of them has in the applications. */
export const userOperations = [
  manageOperation({
    route: manageRoutes['list-users'],
    ...manageInputs['list-users'],
    run: async ({ query }) => ({ body: await listUsers(query) }),
  }),
  manageOperation({
    route: manageRoutes['create-user'],
    ...manageInputs['create-user'],
    run: async ({ path, body }, context) => ({ status: 201, body: await createUser({ ...path, ...body }, context) }),
  }),
  manageOperation({
    route: manageRoutes['get-user'],
    ...manageInputs['get-user'],
    run: async ({ path }) => ({ body: await getUser(path) }),
  }),
  manageOperation({
    route: manageRoutes['update-user'],
    ...manageInputs['update-user'],
    run: async ({ path, body, ifMatch }, context) => ({
      body: await updateUser({ ...path, ...body, ifMatch }, context),
    }),
  }),
  manageOperation({
    route: manageRoutes['delete-user'],
    ...manageInputs['delete-user'],
    run: async ({ path }, context) => deletionAnswer(await deleteUser(path, context)),
  }),
  manageOperation({
    route: manageRoutes['set-user-status'],
    ...manageInputs['set-user-status'],
    run: async ({ path, body, ifMatch }, context) => ({
      body: await setUserStatus({ ...path, ...body, ifMatch }, context),
    }),
  }),
  manageOperation({
    route: manageRoutes['list-user-access'],
    ...manageInputs['list-user-access'],
    run: async ({ path, query }) => ({ body: await listUserAccess({ ...path, ...query }) }),
  }),
  manageOperation({
    route: manageRoutes['set-user-access'],
    ...manageInputs['set-user-access'],
    run: async ({ path, body, ifMatch }, context) => ({
      body: await setAccess({ ...path, setting: body, ifMatch }, context),
    }),
  }),
  manageOperation({
    route: manageRoutes['assign-user-role'],
    ...manageInputs['assign-user-role'],
    run: async ({ path: { role, ...path }, body, ifMatch }, context) => ({
      body: await assignRole({ ...path, grant: { role, ...body }, ifMatch }, context),
    }),
  }),
  manageOperation({
    route: manageRoutes['revoke-user-role'],
    ...manageInputs['revoke-user-role'],
    run: async ({ path, ifMatch }, context) => ({ body: await revokeRole({ ...path, ifMatch }, context) }),
  }),
  manageOperation({
    route: manageRoutes['list-user-changes'],
    ...manageInputs['list-user-changes'],
    run: async ({ path, query }) => ({ body: await listUserChanges({ ...path, ...query }) }),
  }),
];
