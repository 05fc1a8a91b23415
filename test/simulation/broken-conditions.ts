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
    text: '...putChangeEntries(record),',
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
    text: '[[...entries, ...eraseUserEntries(marked',
    instead: '[[...eraseUserEntries(marked',
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
    text: '...putChangeEntries(change), ...inactiveMark]',
    instead: '...putChangeEntries(change)]',
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
  'a free number': {
    file: 'shared/table/items/feed-item.ts',
    text: "const entry = putEntry(item, { absent: ['pk'] });",
    instead: 'const entry = putEntry(item);',
    check: 'feeds',
    seed: 9,
  },
  'a page of the log that is short': {
    file: 'shared/table/items/feed-item.ts',
    text: '} while (next !== undefined && found.length < count);',
    instead: '} while (false);',
    check: 'feeds',
    seed: 8,
  },
  'what the last block has is no longer pending': {
    file: 'shared/domain/history/feed-numbers.ts',
    text: 'const unnumbered = changes.filter(({ id }) => !known.has(id));',
    instead: 'const unnumbered = [...changes];',
    check: 'feeds',
  },
  'the end of the log is read first': {
    file: 'shared/domain/history/feed-numbers.ts',
    text: '    const end = await readLogEnd(feed);\n    const { changes, more } = await readPendingChanges(feed);',
    instead: '    const { changes, more } = await readPendingChanges(feed);\n    const end = await readLogEnd(feed);',
    check: 'feeds',
    seed: 214,
  },
  'numbers that are reserved': {
    file: 'shared/table/items/feed-item.ts',
    text: '(last !== undefined && isReadable(last) ? lastNumber(last) : upTo) + 1',
    instead: 'upTo + 1',
    check: 'feeds',
  },
  'a change is pending until it has a number': {
    file: 'shared/table/items/change-item.ts',
    text: '...(feed === undefined ? [] : [putPendingEntry(feed, change)])',
    instead: '',
    check: 'follower',
  },
  'pending changes are in the answer': {
    file: 'shared/domain/history/read-feed.ts',
    text: 'const pending = numbered.ended ? pendingAfter(feeds, position?.pendingAfter).filter(isWanted) : [];',
    instead: 'const pending = [];',
    check: 'follower',
    seed: 3,
  },
  'pending changes are read before the log': {
    file: 'shared/table/items/feed-item.ts',
    text: '  const pending = await readPendingUpTo(feed);\n  const log = await readItemsOf(ranges.log(feed, first), blocksPerPage);',
    instead:
      '  const log = await readItemsOf(ranges.log(feed, first), blocksPerPage);\n  const pending = await readPendingUpTo(feed);',
    check: 'follower',
    rare: true,
  },
  'the position within a block': {
    file: 'shared/domain/history/read-feed.ts',
    text: 'after: { first: block.first, number: block.first + at, id: change.id },',
    instead: 'after: { first: block.first, number: lastNumber(block), id: block.changes.at(-1)?.id ?? null },',
    check: 'snapshot',
    seed: 2,
  },
  'changes cursor of a snapshot': {
    file: 'shared/domain/access/read-snapshot.ts',
    text: 'changesCursor: place.changesCursor,',
    instead: 'changesCursor: (await firstPlace(appId)).changesCursor,',
    check: 'snapshot',
    seed: 2,
  },
  'accesses of a snapshot are read from the table': {
    file: 'shared/domain/access/read-snapshot.ts',
    text: '{ range: ranges.accessEntries(appId),',
    instead: '{ range: ranges.applicationUsers(appId),',
    check: 'snapshot',
  },
  'users being erased are in the snapshot': {
    file: 'shared/table/items/user-item.ts',
    text: 'return [marked, deleteEntry(userEntryKey(userId)), erased];',
    instead: 'return [marked, deleteEntry(userEntryKey(userId))];',
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
