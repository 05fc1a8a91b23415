import type { BrokenCondition } from '../broken-conditions.ts';

/** What directories and their groups rest on. */
export const brokenInDirectories: Readonly<Record<string, BrokenCondition>> = {
  'status that a person has set': {
    file: 'shared/domain/scim/account-rules.ts',
    text: 'active === account.active ? undefined : decideStatus(',
    instead: 'decideStatus(',
    check: 'directory-users',
    seed: 115,
  },
  'users of others': {
    file: 'shared/domain/scim/provision-user.ts',
    text: "(find(accountKey(userId)) !== undefined || connection.takeover !== 'matching')",
    instead: 'false',
    check: 'directory-users',
    seed: 60,
  },
  'users of another directory': {
    file: 'shared/domain/scim/open-directory.ts',
    text: 'account?.connectionId !== connection.connectionId || ',
    instead: 'account === undefined || ',
    check: 'directory-users',
    seed: 38,
  },
  'role that a person gave': {
    file: 'shared/domain/scim/align-member.ts',
    text: '...(!isOfGroup && { grantedAt })',
    instead: '',
    check: 'directory-groups',
    seed: 60,
  },
  'role that a person has given already': {
    file: 'shared/domain/scim/align-member.ts',
    text: 'if (held !== undefined && !hasPassed(held.expiresAt, at)) {',
    instead: 'if (held !== undefined && !hasPassed(held.expiresAt, at) && isFromGroup(held)) {',
    check: 'directory-groups',
    seed: 181,
  },
  'what a user is found by, after the erasure': {
    file: 'shared/table/items/account-item.ts',
    text: '...changePlaces(account, undefined), ',
    instead: '',
    check: 'incarnations',
    seed: 16,
  },
  'groups of a removed user': {
    file: 'shared/domain/scim/change-directory-user.ts',
    text: 'removed: !isMember',
    instead: 'removed: true',
    check: 'directory-answers',
    seed: 27,
  },
  'external id of a removed user': {
    file: 'shared/domain/scim/change-directory-user.ts',
    text: 'if (!found?.removed) return false;',
    instead: 'return false;',
    check: 'directory-answers',
    rare: true,
  },
};
