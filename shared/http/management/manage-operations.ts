import * as optionRuns from '#options/runs.ts';
import { isReasonRequired } from '#shared/contract/change-reason.ts';
import type { coreManageOperations } from '#shared/contract/core-operations.ts';
import type { ManageOperation } from '#shared/contract/operation.ts';
import { config } from '#shared/core/config.ts';
import { invalidField } from '#shared/core/errors.ts';
import { listApplicationUsers, listUserAccess } from '#shared/domain/access/list-access.ts';
import { listEffectiveAccess } from '#shared/domain/access/list-effective-access.ts';
import { setAccess, setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { listAllKeys } from '#shared/domain/api-key/list-all-keys.ts';
import { issueKey, revokeKey, rotateKey, updateKey } from '#shared/domain/api-key/manage-keys.ts';
import { listKeys } from '#shared/domain/api-key/owned-keys.ts';
import {
  createApplication,
  getApplication,
  listApplications,
  updateApplication,
} from '#shared/domain/application/applications.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import {
  listApplicationChanges,
  listApplicationChangesAfter,
  listUserChanges,
} from '#shared/domain/history/list-history.ts';
import { undoApplicationChange } from '#shared/domain/history/undo-application-change.ts';
import { undoChange, viewChanges } from '#shared/domain/history/undo-change.ts';
import { verifyChanges } from '#shared/domain/history/verify-changes.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { deleteRole } from '#shared/domain/role/delete-role.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { assignRoleInBulk, listMembers, revokeRoleInBulk } from '#shared/domain/role/members.ts';
import { getRole, listRoles } from '#shared/domain/role/roles.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { findApplicationUsers } from '#shared/domain/user/find-application-users.ts';
import { findUsers } from '#shared/domain/user/find-users.ts';
import { resolveUsers } from '#shared/domain/user/resolve-users.ts';
import { listUsersByRole } from '#shared/domain/user/role-holders.ts';
import {
  createUser,
  getUser,
  listUsers,
  setUserStatus,
  setUserStatusInBulk,
  updateUser,
} from '#shared/domain/user/users.ts';

import { exactly } from '../exactly.ts';
import { continuable, type ManageRun, type ManageRuns } from './manage-run.ts';
import { narrowed } from './narrowed.ts';

/**
 * The implementation of each operation of the core; its record has the rest. Access and roles are set by the functions of the
 * Service API, with another kind of caller; a bulk change runs the same functions once per user.
 */
