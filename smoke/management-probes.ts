import type { coreManageOperations } from '#shared/contract/core-operations.ts';
import { scopes } from '#shared/contract/operation.ts';
import type { ManageOperationName } from '#shared/contract/operations.ts';
import { optionProbes } from './registered-probes.ts';
import { keyOf, type ManageProbes, requireEqual, requireItem, type Trial } from './trial.ts';

const minutesToOverlap = 10;
const app = ({ appId }: Trial) => ({ path: { appId } });
const user = ({ userId }: Trial) => ({ path: { userId } });
const roleOf = ({ appId, role }: Trial) => ({ path: { appId, role } });
const grant = ({ userId, appId, role }: Trial) => ({ path: { userId, appId, role } });
const one = { limit: 1 };
/** The deployment may require one. */
const reason = 'smoke test';

/** Creates what the Service API needs: an application, a role, a user and a key. */
const preparation = {
  'get-operator': {
    request: () => ({}),
    check: ({ roles }) => {
      requireItem('the role admin in all applications', roles, ({ role, appId }) => role === 'admin' && appId === null);
      return undefined;
    },
    needed: true,
  },
  'create-application': {
    request: ({ appId, id }) => ({ body: { appId, name: `Smoke test ${id}` } }),
    check: ({ appId }, trial) => requireEqual('appId', appId, trial.appId),
    needed: true,
  },
  'get-application': { request: app, check: ({ appId }, trial) => requireEqual('appId', appId, trial.appId) },
  'list-applications': {
    request: () => ({ query: one }),
    check: ({ items }) => requireEqual('items', items.length, 1),
  },
  'update-application': {
    request: (trial) => ({ ...app(trial), body: { name: `Smoke test ${trial.id}, renamed` } }),
    check: ({ changed, changeId }, trial) => {
      if (changeId !== null) trial.applicationChangeId = changeId;
      return requireEqual('changed', changed, true);
    },
  },
  'undo-application-change': {
    request: (trial) => ({
      path: { appId: trial.appId, changeId: trial.applicationChangeId ?? '' },
      body: { reason },
    }),
    check: ({ name }, { id }) => requireEqual('name', name, `Smoke test ${id}`),
  },
  'define-role': {
    request: (trial) => ({ ...roleOf(trial), body: { description: 'Smoke test' } }),
    check: ({ changed }) => requireEqual('changed', changed, true),
    needed: true,
  },
  'get-role': { request: roleOf, check: ({ role }, trial) => requireEqual('role', role, trial.role) },
  'list-roles': { request: app, check: ({ items }) => requireEqual('items', items.length, 1) },
  'create-user': {
    request: (trial) => ({ ...user(trial), body: { displayName: `Smoke ${trial.id}` } }),
    check: ({ status }) => requireEqual('status', status, 'active'),
    needed: true,
  },
  'get-user': { request: user, check: ({ userId }, trial) => requireEqual('userId', userId, trial.userId) },
  'list-users': {
    request: ({ id }) => ({ query: { q: id } }),
    check: ({ items }, trial) => has('the user', items, ({ userId }) => userId === trial.userId),
    withinSeconds: 10,
  },
  'resolve-users': {
    request: ({ userId }) => ({ body: { names: [userId] } }),
    check: ({ items }) => requireEqual('users with that id', items[0]?.users.length, 1),
  },
  'update-user': {
    request: (trial) => ({ ...user(trial), body: { displayName: `Smoke ${trial.id}, renamed` } }),
    check: ({ changed }) => requireEqual('changed', changed, true),
  },
  'issue-key': {
    request: (trial) => ({ ...app(trial), body: { label: 'Smoke test', scopes: [...scopes] } }),
    check: ({ keyId, secret }, trial) => {
      trial.key = { keyId, secret };
      return undefined;
    },
    needed: true,
  },
  'list-keys': {
    request: app,
    check: ({ items }, trial) => has('the key', items, ({ keyId }) => keyId === keyOf(trial).keyId),
  },
  'list-all-keys': {
    request: () => ({ query: { state: 'active' as const, ...one } }),
    check: ({ items }) => requireEqual('items', items.length <= 1, true),
  },
  'update-key': {
    request: (trial) => ({ path: { appId: trial.appId, keyId: keyOf(trial).keyId }, body: { label: 'Smoke' } }),
    check: ({ label }) => requireEqual('label', label, 'Smoke'),
  },
} satisfies Partial<ManageProbes>;

