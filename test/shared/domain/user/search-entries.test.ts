import { expect, test } from '@jest/globals';
import { reindexUsers } from '#shared/domain/user/search-entries.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { userEntryItem, userItem } from '../../../support/table-items.ts';

const put = (userId: string, also: object = {}) =>
  memory.put(userItem({ userId, displayName: 'Ada', words: '', version: 3, ...also }), userEntryItem(userId));
const reindex = () => reindexUsers({ limit: 10 });

const memory = tableForEachTest();
const commands = () => memory.sdk.requests.map(({ command }) => command);
const entries = () => memory.table.items().filter(({ pk }) => String(pk).startsWith('FIND#'));

test('users with missing or wrong entries get new ones, and keep their version', async () => {
  put('u1');
  put('u2', { words: '0 old' });
  put('u3', { words: '1 u3 ada' });
  memory.put({ pk: 'FIND#ad', sk: 'ada#u3', userId: 'u3', word: 'ada', words: '1 u3 ada' });
  memory.put({ pk: 'FIND#ol', sk: 'old#u2', userId: 'u2', word: 'old', words: '0 old' });
  expect(await reindex()).toEqual({ checked: 3, changed: 3, cursor: null });
  expect(entries().map(({ sk, words }) => [sk, words])).toEqual([
    ['ada#u1', '1 u1 ada'],
    ['ada#u2', '1 u2 ada'],
    ['ada#u3', '1 u3 ada'],
    ['u1#u1', '1 u1 ada'],
    ['u2#u2', '1 u2 ada'],
    ['u3#u3', '1 u3 ada'],
  ]);
  expect(memory.table.get({ pk: 'USER#u1', sk: 'USER' })).toMatchObject({ words: '1 u1 ada', version: 3 });
  memory.sdk.requests.length = 0;
  expect(await reindex()).toEqual({ checked: 3, changed: 0, cursor: null });
  // The list, the users, and the entries and marks derived from them.
  expect(commands()).toEqual(['QueryCommand', 'BatchGetItemCommand', 'BatchGetItemCommand']);
});

test('a user who is being erased gets no entries', async () => {
  put('u1', { deleting: true });
  expect(await reindex()).toEqual({ checked: 1, changed: 0, cursor: null });
  expect(commands()).toEqual(['QueryCommand', 'BatchGetItemCommand']);
});

test.each([
  ['has written the entries', { words: '1 u1 ada' }],
  ['is erasing the user', { deleting: true }],
  ['has erased the user', { erased: true }],
])('changes nothing if another request %s in the meantime', async (_, also) => {
  put('u1');
  memory.before = ({ command }) => {
    if (command !== 'BatchGetItemCommand') return;
    const words = '1 u1 ada';
    for (const word of ['u1', 'ada']) {
      memory.put({ pk: `FIND#${word.slice(0, 2)}`, sk: `${word}#u1`, userId: 'u1', word, words });
    }
    put('u1', also);
  };
  expect(await reindex()).toEqual({ checked: 1, changed: 0, cursor: null });
  expect(commands()).not.toContain('TransactWriteItemsCommand');
});
