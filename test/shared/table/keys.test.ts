import { expect, test } from '@jest/globals';
import type { AppId, KeyId, RoleName, UserId } from '#shared/contract/fields.ts';
import {
  accessEntryKey,
  accessIndexKey,
  accessKey,
  applicationUsersRange,
  userAccessesRange,
} from '#shared/table/keys/access-item-keys.ts';
import { keyUseKey, keyUsesRange } from '#shared/table/keys/api-key-item-keys.ts';
import {
  applicationIndexKey,
  applicationKey,
  applicationsRange,
  requestTotalsKey,
} from '#shared/table/keys/application-item-keys.ts';
import { attemptKey, idempotencyKey, nonceKey } from '#shared/table/keys/call-item-keys.ts';
import {
  applicationChangeKey,
  applicationChangesRange,
  changeIndexKey,
  erasureKey,
  historyIndexKey,
  historyRanges,
  isChangeKey,
  isErasure,
  userChangeIndexKey,
  userChangeKey,
  userChangesForAllRange,
  userChangesRange,
  userHistoryRanges,
} from '#shared/table/keys/change-item-keys.ts';
import {
  endOfUsers,
  feedNewsRange,
  logBlockKey,
  logEndKey,
  logRange,
  pendingChangesRange,
  pendingKey,
  usersFeed,
} from '#shared/table/keys/feed-item-keys.ts';
import { memberKey, membersRange, roleKey, rolesRange } from '#shared/table/keys/role-item-keys.ts';
import {
  isIdeograph,
  searchEntriesOfRange,
  searchEntriesRange,
  searchEntryKey,
} from '#shared/table/keys/search-item-keys.ts';
import {
  erasedEntryKey,
  erasedUsersRange,
  inactiveMarkKey,
  inactiveUsersRange,
  userEntryKey,
  userItemsRange,
  userKey,
  usersRange,
} from '#shared/table/keys/user-item-keys.ts';
import { epochSeconds } from '#shared/table/ttl.ts';

const [appId, userId, role, keyId] = ['billing' as AppId, 'ada' as UserId, 'editor' as RoleName, 'svk_k1_a' as KeyId];

// Existing items can be found only by these.
test.each([
  ['a user', userKey(userId), { pk: 'USER#ada', sk: 'USER' }],
  ['an application', applicationKey(appId), { pk: 'APP#billing', sk: 'APP' }],
  ['a role', roleKey(appId, role), { pk: 'APP#billing', sk: 'ROLE#editor' }],
  ['an access', accessKey(userId, appId), { pk: 'USER#ada', sk: 'ACCESS#billing' }],
  ['an access seen from its application', accessEntryKey(appId, userId), { pk: 'APP#billing#USERS', sk: 'USER#ada' }],
  ['a member', memberKey(appId, role, userId), { pk: 'APP#billing#ROLE#editor', sk: 'USER#ada' }],
  ['a change of a user', userChangeKey(userId, '01'), { pk: 'USER#ada', sk: 'CHANGE#01' }],
  ['a change of an application', applicationChangeKey(appId, '01'), { pk: 'APP#billing', sk: 'CHANGE#01' }],
  ['a user in the list of all', userEntryKey(userId), { pk: 'USERS', sk: 'ada' }],
  ['the mark of an inactive user', inactiveMarkKey(userId), { pk: 'USERS#INACTIVE', sk: 'ada' }],
  ['an erased user', erasedEntryKey(userId), { pk: 'USERS#ERASED', sk: 'ada' }],
  [
    'a pending change of a user',
    pendingKey(appId, { id: '01A', userId }),
    { pk: 'FEED#billing', sk: 'PENDING#_e5DDU#01A' },
  ],
  [
    'a pending change of the application itself',
    pendingKey(appId, { id: '01A' }),
    { pk: 'FEED#billing', sk: 'PENDING#47DEQp#01A' },
  ],
  ['a block of a log', logBlockKey(usersFeed, 42), { pk: 'FEED#USERS', sk: 'LOG#000000000042' }],
  ['the end of a log', logEndKey(appId), { pk: 'FEED#billing', sk: 'LOG#END' }],
  ['an erasure', erasureKey(userId, '01'), { pk: 'USER#ada', sk: 'CHANGE#ERASED#01' }],
  ['a nonce', nonceKey(keyId, 'n'), { pk: 'NONCE#svk_k1_a#n', sk: 'NONCE' }],
  ['an attempt of a call', attemptKey(nonceKey(keyId, 'n'), 's'), { pk: 'NONCE#svk_k1_a#n', sk: 'ATTEMPT#s' }],
  ['the requests of an application', requestTotalsKey(appId, 'eu-west-1'), { pk: 'RATE#billing', sk: 'eu-west-1' }],
  ['a call', idempotencyKey('d'), { pk: 'IDEMPOTENCY#d', sk: 'IDEMPOTENCY' }],
  ['the use of a key', keyUseKey({ appId }, keyId), { pk: 'APP#billing', sk: 'KEYUSE#svk_k1_a' }],
  ['a word', searchEntryKey('lovelace', userId), { pk: 'FIND#lo', sk: 'lovelace#ada' }],
  ['a word of ideographs', searchEntryKey('爱', userId), { pk: 'FIND#爱', sk: '爱#ada' }],
  ['a word that is too short', searchEntryKey('a', userId), undefined],
  ['no word', searchEntryKey('', userId), undefined],
])('%s has its place in the table', (_, key, place) => expect(key).toEqual(place));

