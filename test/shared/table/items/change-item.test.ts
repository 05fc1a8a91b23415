import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import {
  changeOf,
  changeOfRecord,
  keyOfRecord,
  putChangeEntries,
  sequenceNumberOf,
} from '#shared/table/items/change-item.ts';
import { storedChange } from '../../../support/stored-items.ts';

const change = storedChange();
const key = { pk: 'USER#ada', sk: `CHANGE#${change.id}` };

describe('a record of the stream', () => {
  const image = (item: object) => marshall(item);
  const record = { dynamodb: { SequenceNumber: '7', Keys: image(key), NewImage: image({ ...key, ...change }) } };

  test('a record has its position, the key of its item and the change', () => {
    expect([sequenceNumberOf(record), keyOfRecord(record), changeOfRecord(record)]).toEqual(['7', key, change]);
  });

  test('an empty record has no position, no key and no change', () => {
    for (const empty of [{}, { dynamodb: undefined }, { dynamodb: {} }]) {
      expect([sequenceNumberOf(empty), keyOfRecord(empty)]).toEqual(['', {}]);
      expect(() => changeOfRecord(empty)).toThrow('The record does not contain a Change');
    }
  });
});

describe('a stored change', () => {
  test.each([
    ['an action with other characters', { action: 'Access.changed' }],
    ['an action that ends in others', { action: 'access.changed!' }],
    ['an action that begins with others', { action: '!access.changed' }],
    ['no action', { action: '' }],
    ['an action that is not a string', { action: ['access.changed'] }],
    ['an invalid time', { at: 'yesterday' }],
    ['a caller that is not a map', { caller: 'ada' }],
    ['no caller', { caller: null }],
    ['a state that is not a map', { after: 'disabled' }],
    ['an empty id', { id: '' }],
  ])('cannot be read with %s', (_, damage) => {
    expect(() => changeOf({ ...key, ...change, ...damage })).toThrow('The CHANGE item cannot be read');
  });

  test('can be read with an unknown action of a newer version', () => {
    expect(changeOf({ ...key, ...change, action: 'later.made' }).action).toBe('later.made');
  });
});

const feeds: Readonly<Record<string, string>> = {
  'APP#billing#CHANGES': 'FEED#billing',
  'USERS#CHANGES': 'FEED#USERS',
};

describe('the place of a change in the indexes, and the feed in which it is pending', () => {
  const place = (of: Partial<Change> & Pick<Change, 'action'>, isRecreated = false) => {
    const { id, at, caller, requestId, sourceIp, before, after, reason } = change;
    const integrity = { root: 'k1', previous: null, salt: 'c2FsdA', mac: 'bWFj' };
    const changed = { id, at, caller, requestId, sourceIp, before, after, reason, integrity, ...of };
    const [entry, pending] = putChangeEntries(changed, { isRecreated });
    const { pk, sk, gsi1pk, gsi1sk, gsi2sk } = { ...entry?.Put?.Item };
    expect(gsi2sk).toBe(id);
    expect(pending?.Put?.Item?.pk).toBe(feeds[String(gsi1pk)] ?? 'FEED#USERS#UNFOLLOWED');
    return [pk, sk, gsi1pk, gsi1sk];
  };
  const { id } = change;
  const [ofUser, ofApplication, ofAll] = [
    ['USER#ada', `CHANGE#${id}`],
    ['APP#billing#CHANGES', id],
    ['USERS#CHANGES', id],
  ];

  test.each([
    [
      'an access, by user and application',
      { action: 'access.changed', userId: 'ada', appId: 'billing' },
      [...ofUser, ...ofApplication],
    ],
    [
      'an application alone, in its own history',
      { action: 'application.created', appId: 'billing' },
      ['APP#billing', `CHANGE#${id}`, ...ofApplication],
    ],
    [
      'the status of a user, for all applications',
      { action: 'user.status.changed', userId: 'ada' },
      [...ofUser, ...ofAll],
    ],
    [
      'the name of a user, for no application',
      { action: 'user.updated', userId: 'ada' },
      [...ofUser, undefined, undefined],
    ],
    ['a new user, for no application', { action: 'user.created', userId: 'ada' }, [...ofUser, undefined, undefined]],
    [
      'an erased user, last in the history of the user',
      { action: 'user.deleted', userId: 'ada' },
      ['USER#ada', `CHANGE#ERASED#${id}`, ...ofAll],
    ],
  ] as const)('a change of %s', (_, of, expected) => {
    expect(place(of)).toEqual(expected);
  });

  test('a change of a user who is created again, for all applications', () => {
    expect(place({ action: 'user.created', userId: 'ada' }, true)).toEqual([...ofUser, ...ofAll]);
  });
});
