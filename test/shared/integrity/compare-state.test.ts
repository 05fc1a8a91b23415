import { expect, test } from '@jest/globals';
import { keyFields, resourceFields } from '#shared/contract/resource-fields.ts';
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