test.each([
  ['applications', applicationIndexKey(appId), { gsi1pk: 'APPS', gsi1sk: 'billing' }],
  ['accesses', accessIndexKey(userId, appId), { gsi1pk: 'APP#billing#USERS', gsi1sk: 'user#ada' }],
  ['changes', changeIndexKey(appId, '01'), { gsi1pk: 'APP#billing#CHANGES', gsi1sk: '01' }],
  ['changes for all', userChangeIndexKey('01'), { gsi1pk: 'USERS#CHANGES', gsi1sk: '01' }],
  ['all changes', historyIndexKey('01H'), { gsi2pk: 'HISTORY#1', gsi2sk: '01H' }],
  ['all changes, in several partitions', historyIndexKey('01Z'), { gsi2pk: 'HISTORY#15', gsi2sk: '01Z' }],
])('an index lists %s', (_, key, place) => expect(key).toEqual(place));

test.each([
  ['users', usersRange(''), { pk: 'USERS' }],
  ['users by id prefix', usersRange('a'), { pk: 'USERS', prefix: 'a' }],
  ['users by one word', searchEntriesRange('lo', []), { pk: 'FIND#lo', prefix: 'lo' }],
  [
    'users by several words',
    searchEntriesRange('lo', ['ad']),
    { pk: 'FIND#lo', prefix: 'lo', containing: { attribute: 'words', texts: [' ad'] } },
  ],
  ['users by too little', searchEntriesRange('l', ['ad']), undefined],
  ['applications', applicationsRange(), { index: 'gsi1', pk: 'APPS' }],
  ['roles', rolesRange(appId), { pk: 'APP#billing', prefix: 'ROLE#' }],
  [
    'what is new in a feed',
    feedNewsRange(appId, 7),
    { pk: 'FEED#billing', between: { first: 'LOG#000000000007', last: 'PENDING#~' }, descending: true },
  ],
  [
    'pending changes',
    pendingChangesRange(appId),
    { pk: 'FEED#billing', between: { first: 'PENDING#', last: 'PENDING#~' } },
  ],
  [
    'pending changes up to one',
    pendingChangesRange(appId, { through: '47DEQp#01A' }),
    { pk: 'FEED#billing', between: { first: 'PENDING#', last: 'PENDING#47DEQp#01A' } },
  ],
  [
    'pending changes after a place',
    pendingChangesRange(appId, { after: '47DEQp#01A' }),
    { pk: 'FEED#billing', between: { first: 'PENDING#47DEQp#01A~', last: 'PENDING#~' } },
  ],
  [
    'pending changes between the ends of two users',
    pendingChangesRange(appId, { after: endOfUsers('47DEQp#01A'), through: endOfUsers('A7DEQp#01A') }),
    { pk: 'FEED#billing', between: { first: 'PENDING#47DEQp#~~', last: 'PENDING#A7DEQp#~' } },
  ],
  ['a log', logRange(appId, 7), { pk: 'FEED#billing', between: { first: 'LOG#000000000007', last: 'LOG#END' } }],
  ['uses of keys', keyUsesRange(appId), { pk: 'APP#billing', prefix: 'KEYUSE#' }],
  ['members', membersRange(appId, role), { pk: 'APP#billing#ROLE#editor' }],
  ['inactive users', inactiveUsersRange(''), { pk: 'USERS#INACTIVE' }],
  ['inactive users by id prefix', inactiveUsersRange('a'), { pk: 'USERS#INACTIVE', prefix: 'a' }],
  ['erased users', erasedUsersRange(), { pk: 'USERS#ERASED' }],
  ['users of an application', applicationUsersRange(appId), { index: 'gsi1', pk: 'APP#billing#USERS' }],
  [
    'users of an application by status',
    applicationUsersRange(appId, { attribute: 'status', value: 'disabled' }),
    { index: 'gsi1', pk: 'APP#billing#USERS', where: { attribute: 'status', value: 'disabled' } },
  ],
  ['accesses of a user', userAccessesRange(userId), { pk: 'USER#ada', prefix: 'ACCESS#' }],
  ['all of a user', userItemsRange(userId), { pk: 'USER#ada' }],
  ['the history of a user', userChangesRange(userId), { pk: 'USER#ada', prefix: 'CHANGE#', descending: true }],
  ['users by exactly one word', searchEntriesOfRange('lovelace'), { pk: 'FIND#lo', prefix: 'lovelace#' }],
  ['users by exactly one letter', searchEntriesOfRange('l'), undefined],
  [
    'the history of an application',
    applicationChangesRange(appId, { descending: true }),
    { index: 'gsi1', pk: 'APP#billing#CHANGES', between: { first: '0', last: '8' }, descending: true },
  ],
  [
    'its recent changes',
    applicationChangesRange(appId, { descending: false, above: '01A', below: '01C' }),
    { index: 'gsi1', pk: 'APP#billing#CHANGES', between: { first: '01A!', last: '01B~' }, descending: false },
  ],
  [
    'global changes',
    userChangesForAllRange({ descending: true }),
    { index: 'gsi1', pk: 'USERS#CHANGES', between: { first: '0', last: '8' }, descending: true },
  ],
])('one range contains %s', (_, range, expected) => expect(range).toStrictEqual(expected));

