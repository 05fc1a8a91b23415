import { expect, test } from '@jest/globals';
import type { ChangeView } from '#shared/contract/change.ts';
import { bulkRecordOf, countUsers, describeUndone, readBulk } from '../../dashboard/history/bulk-record.ts';
import { storedChange } from '../support/stored-items.ts';

const change = (id: string, userId: string, undoOf?: string) =>
  ({ ...storedChange({ id, userId: userId as never, ...(undoOf && { undoOf }) }), undo: 'possible' }) as ChangeView;
const [ada, bob] = [change('1', 'ada'), change('2', 'bob')];

test.each<[string, readonly ChangeView[], boolean, string, string]>([
  ['not undone', [bob, ada], false, '2 users', 'Not undone'],
  ['undone', [change('4', 'bob', '2'), change('3', 'ada', '1'), bob, ada], false, '2 users', 'Undone'],
  ['partly undone', [change('3', 'ada', '1'), bob, ada], false, '2 users', 'Undone for 1 user of 2 users'],
  [
    'partly undone, with several changes of a user',
    [change('4', 'ada', '3'), change('3', 'ada'), bob, ada],
    false,
    '2 users',
    'Undone for 1 change of 3 changes',
  ],
  ['undone and done again', [change('4', 'ada', '3'), change('3', 'ada', '1'), ada], false, '1 user', 'Not undone'],
  [
    'undone, done again and undone',
    [change('5', 'ada', '4'), change('4', 'ada', '3'), change('3', 'ada', '1'), ada],
    false,
    '1 user',
    'Undone',
  ],
  ['cut', [change('3', 'ada', '1'), ada], true, 'at least 1 user', 'Undone for at least 1 user'],
])('a bulk change that is %s says so', (_, found, isCut, users, state) => {
  const record = bulkRecordOf(found, isCut);
  expect([countUsers(record), describeUndone(record)]).toEqual([users, state]);
});

test('reads on past empty pages, up to a limit of pages with changes', async () => {
  const pages = [[], [bob], [], [ada]].map((items, at) => ({ items, cursor: at < 3 ? `c${at}` : null }));
  const asked: unknown[] = [];
  const api = async (_: string, { query }: { readonly query: { readonly cursor?: string } }) => {
    asked.push(query);
    return pages[query.cursor === undefined ? 0 : Number(query.cursor.slice(1)) + 1];
  };
  const read = (maxPages: number) =>
    readBulk(api as never, { bulkId: 'b', appId: 'billing', maxPages, signal: new AbortController().signal });
  expect(await read(1)).toMatchObject({ changes: [bob], isCut: true });
  expect(await read(9)).toMatchObject({ changes: [bob, ada], isCut: false });
  expect(asked[0]).toEqual({ bulkId: 'b', appId: 'billing', limit: '100', cursor: undefined });
});
