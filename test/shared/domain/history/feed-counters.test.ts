import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { log } from '#shared/core/telemetry.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { deleteItem } from '#shared/table/client.ts';
import { copyTotals, readCounters } from '#shared/table/items/counters-item.ts';
import { noTotals } from '#shared/table/items/feed-totals.ts';
import { unfollowedFeed } from '#shared/table/keys/feed-item-keys.ts';
import { putStoredChange } from '../../../support/stored-changes.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const billing = 'billing' as AppId;
const start = Date.parse('2026-11-20T19:00:00.000Z');
const today = Math.floor(start / 86_400_000);

const memory = tableForEachTest(start);
afterEach(() => {
  jest.restoreAllMocks();
});
let made = 0;
beforeEach(() => {
  made = 0;
  memory.put({ pk: 'APP#billing', sk: 'APP', appId: 'billing' });
});

const sides = {
  block: [null, { status: 'disabled', explicit: true, until: null }],
  unblock: [
    { status: 'disabled', explicit: true, until: null },
    { status: 'enabled', explicit: false, until: null },
  ],
} as const;
const change = (kind: keyof typeof sides) => {
  const [before, after] = sides[kind];
  const at = new Date(start + made++).toISOString();
  putStoredChange(memory, { action: 'access.changed', at, appId: 'billing', userId: 'ada', before, after });
};
const counters = async () =>
  (await readCounters()).map(({ feed, upTo, totals }) => [feed, upTo, totals.blocked, totals.days.get(today)]);

test('the overview has what a feed has counted', async () => {
  change('block');
  change('block');
  await numberFeed(billing);
  expect(await counters()).toEqual([['billing', 2, 2, { changes: 2, blocks: 2, unblocks: 0 }]]);
  change('unblock');
  await numberFeed(billing);
  expect(await counters()).toEqual([['billing', 3, 1, { changes: 3, blocks: 2, unblocks: 1 }]]);
});

test('new users are counted in a feed that nobody follows', async () => {
  const at = new Date(start).toISOString();
  putStoredChange(memory, { action: 'user.created', at, userId: 'ada', before: null, after: { status: 'active' } });
  await numberFeed(unfollowedFeed);
  const [{ feed, totals } = {}] = await readCounters();
  expect([feed, totals?.users]).toEqual([unfollowedFeed, 1]);
});

test('a copy that fails delays no numbers, is logged, and is made by the next run, even if nothing is pending', async () => {
  const warned = jest.spyOn(log, 'warn').mockImplementation(() => undefined);
  change('block');
  memory.beforeFirst('countedAt', () => {
    throw Object.assign(new Error('ended'), { name: 'AbortError' });
  });
  expect(await numberFeed(billing)).toBe(1);
  expect(await counters()).toEqual([]);
  expect(warned).toHaveBeenCalledTimes(1);
  expect(await numberFeed(billing)).toBe(0);
  expect(await counters()).toEqual([['billing', 1, 1, { changes: 1, blocks: 1, unblocks: 0 }]]);
});

test('a copy waits while another transaction is writing the counters, and is made afterwards', async () => {
  change('block');
  const copies: number[] = [];
  memory.before = ({ command, input }) => {
    if (command !== 'TransactWriteItemsCommand' || !JSON.stringify(input).includes('countedAt')) return;
    copies.push(Date.now() - start);
    if (copies.length > 3) return;
    const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
    throw new TransactionCanceledException({ message: 'conflict', $metadata: {}, CancellationReasons });
  };
  const numbering = numberFeed(billing);
  await jest.runAllTimersAsync();
  expect(await numbering).toBe(1);
  expect(copies).toHaveLength(4);
  // A pause is random, and can be shorter than a millisecond.
  expect(new Set(copies).size).toBeGreaterThan(1);
  expect(await counters()).toEqual([['billing', 1, 1, { changes: 1, blocks: 1, unblocks: 0 }]]);
});

test('a late copy changes nothing', async () => {
  change('block');
  change('block');
  await numberFeed(billing);
  await copyTotals(billing, { upTo: 1, countedAt: start, totals: { ...noTotals, blocked: 1 } });
  expect(await counters()).toEqual([['billing', 2, 2, { changes: 2, blocks: 2, unblocks: 0 }]]);
});

test('totals continue after every block has expired', async () => {
  change('block');
  await numberFeed(billing);
  const blocks = memory.table.items().filter(({ sk }) => /^LOG#\d/.test(String(sk)));
  for (const { pk, sk } of blocks) await deleteItem({ pk: String(pk), sk: String(sk) });
  change('block');
  await numberFeed(billing);
  expect(await counters()).toEqual([['billing', 1001, 2, { changes: 2, blocks: 2, unblocks: 0 }]]);
});

test('nothing is counted of an application that is deleted', async () => {
  memory.put({ pk: 'APP#billing', sk: 'APP', appId: 'billing', deleting: true });
  change('block');
  expect(await numberFeed(billing)).toBe(1);
  expect(await counters()).toEqual([]);
});
