/** A condition that is removed from the service, to prove that a check notices. */
export interface BrokenCondition {
  readonly file: string;
  /** The condition's source text, which occurs in the file exactly once. */
  readonly text: string;
  readonly instead: string;
  /** The name of the check that must fail. */
  readonly check: string;
  /** Noticed by at most one in fifty seeds, which takes longer: only `npm run simulate -- --break` tries it. */
  readonly rare?: true;
  /** The first seed in which the check notices. Default: 1. If it no longer does, which costs time, others are tried. */
  readonly seed?: number;
}

const changeAccess = 'shared/domain/access/change-access.ts';

/** The breaks that must be noticed, by the name that `--break` takes. */
export const brokenConditions: Readonly<Record<string, BrokenCondition>> = {
  'version of an access': {
    file: 'shared/table/items/access-item.ts',
    text: "...(version === 0 ? { absent: ['version'] } : { equals: { version } }),",
    instead: '',
    check: 'chains',
    rare: true,
  },
  'user still exists': {
    file: changeAccess,
    text: 'orderChangeEntry(user, record.id),',
    instead: '',
    check: 'incarnations',
    rare: true,
  },
  'listed change still exists': {
    file: 'shared/table/items/history-item.ts',
    text: '{ equals: { id } }',
    instead: "{ absent: ['nothing'] }",
    check: 'history',
    seed: 45,
  },
  'history entry of an erased change': {
    file: 'shared/domain/user/delete-user.ts',
    text: '[deleteHistoryEntry(changeIdOf(item)), deleteEntry(item)]',
    instead: '[deleteEntry(item)]',
    check: 'history',
  },
  'outcome of a call': {
    file: 'shared/domain/request/perform-write.ts',
    text: 'const first = call === undefined ? [] : [completeCallEntry(call, { answer: kept })];',
    instead: 'const first = [];',
    check: 'one-effect',
    seed: 8,
  },
  'name of a refused attempt': {
    file: 'shared/domain/request/call.ts',
    text: 'await keepName(call, completed, call.signed.endsAt);',
    instead: '',
    check: 'replays',
    seed: 272,
  },
  'answered attempt is noted': {
    file: 'shared/domain/request/call.ts',
    text: 'return call.signed === undefined || recordAttempt(call, call.signed);',
    instead: 'return true;',
    check: 'replays',
    seed: 8,
  },
  'deadline of a send': {
    file: 'shared/core/clock.ts',
    text: 'return await current.run(limit, run);',
    instead: 'return await run();',
    check: 'late-writes',
    rare: true,
  },
  'change is written': {
    file: changeAccess,
    text: 'putChangeEntry(record),',
    instead: '',
    check: 'acknowledged',
  },
  'head of an access': {
    file: 'shared/table/items/access-item.ts',
    text: 'const last = { lastChangeId: id, chainHead: integrity.mac };',
    instead: "const last = { lastChangeId: id, chainHead: 'none' };",
    check: 'macs',
  },
  'link to the change before': {
    file: 'shared/domain/role/define-role.ts',
    text: 'previous: found?.role.chainHead ?? null,',
    instead: 'previous: null,',
    check: 'macs',
  },
  'head in the tombstone of a user': {
    file: 'shared/domain/user/users.ts',
    text: 'previous: mark?.chainHead ?? null,',
    instead: 'previous: null,',
    check: 'macs',
  },
  'entry of an access': {
    file: 'shared/domain/application/delete-application.ts',
    text: 'ranges.accessEntries(appId)',
    instead: 'ranges.applicationUsers(appId)',
    check: 'answers',
    rare: true,
  },
  'entry of an erased access': {
    file: 'shared/domain/user/delete-user.ts',
    text: '[...members, ...deleteAccessEntries({ userId, appId })]',
    instead: '[...members, deleteEntry(item)]',
    check: 'members',
  },
  'end of a member': {
    file: 'shared/table/items/role-item.ts',
    text: 'return putEntry({ ...memberKey(appId, role, userId), ...member, ...ttl });',
    instead: 'return putEntry({ ...memberKey(appId, role, userId), ...member, expiresAt: null, ...ttl });',
    check: 'members',
    seed: 8,
  },
  'member is deleted': {
    file: changeAccess,
    text: '...ended.map((role) => deleteMemberEntry(appId, role as RoleName, userId)),',
    instead: '',
    check: 'members',
    seed: 15,
  },
  'guard of a deletion': {
    file: 'shared/domain/user/delete-user.ts',
    text: 'deleteInBatches(groups, [requireMarkedUserEntry(marked)])',
    instead: 'deleteInBatches(groups)',
    check: 'incarnations',
    rare: true,
  },
  'words of an erased user': {
    file: 'shared/domain/user/delete-user.ts',
    text: '[[...entries, eraseUserEntry(marked',
    instead: '[[eraseUserEntry(marked',
    check: 'incarnations',
  },
  'words of a previous name': {
    file: 'shared/domain/user/search-entries.ts',
    text: '...gone.flatMap((word) => deleteSearchEntries({ userId, word })),',
    instead: '',
    check: 'search',
  },
  'mark of a reactivated user': {
    file: 'shared/domain/user/users.ts',
    text: 'user.status === read.status ? []',
    instead: "user.status === read.status || user.status === 'active' ? []",
    check: 'inactive',
  },
  'mark of a user deactivated in bulk': {
    file: 'shared/domain/user/users.ts',
    text: 'user.status === read.status ? []',
    instead: 'user.status === read.status || context.bulkId !== undefined ? []',
    check: 'inactive',
    seed: 24,
  },
  'mark of an erased inactive user': {
    file: 'shared/domain/user/delete-user.ts',
    text: 'putChangeEntry(change), ...inactiveMark]',
    instead: 'putChangeEntry(change)]',
    check: 'inactive',
    seed: 7,
  },
  'user is erased only when marked': {
    file: 'shared/table/items/user-item.ts',
    text: '      ...Object.keys(userFields),\n    ],\n    equals: { createdAt, deleting: true },',
    instead: '      ...Object.keys(userFields),\n    ],',
    check: 'chains',
    rare: true,
  },
  'horizon of the feed': {
    file: 'shared/contract/time-bounds.ts',
    text: 'export const changeSettlingSeconds: number = settleSeconds + clockSkewSeconds;',
    instead: 'export const changeSettlingSeconds = 0;',
    check: 'follower',
    seed: 5,
  },
  'changes of the same millisecond after a page': {
    file: 'shared/domain/history/read-feed.ts',
    text: 'reached = change.id;',
    instead: "reached = change.id.slice(0, 10).padEnd(26, 'Z');",
    check: 'follower',
    rare: true,
  },
  'position of an access in the index': {
    file: 'shared/table/items/access-item.ts',
    text: '...accessIndexKey(userId, appId) },',
    instead: "...accessIndexKey((next.status ?? 'enabled') + userId, appId) },",
    check: 'snapshot',
    rare: true,
  },
  'changes cursor of a snapshot': {
    file: 'shared/domain/access/read-snapshot.ts',
    text: 'settled: settledChangeId(at),',
    instead: 'settled: settledChangeId(new Date(at.getTime() + 15_000)),',
    check: 'snapshot',
    rare: true,
  },
  'users being erased are in the snapshot': {
    file: 'shared/table/items/user-item.ts',
    text: '...lastOf(change), ...erasedUserIndexKey(read.userId) },',
    instead: '...lastOf(change) },\n    remove: ["gsi1pk", "gsi1sk"],',
    check: 'snapshot',
    seed: 88,
  },
  'order of a user in the transaction': {
    file: 'shared/table/items/user-item.ts',
    text: "absent: ['deleting'], below: { lastChangeId: changeId } };",
    instead: "absent: ['deleting'] };",
    check: 'consumer',
    rare: true,
  },
  'order across an erasure': {
    file: 'shared/domain/user/users.ts',
    text: 'monotonicTimestamp(mark ?? {})',
    instead: 'monotonicTimestamp()',
    check: 'consumer',
    rare: true,
  },
  'closing of an application': {
    file: 'shared/domain/access/change-access.ts',
    text: 'requireOpen(application, now());',
    instead: '',
    check: 'closings',
    rare: true,
  },
  'closing of a role': {
    file: 'shared/domain/role/grant-role.ts',
    text: "requireNotClosed('role', found.closedUntil, at);",
    instead: '',
    check: 'closings',
    rare: true,
  },
  // Hardly any seed notices this; `--break 'wait of a sweep' --orders` does in seconds.
  'wait of a sweep': {
    file: 'shared/domain/role/sweep-role.ts',
    text: 'if (!(await waitUntil(settled))) return false;',
    instead: '',
    check: 'incarnations',
    rare: true,
  },
  'mark until a sweep finds nothing': {
    file: 'shared/domain/role/define-role.ts',
    text: 'if (found?.deleted && !found.swept && context.dryRun !== true) throw new UnsweptRole(found.role);',
    instead: '',
    check: 'incarnations',
    rare: true,
  },
  'unreadable response': {
    file: 'shared/table/dynamodb.ts',
    text: "return { kind: transient || isUnreadable(error) ? 'unavailable' : 'defect' };",
    instead: "return { kind: transient ? 'unavailable' : 'defect' };",
    check: 'errors',
    rare: true,
  },
  "deadline of the SDK's retries": {
    file: 'shared/table/dynamodb.ts',
    text: 'enforceDeadline(dynamoDb);',
    instead: '',
    check: 'late-writes',
    rare: true,
  },
  'unprocessed keys': {
    file: 'shared/table/client.ts',
    text: 'remaining = UnprocessedKeys?.[tableName]?.Keys ?? [];',
    instead: 'remaining = UnprocessedKeys === undefined ? [{}] : [];',
    check: 'reads',
    seed: 6,
  },
};
