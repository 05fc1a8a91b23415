import { mustBe, mustHave, type ServiceProbes, type WritingOperation } from './trial.ts';

/** Operations of the Service API whose answers are checked, in the order in which they are tried; the others come last. */
export const serviceProbes: ServiceProbes & Required<Pick<ServiceProbes, WritingOperation>> = {
  'get-access': {
    request: ({ userId }) => ({ path: { userId } }),
    check: ({ effectiveStatus, decidedBy }) => {
      mustBe('effectiveStatus', effectiveStatus, 'enabled');
      mustBe('decidedBy', decidedBy, 'default');
      return undefined;
    },
    needed: true,
  },
  'check-access': {
    request: ({ userId, id }) => ({ body: { userIds: [userId, `${id}-nobody`] } }),
    check: ({ items: [known, unknown] }) => {
      mustBe('the user', known !== undefined && 'effectiveStatus' in known && known.effectiveStatus, 'enabled');
      mustBe('nobody', unknown !== undefined && 'code' in unknown && unknown.code, 'user_not_found');
      return undefined;
    },
  },
  'assign-role': {
    request: ({ userId, role }) => ({ path: { userId }, body: { role } }),
    check: ({ roles }, { role }) => {
      mustHave('the role', roles, ({ name }) => name === role);
      return undefined;
    },
  },
  'set-access': {
    request: ({ userId }) => ({ path: { userId }, body: { status: 'disabled', reason: 'smoke test' } }),
    check: ({ effectiveStatus, changeId }, trial) => {
      if (changeId !== null) trial.block = { changeId, at: Date.now() };
      mustBe('effectiveStatus', effectiveStatus, 'disabled');
      return undefined;
    },
  },
  'list-changes': {
    request: () => ({ query: { limit: 100 } }),
    check: ({ items }, { block }) => {
      mustHave('the block', items, ({ id }) => id === block?.changeId);
      return `the block was in the feed ${Date.now() - (block?.at ?? 0)} ms after its answer`;
    },
    withinSeconds: 30,
  },
  'get-snapshot': {
    request: () => ({ query: { limit: 100 } }),
    check: ({ items }, trial) => {
      mustHave('the blocked user', items, (item) => item.kind === 'access' && item.userId === trial.userId);
      return undefined;
    },
    withinSeconds: 10,
  },
  'revoke-role': {
    request: ({ userId, role }) => ({ path: { userId }, query: { role } }),
    check: ({ roles }) => {
      mustBe('roles', roles.length, 0);
      return undefined;
    },
  },
};