test('the global history is in sixteen ranges, by the ends of ids', () => {
  const span = { descending: true };
  const between = { first: '0', last: '8' };
  const parts = Array.from({ length: 16 }, (_, number) => `HISTORY#${number}`);
  expect(historyRanges(span)).toStrictEqual(parts.map((pk) => ({ index: 'gsi2', pk, between, descending: true })));
  const places = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'].map((end) => historyIndexKey(`01${end}`).gsi2pk);
  expect(places).toEqual(Array.from(places, (_, n) => parts[n % 16]));
});

test('the history of a user contains the changes and the erasures of users with this id', () => {
  expect(userHistoryRanges(userId, { descending: true })).toStrictEqual([
    { pk: 'USER#ada', between: { first: 'CHANGE#0', last: 'CHANGE#8' }, descending: true },
    { pk: 'USER#ada', between: { first: 'CHANGE#ERASED#0', last: 'CHANGE#ERASED#8' }, descending: true },
  ]);
});

test('an item is removed in the second after its expiry, not earlier', () => {
  expect(epochSeconds('2026-11-20T19:00:00.000Z')).toBe(1_795_201_200);
  expect(epochSeconds('2026-11-20T19:00:00.001Z')).toBe(1_795_201_201);
});

test('a script without word separators is recognised by each of its characters', () => {
  expect(['爱', 'あ', 'ア', '한', 'a', 'é', '1', ''].map(isIdeograph)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a change is distinguished from other items by its key, and the erasure of a user from other changes', () => {
  const change = userChangeKey(userId, '01');
  const erasure = erasureKey(userId, '01');
  expect([change, erasure, userKey(userId)].map(isChangeKey)).toEqual([true, true, false]);
  expect([change, erasure, userKey(userId), {}].map(isErasure)).toEqual([false, true, false, false]);
});
