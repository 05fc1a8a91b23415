import { manageInputs } from '#shared/contract/manage-inputs.ts';
import { manageRoutes } from '#shared/contract/manage-routes.ts';
import { defineRole } from '#shared/domain/define-role.ts';
import { deleteRole } from '#shared/domain/delete-role.ts';
import { getRole } from '#shared/domain/get-role.ts';
import { listMembers } from '#shared/domain/list-members.ts';
import { listRoles } from '#shared/domain/list-roles.ts';
import { deletionAnswer } from './deletion-answer.ts';
import { manageOperation } from './manage-operation.ts';

/** The roles of an application and who holds them. */
export const roleOperations = [
  manageOperation({
    route: manageRoutes['list-roles'],
    ...manageInputs['list-roles'],
    run: async ({ path, query }) => ({ body: await listRoles({ ...path, ...query }) }),
  }),
  manageOperation({
    route: manageRoutes['define-role'],
    ...manageInputs['define-role'],
    run: async ({ path, body }, context) => {
      const { created, ...role } = await defineRole({ ...path, ...body }, context);
      return { status: created ? 201 : 200, body: role };
    },
  }),
  manageOperation({
    route: manageRoutes['get-role'],
    ...manageInputs['get-role'],
    run: async ({ path }) => ({ body: await getRole(path) }),
  }),
  manageOperation({
    route: manageRoutes['delete-role'],
    ...manageInputs['delete-role'],
    run: async ({ path, query }, context) =>
      deletionAnswer(await deleteRole({ ...path, force: query.force === 'true' }, context)),
  }),
  manageOperation({
    route: manageRoutes['list-members'],
    ...manageInputs['list-members'],
    run: async ({ path, query }) => ({ body: await listMembers({ ...path, ...query }) }),
  }),
];
