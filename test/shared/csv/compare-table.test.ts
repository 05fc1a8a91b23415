import { expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { createChangeFile } from '#shared/csv/change-table.ts';
import { findTableDifference } from '#shared/csv/compare-table.ts';
import { storedChange } from '../../support/stored-items.ts';

const key = { kind: 'api-key', appId: 'wiki' as AppId, keyId: 'svk_k1_wiki_1' as KeyId } as const;
const gone = { ...key, appId: 'gone' as AppId };
const changes: readonly Change[] = [
  storedChange({ id: '1', reason: '=left', ticket: 'INC-1', userId: 'ada' as never }),
  storedChange({ id: '2', reason: "two\nlines, 'quoted'", userId: 'bob' as never, caller: key }),
  storedChange({ id: '3', appId: 'gone' as never, userId: 'ada' as never, caller: gone }),
];
const names = {
  users: new Map([['ada', '@Ada']]),
  applications: new Map([
    ['billing', 'Billing'],
    ['wiki', 'The wiki'],
  ]),
};
const { begin, add } = createChangeFile('csv');
const table = begin + add(changes, names);

test('a table says the same as its changes, whatever the names are', () => {
  expect(findTableDifference(table, changes)).toBeUndefined();
  expect(findTableDifference(begin, [])).toBeUndefined();
});

test.each<[string, string, string]>([
  ['another reason', table.replace('=left', 'stayed'), 'differs from the change 1 in line 2, column reason'],
  ['another ticket', table.replace('INC-1', 'INC-2'), 'differs from the change 1 in line 2, column ticket'],
  ['another name in one row', table.replace('@Ada', 'Eve'), 'differs from the change 1 in line 2, column userName'],
  ['another operator', table.replace('The wiki', 'Eve'), 'undefined'],
  ['no formula protection', table.replace("'=left", '=left'), 'is written in another way than the service writes it'],
  ['another title', table.replace('byName', 'name'), 'has other columns'],
  ['a row less', begin + add(changes.slice(1), names), 'has 2 rows for 3 changes'],
  ['a row more', table + add(changes.slice(1, 2), names), 'has 4 rows for 3 changes'],
  ['another order', begin + add(changes.toReversed(), names), 'differs from the change 1 in line 2, column byName'],
])('a table with %s is noticed', (_, altered, difference) => {
  expect(altered).not.toBe(table);
  expect(String(findTableDifference(altered, changes))).toBe(difference);
});
