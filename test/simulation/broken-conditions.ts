/** A condition of the service that is taken out, to see that a check notices. */
export interface BrokenCondition {
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly text: string;
  readonly instead: string;
  /** The name of the check that must fail. */
  readonly check: string;
}

const changeAccess = 'shared/domain/access/change-access.ts';

/** What must be noticed, by a name for `--break`. */
export const brokenConditions: Readonly<Record<string, BrokenCondition>> = {
  'version of an access': {
    file: 'shared/table/items/access-item.ts',
    text: "...(version === 0 ? { absent: ['version'] } : { equals: { version } }),",
    instead: '',
    check: 'chains',
  },
  'user is still there': {
    file: changeAccess,
    text: 'requireSameUserEntry(user),',
    instead: '',
    check: 'incarnations',
  },
  'nonce is spent': {
    file: changeAccess,
    text: "...(nonce ? [spendNonceEntry(nonce, { requestId, outcome: 'changed' })] : []),",
    instead: '',
    check: 'one-effect',
  },
  'change is written': {
    file: changeAccess,
    text: 'putChangeEntry(record),',
    instead: '',
    check: 'acknowledged',
  },
  'end of a member': {
    file: 'shared/table/items/role-item.ts',
    text: 'return putEntry({ ...memberKey(appId, role, userId), userId, expiresAt, ...ttl });',
    instead: 'return putEntry({ ...memberKey(appId, role, userId), userId, expiresAt: null, ...ttl });',
    check: 'members',
  },
  'member is deleted': {
    file: changeAccess,
    text: '...ended.map((role) => deleteMemberEntry(appId, role as RoleName, userId)),',
    instead: '',
    check: 'members',
  },
  'guard of a deletion': {
    file: 'shared/domain/user/delete-user.ts',
    text: 'deleteInBatches(groups, [requireMarkedUserEntry(marked)])',
    instead: 'deleteInBatches(groups)',
    check: 'incarnations',
  },
  'user is erased only when marked': {
    file: 'shared/table/items/user-item.ts',
    text: 'return deleteEntry(userKey(userId), { equals: { createdAt, deleting: true } });',
    instead: 'return deleteEntry(userKey(userId));',
    check: 'chains',
  },
  'horizon of the feed': {
    file: 'shared/contract/history.ts',
    text: 'export const changeSettlingSeconds = 15;',
    instead: 'export const changeSettlingSeconds = 0;',
    check: 'follower',
  },
  'unprocessed keys': {
    file: 'shared/table/client.ts',
    text: 'remaining = UnprocessedKeys?.[tableName]?.Keys ?? [];',
    instead: 'remaining = UnprocessedKeys === undefined ? [{}] : [];',
    check: 'reads',
  },
};
