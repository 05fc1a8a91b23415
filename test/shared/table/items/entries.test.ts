import { describe, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import type { TransactEntry } from '#shared/table/client.ts';
import type { Condition } from '#shared/table/expression.ts';
import * as expressions from '#shared/table/expression.ts';
import { keptOfApplication, keptOfUser } from '#shared/table/item-schema.ts';
import { accessOrDefault, updateAccessEntries } from '#shared/table/items/access-item.ts';
import * as applications from '#shared/table/items/application-item.ts';
import { deleteInactiveMarkEntry, setInactiveMarkEntry } from '#shared/table/items/inactive-mark-item.ts';
import * as roles from '#shared/table/items/role-item.ts';
import * as users from '#shared/table/items/user-item.ts';
import { storedUser } from '../../../support/stored-items.ts';

/*
 * Each write with its conditions: without one of them, a write would overwrite a concurrent change.
 */

const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' };
const [at, until] = ['2026-11-20T19:00:00.000Z', '2026-11-20T19:01:00.000Z'];
const seconds = Date.parse(at) / 1000;
const days = 86_400;
const [appId, userId, name] = ['billing' as AppId, 'ada' as UserId, 'editor' as RoleName];

/** The Change of a write; its MAC is the next head of the chain. */
const changed = { id: 'B', at, integrity: { root: 'k1', previous: 'A', salt: 'S', mac: 'MAC' } } as Change;
const chainHead = 'MAC';

/** Returns the update that an entry should contain. */
function updateAt(key: { pk: string; sk: string }, set: object, remove: string[], condition: Condition): TransactEntry {
  return expressions.updateEntry({ key, set: set as never, remove, ...condition });
}

describe('the entries of a role', () => {
  const key = { pk: 'APP#billing', sk: 'ROLE#editor' };
  const role = { appId, role: name, description: null, version: 2, chainHead: 'A', ...times };
  const item = { role, deleted: false, swept: false, closedUntil: undefined };
  const deleted = { deleting: true, swept: false, version: 3, updatedAt: at, chainHead };

  test.each<[string, object, object]>([
    [
      'its next version removes the traces of a deletion, if the version is unchanged',
      roles.updateRoleEntry(role, { ...role, version: 3 }, changed),
      updateAt(
        key,
        { description: null, version: 3, chainHead, ...times },
        ['deleting', 'swept', 'closedUntil', 'ttl'],
        {
          equals: { version: 2 },
        },
      ),
    ],
    [
      'it is closed if the version is unchanged, and not deleted',
      roles.closeRoleEntry(role, until),
      updateAt(key, { closedUntil: until }, [], { equals: { version: 2 }, absent: ['deleting'] }),
    ],
    [
      'it is reopened only by the request that closed it',
      roles.reopenRoleEntry(role, until),
      updateAt(key, {}, ['closedUntil'], { equals: { closedUntil: until } }),
    ],
    [
      'it is deleted if the version is unchanged',
      roles.tombstoneRoleEntry(item, changed),
      updateAt(key, deleted, ['ttl', 'closedUntil'], { equals: { version: 2 }, absent: ['deleting'] }),
    ],
    [
      'it is deleted only by the request that closed it',
      roles.tombstoneRoleEntry({ ...item, closedUntil: until }, changed),
      updateAt(key, deleted, ['ttl', 'closedUntil'], {
        equals: { version: 2, closedUntil: until },
        absent: ['deleting'],
      }),
    ],
    [
      'its tombstone expires a day after its last revocation, if it is still deleted',
      roles.sweptRoleEntry(role, at),
      updateAt(key, { swept: true, ttl: seconds + days }, [], { equals: { version: 2, deleting: true } }),
    ],
  ])('%s', (_, entry, expected) => expect(entry).toStrictEqual(expected));
});

describe('the entries of a member of a role', () => {
  const key = { pk: 'APP#billing#ROLE#editor', sk: 'USER#ada' };
  const member = { userId, grantedAt: times.createdAt, expiresAt: null };

  test.each<[string, object, object]>([
    [
      'one without expiry stays',
      roles.putMemberEntry(appId, name, member),
      expressions.putEntry({ ...key, ...member }),
    ],
    [
      'one with an expiry expires with the grant',
      roles.putMemberEntry(appId, name, { ...member, expiresAt: at }),
      expressions.putEntry({ ...key, ...member, expiresAt: at, ttl: seconds }),
    ],
    [
      'one that was read is deleted unless it was rewritten',
      roles.deleteReadMemberEntry({ ...key, ...member }),
      expressions.deleteEntry(key, { equals: { grantedAt: times.createdAt } }),
    ],
    [
      'any other is deleted unconditionally',
      roles.deleteMemberEntry(appId, name, userId),
      expressions.deleteEntry(key),
    ],
  ])('%s', (_, entry, expected) => expect(entry).toStrictEqual(expected));
});

describe('the entries of an application', () => {
  const key = { pk: 'APP#billing', sk: 'APP' };
  const application = {
    appId,
    name: 'Billing',
    rolloutPercent: 100,
    requestsPerSecond: null,
    requireReason: null,
    reviewEveryDays: null,
    keys: {},
    version: 2,
    chainHead: 'A',
    ...times,
  };
  const deleted = { deleting: true, swept: false, keys: {}, version: 3, updatedAt: at, chainHead };
  const fromList = ['gsi1pk', 'gsi1sk', 'closedUntil', ...keptOfApplication];

  test.each<[string, object, object]>([
    [
      'it is deleted, out of the list and without keys, if the version is unchanged',
      applications.tombstoneApplicationEntry({ ...application, closedUntil: undefined }, changed),
      updateAt(key, deleted, fromList, { equals: { version: 2 }, absent: ['deleting'] }),
    ],
    [
      'it is deleted only by the request that closed it',
      applications.tombstoneApplicationEntry({ ...application, closedUntil: until }, changed),
      updateAt(key, deleted, fromList, { equals: { version: 2, closedUntil: until }, absent: ['deleting'] }),
    ],
    [
      'it is marked as swept, if it is still deleted',
      applications.sweptApplicationEntry(application),
      updateAt(key, { swept: true }, [], { equals: { version: 2, deleting: true } }),
    ],
    [
      'it is closed if the version is unchanged, and not deleted',
      applications.closeApplicationEntry(application, until),
      updateAt(key, { closedUntil: until }, [], { equals: { version: 2 }, absent: ['deleting'] }),
    ],
    [
      'it is reopened only by the request that closed it',
      applications.reopenApplicationEntry(application, until),
      updateAt(key, {}, ['closedUntil'], { equals: { closedUntil: until } }),
    ],
  ])('%s', (_, entry, expected) => expect(entry).toStrictEqual(expected));

  test('its next version keeps its closing and all that has not changed, if the version is unchanged', () => {
    const entry = applications.updateApplicationEntry(application, { ...application, closedUntil: until }, changed);
    expect(entry).toMatchObject({ Update: { Key: key } });
    expect(entry.Update.ConditionExpression).toBe('#version = :is_version');
    expect(entry.Update.ExpressionAttributeValues).toMatchObject({ ':is_version': 2, ':chainHead': chainHead });
    expect(Object.values(entry.Update.ExpressionAttributeNames)).not.toContain('closedUntil');
  });
});

describe('the entries of a user', () => {
  const key = { pk: 'USER#ada', sk: 'USER' };
  const user = storedUser({ ...times, userId, version: 2, lastChangeId: 'A', words: ' ada ' });
  const { createdAt } = times;
  const order = { absent: ['deleting'], below: { lastChangeId: 'B' } };
  const mark = { pk: 'USERS#INACTIVE', sk: 'ada' };

  test.each<[string, object, object]>([
    [
      'other words, if the version and the words are unchanged',
      users.updateWordsEntry(user, ' grace '),
      updateAt(key, { words: ' grace ' }, [], {
        equals: { createdAt, version: 2, words: ' ada ' },
        absent: ['deleting'],
      }),
    ],
    [
      'it is being erased, out of the list, if the version is unchanged',
      users.markUserEntries(user, changed),
      [
        updateAt(key, { deleting: true, lastChangeId: 'B', chainHead }, [], {
          equals: { createdAt, version: 2 },
          ...order,
        }),
        expressions.deleteEntry({ pk: 'USERS', sk: 'ada' }),
        expressions.putEntry({ pk: 'USERS#ERASED', sk: 'ada', userId, lastChangeId: 'B' }),
      ],
    ],
    [
      'the mark of an inactive one names the change of the status, unconditionally',
      setInactiveMarkEntry({ ...user, status: 'inactive', statusChangeId: 'S' }),
      expressions.putEntry({ ...mark, userId, changeId: 'S' }),
    ],
    [
      'an active one has no mark',
      setInactiveMarkEntry({ ...user, statusChangeId: 'S' }),
      expressions.deleteEntry(mark),
    ],
    ['a mark is deleted unconditionally', deleteInactiveMarkEntry(userId), expressions.deleteEntry(mark)],
    [
      'a change of what belongs to it is the latest, and it was not recreated',
      users.orderChangeEntry(user, 'B'),
      updateAt(key, { lastChangeId: 'B' }, [], { equals: { createdAt }, ...order }),
    ],
    [
      'only a tombstone remains for 30 days, if it is the same user that is being erased',
      users.eraseUserEntries(user, at),
      [
        updateAt(
          key,
          { erased: true, erasedAt: at, ttl: seconds + 30 * days },
          [
            'deleting',
            'status',
            'statusChangeId',
            'words',
            'version',
            'createdAt',
            'updatedAt',
            'displayName',
            'email',
            ...keptOfUser,
          ],
          { equals: { createdAt, deleting: true } },
        ),
        updateAt({ pk: 'USERS#ERASED', sk: 'ada' }, { userId, erasedAt: at, ttl: seconds + 30 * days }, [], {}),
      ],
    ],
    [
      'what depends on its erasure fails once it is recreated',
      users.requireMarkedUserEntry(user),
      expressions.conditionCheckEntry(key, { equals: { createdAt, deleting: true } }),
    ],
  ])('%s', (_, entry, expected) => expect(entry).toStrictEqual(expected));

  test('its next version is the latest change, if the version and the words are unchanged', () => {
    const { Update } = users.updateUserEntry(user, { ...user, version: 3, words: ' grace ' }, changed);
    expect(Update.ConditionExpression).toBe(
      '#createdAt = :is_createdAt AND #version = :is_version AND #words = :is_words AND attribute_not_exists(#deleting) AND (attribute_not_exists(#lastChangeId) OR #lastChangeId < :below_lastChangeId)',
    );
    expect(Update.ExpressionAttributeValues).toMatchObject({
      ':is_createdAt': createdAt,
      ':is_version': 2,
      ':is_words': ' ada ',
      ':below_lastChangeId': 'B',
      ':version': 3,
      ':words': ' grace ',
      ':lastChangeId': 'B',
      ':chainHead': chainHead,
    });
    expect(Update.UpdateExpression).not.toContain('createdAt');
  });

  test('it is created once, or in place of exactly this tombstone of an erased user', () => {
    const listed = expressions.putEntry({ pk: 'USERS', sk: 'ada', userId });
    expect(users.createUserEntries(user, undefined, changed)).toEqual([
      { Put: expect.objectContaining({ ConditionExpression: 'attribute_not_exists(#pk)' }) },
      listed,
    ]);
    const mark = { erased: true, userId, lastChangeId: 'A', chainHead: 'A' } as const;
    expect(users.createUserEntries(user, mark, changed)).toEqual([
      {
        Put: expect.objectContaining({
          ConditionExpression: '#erased = :is_erased AND #lastChangeId = :is_lastChangeId',
          ExpressionAttributeValues: { ':is_erased': true, ':is_lastChangeId': 'A' },
        }),
      },
      listed,
      expressions.deleteEntry({ pk: 'USERS#ERASED', sk: 'ada' }),
    ]);
  });
});

test('the next version of an access is written if the version is unchanged, the first if there is none', () => {
  const first = accessOrDefault(undefined, userId, appId);
  const entriesAfter = (version: number) =>
    updateAccessEntries({ ...first, version }, { ...first, version: version + 1 }, changed);
  const conditionAfter = (version: number) => entriesAfter(version)[0]?.Update?.ConditionExpression;
  expect([conditionAfter(0), conditionAfter(1)]).toEqual(['attribute_not_exists(#version)', '#version = :is_version']);
  const entry = { pk: 'APP#billing#USERS', sk: 'USER#ada', userId };
  expect(entriesAfter(0).slice(1)).toEqual([{ Put: expect.objectContaining({ Item: entry }) }]);
  expect(entriesAfter(1)).toHaveLength(1);
});
