import type { BrokenCondition } from '#test/simulation/broken-conditions.ts';

/** What accounts and clients of the user pool rest on. */
export const brokenInLogins: Readonly<Record<string, BrokenCondition>> = {
  'changes that nobody was invoked for': {
    file: 'options/login/server/run-tasks.ts',
    text: 'tasks.filter(({ dueAt }) => dueAt <= now().getTime())',
    instead: 'tasks.slice(0, 0)',
    check: 'login-accounts',
    seed: 9,
  },
  'sessions of the inactive': {
    file: 'options/login/server/sync-account.ts',
    text: "if (user.status !== 'active') return found.enabled || copy?.enabled !== false;",
    instead: "if (user.status !== 'active') return false;",
    check: 'login-sessions',
    seed: 100,
  },
  'sessions of a user who was inactive for a moment': {
    file: 'options/login/server/sync-account.ts',
    text: 'return wasInactive || (',
    instead: 'return (',
    check: 'login-sessions',
    seed: 139,
  },
  'accounts that were deleted and made again': {
    file: 'options/login/server/sync-account.ts',
    text: 'known !== undefined && known.madeAt < deletedAt',
    instead: 'false',
    check: 'login-sessions',
    seed: 100,
  },
  'clients without a login': {
    file: 'options/login/server/sync-client.ts',
    text: 'client.clientId ?? (await findClient(pool, client.appId))',
    instead: 'client.clientId ?? undefined',
    check: 'login-clients',
    seed: 347,
  },
  'decision before tokens': {
    file: 'options/login/server/login-decision.ts',
    text: "return effectiveStatus === 'enabled' ? {",
    instead: 'return effectiveStatus ? {',
    check: 'login-tokens',
    seed: 61,
  },
};
