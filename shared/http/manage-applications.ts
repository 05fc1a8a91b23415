import { manageInputs } from '#shared/contract/manage-inputs.ts';
import { manageRoutes } from '#shared/contract/manage-routes.ts';
import { invalidField } from '#shared/core/errors.ts';
import { createApplication } from '#shared/domain/create-application.ts';
import { deleteApplication } from '#shared/domain/delete-application.ts';
import { getApplication } from '#shared/domain/get-application.ts';
import { issueKey } from '#shared/domain/issue-key.ts';
import { listApplicationUsers } from '#shared/domain/list-application-users.ts';
import { listApplications } from '#shared/domain/list-applications.ts';
import { listApplicationChanges, listApplicationChangesAfter } from '#shared/domain/list-changes.ts';
import { listKeys } from '#shared/domain/list-keys.ts';
import { revokeKey } from '#shared/domain/revoke-key.ts';
import { rotateKey } from '#shared/domain/rotate-key.ts';
import { setAccessInBulk } from '#shared/domain/set-access-in-bulk.ts';
import { updateApplication } from '#shared/domain/update-application.ts';
import { deletionAnswer } from './deletion-answer.ts';
import { manageOperation } from './manage-operation.ts';

/** Applications, their keys and their users. */
export const applicationOperations = [
  manageOperation({
    route: manageRoutes['create-application'],
    ...manageInputs['create-application'],
    run: async ({ body }, context) => ({ status: 201, body: await createApplication(body, context) }),
  }),
  manageOperation({
    route: manageRoutes['list-applications'],
    ...manageInputs['list-applications'],
    run: async ({ query }) => ({ body: await listApplications(query) }),
  }),
  manageOperation({
    route: manageRoutes['get-application'],
    ...manageInputs['get-application'],
    run: async ({ path }) => ({ body: await getApplication(path) }),
  }),
  manageOperation({
    route: manageRoutes['update-application'],
    ...manageInputs['update-application'],
    run: async ({ path, body, ifMatch }, context) => ({
      body: await updateApplication({ ...path, ...body, ifMatch }, context),
    }),
  }),
  manageOperation({
    route: manageRoutes['delete-application'],
    ...manageInputs['delete-application'],
    run: async ({ path, query }, context) =>
      deletionAnswer(await deleteApplication({ ...path, force: query.force === 'true' }, context)),
  }),
  manageOperation({
    route: manageRoutes['issue-key'],
    ...manageInputs['issue-key'],
    run: async ({ path, body }, context) => ({ status: 201, body: await issueKey({ ...path, ...body }, context) }),
  }),
  manageOperation({
    route: manageRoutes['list-keys'],
    ...manageInputs['list-keys'],
    run: async ({ path, query }) => ({ body: await listKeys({ ...path, ...query }) }),
  }),
  manageOperation({
    route: manageRoutes['revoke-key'],
    ...manageInputs['revoke-key'],
    run: async ({ path }, context) => ({ body: await revokeKey(path, context) }),
  }),
  manageOperation({
    route: manageRoutes['rotate-key'],
    ...manageInputs['rotate-key'],
    run: async ({ path, body }, context) => ({
      status: 201,
      body: await rotateKey({ ...path, overlapSeconds: body.overlap }, context),
    }),
  }),
  manageOperation({
    route: manageRoutes['list-application-users'],
    ...manageInputs['list-application-users'],
    run: async ({ path, query }) => ({ body: await listApplicationUsers({ ...path, ...query }) }),
  }),
  manageOperation({
    route: manageRoutes['set-access-in-bulk'],
    ...manageInputs['set-access-in-bulk'],
    run: async ({ path, body: { userIds, ...setting } }, context) => ({
      body: { items: await setAccessInBulk({ ...path, userIds, setting }, context) },
    }),
  }),
  manageOperation({
    route: manageRoutes['list-application-changes'],
    ...manageInputs['list-application-changes'],
    run: async ({ path, query: { after, limit, cursor } }) => {
      if (after === undefined) return { body: await listApplicationChanges({ ...path, limit, cursor }) };
      if (cursor !== undefined) throw invalidField('query:cursor', 'reads backward; leave it out beside after');
      return { body: await listApplicationChangesAfter({ ...path, limit, cursor: after === '' ? undefined : after }) };
    },
  }),
];