const coreRuns: ManageRuns<typeof coreManageOperations> = {
  'get-operator': async (_, { caller: { id, via = 'token', email = null }, heldRoles }) => ({
    id,
    via,
    email,
    roles: heldRoles,
    reasonRequired: isReasonRequired('operator', config().requireReason),
  }),

  'create-application': ({ body }, context) => exactly(createApplication)(body, context),
  'list-applications': async ({ query }, { limitedTo }) =>
    narrowed(await exactly(listApplications)(query, limitedTo), limitedTo),
  'get-application': ({ path }) => exactly(getApplication)(path),
  'update-application': ({ path, body, ifMatch }, context) =>
    exactly(updateApplication)({ ...path, ...body, ifMatch }, context),
  'undo-application-change': ({ path }, context) => exactly(undoApplicationChange)(path, context),
  'delete-application': async ({ path, query: { force, ...rest } }, context) =>
    continuable(await exactly(deleteApplication)({ ...path, ...rest, force: force === 'true' }, context)),

  'issue-key': ({ path, body }, context) => exactly(issueKey)({ ...path, ...body }, context),
  'list-keys': ({ path, query }) => exactly(listKeys)({ ...path, ...query }),
  'list-all-keys': async ({ query: { limit, cursor, ...filter } }, { limitedTo }) =>
    narrowed(await exactly(listAllKeys)({ limit, cursor, filter, limitedTo }), limitedTo),
  'update-key': ({ path, body }, context) => exactly(updateKey)({ ...path, ...body }, context),
  'revoke-key': ({ path }, context) => exactly(revokeKey)(path, context),
  'rotate-key': ({ path, body: { overlap: overlapSeconds, ...rotation } }, context) =>
    exactly(rotateKey)({ ...path, overlapSeconds, ...rotation }, context),

  'list-roles': ({ path, query }) => exactly(listRoles)({ ...path, ...query }),
  'define-role': async ({ path, body }, context) => {
    const { created, ...answer } = await exactly(defineRole)({ ...path, ...body }, context);
    return { status: created ? 201 : 200, answer };
  },
  'get-role': ({ path }) => exactly(getRole)(path),
  'delete-role': async ({ path, query: { force, ...rest } }, context) =>
    continuable(await exactly(deleteRole)({ ...path, ...rest, force: force === 'true' }, context)),
  'list-members': ({ path, query }) => exactly(listMembers)({ ...path, ...query }),
  'assign-role-in-bulk': async ({ path, body }, context) => ({
    items: await exactly(assignRoleInBulk)({ ...path, ...body }, context),
  }),
  'revoke-role-in-bulk': async ({ path, body }, context) => ({
    items: await exactly(revokeRoleInBulk)({ ...path, ...body }, context),
  }),

  'list-application-users': ({ path, query: { effectiveStatus, decidedBy, q, status, ...page } }) => {
    if (effectiveStatus === undefined && decidedBy === undefined && q === undefined) {
      return exactly(listApplicationUsers)({ ...path, ...page, status });
    }
    if (status !== undefined) throw invalidField('status', 'cannot be combined with effectiveStatus, decidedBy or q');
    const request = { ...path, ...page, effectiveStatus, decidedBy };
    return q === undefined ? exactly(listEffectiveAccess)(request) : exactly(findApplicationUsers)({ ...request, q });
  },
  'set-access-in-bulk': async ({ path, body: { userIds, bulkId, dryRun, ticket: _, ...setting } }, context) => ({
    items: await exactly(setAccessInBulk)({ ...path, userIds, bulkId, dryRun, setting }, context),
  }),
  'list-application-changes': async ({ path, query: { after, ...page } }, { heldRoles }) => {
    if (after === undefined) return viewChanges(await exactly(listApplicationChanges)({ ...path, ...page }), heldRoles);
    if (page.cursor !== undefined) throw invalidField('cursor', 'cannot be combined with after');
    const since = { ...path, ...page, cursor: after === '' ? undefined : after };
    return viewChanges(await exactly(listApplicationChangesAfter)(since), heldRoles);
  },

  'list-users': ({ query: { q, prefix, hasRole: text, ...page } }, { limitedTo }) => {
    const hasRole = text === undefined ? undefined : text === 'true';
    if (q !== undefined && prefix !== '') throw invalidField('q', 'cannot be combined with prefix');
    if (q !== undefined) return exactly(findUsers)({ q, hasRole, limitedTo, ...page });
    return hasRole === undefined
      ? exactly(listUsers)({ prefix, ...page })
      : exactly(listUsersByRole)({ prefix, hasRole, limitedTo, ...page });
  },
  'resolve-users': async ({ body }) => ({ items: await resolveUsers(body.names) }),
  'create-user': ({ path, body }, context) => exactly(createUser)({ ...path, ...body }, context),
  'get-user': ({ path }) => exactly(getUser)(path),
  'update-user': ({ path, body, ifMatch }, context) => exactly(updateUser)({ ...path, ...body, ifMatch }, context),
  'delete-user': async ({ path }, context) => continuable(await exactly(deleteUser)(path, context)),
  'set-user-status': ({ path, body, ifMatch }, context) =>
    exactly(setUserStatus)({ ...path, ...body, ifMatch }, context),
  'set-user-status-in-bulk': async ({ body }, context) => ({
    items: await exactly(setUserStatusInBulk)(body, context),
  }),
  'list-user-access': async ({ path, query }, { limitedTo }) =>
    narrowed(await exactly(listUserAccess)({ ...path, ...query, limitedTo }), limitedTo),
  'set-user-access': ({ path, body: { ticket: _, ...setting }, ifMatch }, context) =>
    exactly(setAccess)({ ...path, setting, ifMatch }, context),
  'assign-user-role': ({ path: { role, ...path }, body: { expiresAt }, ifMatch }, context) =>
    exactly(assignRole)({ ...path, grant: { role, expiresAt }, ifMatch }, context),
  'revoke-user-role': ({ path, ifMatch }, context) => exactly(revokeRole)({ ...path, ifMatch }, context),
  'list-user-changes': async ({ path, query }, { limitedTo, heldRoles }) =>
    narrowed(viewChanges(await exactly(listUserChanges)({ ...path, ...query, limitedTo }), heldRoles), limitedTo),
  'verify-changes': async ({ body }) => ({ items: await verifyChanges(body.changes) }),
  'list-all-changes': async ({ query: { action: actions, ...query } }, { limitedTo, heldRoles }) =>
    narrowed(viewChanges(await exactly(listAllChanges)({ ...query, actions, limitedTo }), heldRoles), limitedTo),
  'undo-change': ({ path }, context) => exactly(undoChange)({ ...path, heldRoles: context.heldRoles }, context),
};

/** The implementation of each operation of the Management API. */
export const manageRuns: Readonly<Record<string, ManageRun<ManageOperation>>> = Object.assign(
  {},
  coreRuns,
  ...Object.values(optionRuns),
);
