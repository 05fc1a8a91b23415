import { expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { blockEndIndexKey } from '#shared/table/keys/access-item-keys.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { accessItem } from '#test/support/table-items.ts';
import { listBlockEnds } from '../../server/list-block-ends.ts';

const memory = tableForEachTest(Date.parse('2026-11-20T19:00:00.000Z'));
const block = (userId: string, appId: string, until: string) =>
  memory.put({
    ...accessItem({ userId, appId, status: 'disabled', until }),
    ...blockEndIndexKey(until, { appId: appId as AppId, userId: userId as UserId }),
  });

test('lists the blocks that are in force by their end, page by page, and only those of some applications', async () => {
  block('bob', 'billing', '2026-11-21T19:00:00.000Z');
  block('ada', 'wiki', '2026-11-20T20:00:00.000Z');
  block('eve', 'wiki', '2026-11-20T18:59:59.999Z');
  const first = await listBlockEnds({ limit: 1 });
  expect(first.items).toEqual([{ userId: 'ada', appId: 'wiki', until: '2026-11-20T20:00:00.000Z', reason: null }]);
  const second = await listBlockEnds({ limit: 1, cursor: first.cursor ?? '' });
  expect([second.items.map(({ userId }) => userId), second.cursor]).toEqual([['bob'], null]);
  expect((await listBlockEnds({ limit: 10, endsWithin: 3600 })).items.map(({ userId }) => userId)).toEqual(['ada']);
  const limited = await listBlockEnds({ limit: 10, limitedTo: ['billing' as AppId] });
  expect(limited.items.map(({ userId }) => userId)).toEqual(['bob']);
});
