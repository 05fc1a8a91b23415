import { expect, test } from '@jest/globals';
import { keyFields } from '#shared/contract/api-key-fields.ts';
import { resourceFields } from '#shared/contract/resource-fields.ts';
import { compareState, type StoredItem } from '#shared/integrity/compare-state.ts';
import type { State } from '#shared/integrity/fold-changes.ts';

const { key: _, ...itemFields } = resourceFields;

test.each(Object.values(itemFields).flatMap(Object.keys))('compares %s, as every field of a resource', (name) => {
  expect(differenceOf({ [name]: 'stored' }, { [name]: null })).toMatch(new RegExp(`^${name} is `));
});

test.each(Object.keys(keyFields))('compares %s of each key', (name) => {
  const keys = { 'one.k1': { [name]: 'stored' } };
  expect(differenceOf({ keys }, { [`${name} of key one.k1`]: null })).toMatch(new RegExp(`^${name} of key one.k1 is `));
});

function differenceOf(item: StoredItem, state: State): string | undefined {
  const last = { id: '01K00000000000000000000001', action: 'application.updated', appId: 'one' };
  const subjects = new Map([['application one', { last, isDeleted: false, isWhole: false, state }]]);
  const { differences } = compareState(
    { subjects, discontinuities: [] },
    [{ sk: 'APP', appId: 'one', ...item }],
    new Date(),
  );
  return differences[0]?.detail;
}

test.each([
  ['that is still held is compared', null, 'grantedAt of role editor is '],
  ['that has ended is not, because nothing depends on it', '2026-01-02T00:00:00.000Z', undefined],
])('the time of a grant %s', (_, expiresAt, expected) => {
  const [grantedAt, recorded] = ['2026-01-01T12:00:00.000Z', '2026-01-01T00:00:00.000Z'];
  const state = {
    'granted of role editor': true,
    'grantedAt of role editor': recorded,
    'expiresAt of role editor': expiresAt,
  };
  const difference = differenceOf({ roles: { editor: { grantedAt, expiresAt } } }, state);
  expect(difference?.slice(0, expected?.length)).toBe(expected);
});

test.each([
  ['is compared', '01K00000000000000000000002', null, 'changeId of role editor is '],
  [
    'that has ended is not, because nothing depends on it',
    '01K00000000000000000000002',
    '2026-01-02T00:00:00.000Z',
    undefined,
  ],
  ['from before it was stored is not compared', undefined, null, undefined],
])('the change of a grant %s', (_, changeId, expiresAt, expected) => {
  const grantedAt = '2026-01-01T00:00:00.000Z';
  const state = {
    'granted of role editor': true,
    'grantedAt of role editor': grantedAt,
    'expiresAt of role editor': expiresAt,
    'changeId of role editor': '01K00000000000000000000001',
  };
  const difference = differenceOf({ roles: { editor: { grantedAt, expiresAt, changeId } } }, state);
  expect(difference?.slice(0, expected?.length)).toBe(expected);
});
