import type { coreServiceOperations } from '#shared/contract/core-operations.ts';
import type { ServiceWriteName } from '#shared/contract/operations.ts';
import { optionProbes } from './registered-probes.ts';
import { requireEqual, requireItem, type ServiceProbes } from './trial.ts';

type CoreWriteName = Extract<ServiceWriteName, keyof typeof coreServiceOperations>;

/** Those of the core. A write must have one, because its example would change what later steps rely on. */
const coreProbes: ServiceProbes & Required<Pick<ServiceProbes, CoreWriteName>> = {
  'get-access': {
    request: ({ userId }) => ({ path: { userId } }),
    check: ({ effectiveStatus, decidedBy }) => {
      requireEqual('effectiveStatus', effectiveStatus, 'enabled');
      requireEqual('decidedBy', decidedBy, 'default');
      return undefined;
    },
    needed: true,
  },
  'check-access': {
    request: ({ userId, id }) => ({ body: { userIds: [userId, `${id}-unknown`] } }),
    check: ({ items: [known, unknown] }) => {
      requireEqual('the user', known !== undefined && 'effectiveStatus' in known && known.effectiveStatus, 'enabled');
      requireEqual('the unknown user', unknown !== undefined && 'code' in unknown && unknown.code, 'user_not_found');
      return undefined;
    },
  },
  'assign-role': {
    request: ({ userId, role }) => ({ path: { userId }, body: { role, reason: 'smoke test' } }),
    check: ({ roles }, { role }) => {
      requireItem('the role', roles, ({ name }) => name === role);
      return undefined;
    },
  },
  'set-access': {
    request: ({ userId }) => ({ path: { userId }, body: { status: 'disabled', reason: 'smoke test' } }),
    check: ({ effectiveStatus, changeId }, trial) => {
      if (changeId !== null) trial.block = { changeId, at: Date.now() };
      requireEqual('effectiveStatus', effectiveStatus, 'disabled');
      return undefined;
    },
  },
  'list-changes': {
    request: () => ({ query: { limit: 100 } }),
    check: ({ items }, { block }) => {
      requireItem('the block', items, ({ id }) => id === block?.changeId);
      return `the block reached the feed ${Date.now() - (block?.at ?? 0)} ms after its response`;
    },
    withinSeconds: 30,
  },
  'get-snapshot': {
    request: () => ({ query: { limit: 100 } }),
    check: ({ items }, trial) => {
      requireItem('the blocked user', items, (item) => item.kind === 'access' && item.userId === trial.userId);
      return undefined;
    },
    withinSeconds: 10,
  },
  'revoke-role': {
    request: ({ userId, role }) => ({ path: { userId }, body: { role, reason: 'smoke test' } }),
    check: ({ roles }) => {
      requireEqual('roles', roles.length, 0);
      return undefined;
    },
  },
};

/** The probes of the Service API, in the order in which they run; reads without a probe come last. */
export const serviceProbes: ServiceProbes = Object.assign(
  {},
  coreProbes,
  ...optionProbes.map(({ service }) => service),
);