/** What operators do with users who have access. */
const operation = {
  'list-application-users': {
    request: app,
    check: ({ items }, trial) => has('the user', items, ({ userId }) => userId === trial.userId),
    withinSeconds: 10,
  },
  'list-user-access': {
    request: user,
    check: ({ items }, trial) => has('the application', items, ({ appId }) => appId === trial.appId),
    withinSeconds: 10,
  },
  'assign-user-role': {
    request: (trial) => ({ ...grant(trial), body: { reason } }),
    check: ({ roles }) => requireEqual('roles', roles.length, 1),
  },
  'list-members': {
    request: roleOf,
    check: ({ items }, trial) => has('the user', items, ({ userId }) => userId === trial.userId),
  },
  'revoke-user-role': {
    request: (trial) => ({ ...grant(trial), body: { reason } }),
    check: ({ roles }) => requireEqual('roles', roles.length, 0),
  },
  'assign-role-in-bulk': {
    request: (trial) => ({ ...roleOf(trial), body: { userIds: [trial.userId], reason } }),
    check: ({ items }) => requireEqual('outcome', items[0]?.outcome, 'changed'),
  },
  'revoke-role-in-bulk': {
    request: (trial) => ({ ...roleOf(trial), body: { userIds: [trial.userId], reason } }),
    check: ({ items }) => requireEqual('outcome', items[0]?.outcome, 'changed'),
  },
  'set-user-access': {
    request: ({ userId, appId }) => ({ path: { userId, appId }, body: { status: 'enabled', reason } }),
    check: ({ effectiveStatus, changeId }, trial) => {
      if (changeId !== null) trial.changeId = changeId;
      return requireEqual('effectiveStatus', effectiveStatus, 'enabled');
    },
  },
  'undo-change': {
    request: (trial) => ({ path: { userId: trial.userId, changeId: trial.changeId ?? '' }, body: { reason } }),
    check: ({ changed }) => requireEqual('changed', changed, true),
  },
  'set-access-in-bulk': {
    request: (trial) => ({
      ...app(trial),
      body: { userIds: [trial.userId], status: 'enabled', bulkId: trial.bulkIds[0], reason },
    }),
    check: ({ items }) => requireEqual('outcome', items[0]?.outcome, 'changed'),
  },
  'set-user-status': {
    request: (trial) => ({ ...user(trial), body: { status: 'inactive', reason } }),
    check: ({ status }) => requireEqual('status', status, 'inactive'),
  },
  'set-user-status-in-bulk': {
    request: ({ userId, bulkIds: [, bulkId] }) => ({ body: { userIds: [userId], status: 'active', bulkId, reason } }),
    check: ({ items }) => requireEqual('outcome', items[0]?.outcome, 'changed'),
  },
  'list-application-changes': {
    request: (trial) => ({ ...app(trial), query: { limit: 100 } }),
    check: ({ items }, trial) => has('the block', items, ({ id }) => id === trial.block?.changeId),
    withinSeconds: 10,
  },
  'list-user-changes': {
    request: user,
    check: ({ items }, trial) => {
      trial.change = requireItem('the undone change', items, ({ id }) => id === trial.changeId);
      return undefined;
    },
  },
  'verify-changes': {
    request: ({ change }) => ({ body: { changes: change === undefined ? [] : [{ ...change }] } }),
    check: ({ items }) => requireEqual('verdict', items[0]?.verdict, 'unchanged'),
  },
  'list-all-changes': {
    request: ({ userId }) => ({ query: { userId } }),
    check: ({ items }, trial) => has('the block', items, ({ id }) => id === trial.block?.changeId),
    withinSeconds: 60,
  },
  'rotate-key': {
    request: (trial) => ({
      path: { appId: trial.appId, keyId: keyOf(trial).keyId },
      body: { overlap: `PT${minutesToOverlap}M` },
    }),
    check: ({ keyId, secret }, trial) => {
      trial.revokedKey = keyOf(trial);
      trial.key = { keyId, secret };
      return undefined;
    },
  },
  'revoke-key': {
    request: ({ appId, revokedKey }) => ({ path: { appId, keyId: revokedKey?.keyId ?? '' } }),
    check: ({ revokedAt }) => requireEqual('revoked', revokedAt !== null, true),
  },
} satisfies Partial<ManageProbes>;

/** Deletes everything that the run created. */
const deletion = {
  'delete-role': {
    request: (trial) => ({ ...roleOf(trial), query: { force: true } }),
    check: ({ complete }) => requireEqual('complete', complete, true),
  },
  'delete-user': { request: user, check: ({ complete }) => requireEqual('complete', complete, true) },
  'delete-application': {
    request: (trial) => ({ ...app(trial), query: { force: true } }),
    check: ({ complete }) => requireEqual('complete', complete, true),
  },
} satisfies Partial<ManageProbes>;

/** Every operation of the core; one without a probe does not compile. */
const coreProbes: ManageProbes<keyof typeof coreManageOperations> = { ...preparation, ...operation, ...deletion };

/** Every operation of the Management API, in the order in which they run. */
export const managementProbes: ManageProbes = Object.assign(
  {},
  coreProbes,
  ...optionProbes.flatMap((added) => [added.preparation, added.operation, added.completion]),
);

/** Their names by phase: before the Service API, after it, and last. */
export const managementPhases = {
  preparation: [preparation, ...optionProbes.map((added) => added.preparation)].flatMap(namesOf),
  operation: [
    ...optionProbes.map((added) => added.operation),
    operation,
    ...optionProbes.map((added) => added.completion),
  ].flatMap(namesOf),
  deletion: namesOf(deletion),
} as const;

function namesOf(probes: Partial<ManageProbes> = {}): readonly ManageOperationName[] {
  return Object.keys(probes) as ManageOperationName[];
}

function has<Item>(what: string, items: readonly Item[], fits: (item: Item) => boolean): undefined {
  requireItem(what, items, fits);
}
