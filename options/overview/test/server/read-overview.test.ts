import { beforeEach, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { storedTotals } from '#shared/table/items/feed-totals.ts';
import { storedKey } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { applicationItem } from '#test/support/table-items.ts';
import { getOverview } from '../../server/read-overview.ts';

const start = new Date('2026-11-20T19:00:00.000Z');
const today = Math.floor(start.getTime() / 86_400_000);
const inDays = (days: number) => new Date(start.getTime() + days * 86_400_000).toISOString();

const memory = tableForEachTest(start);
const counters = (feed: string, totals: object, days: readonly [number, number, number, number][] = [], more = {}) => {
  const counted = days.map(([day, changes, blocks, unblocks]) => [day, { changes, blocks, unblocks }] as const);
  const whole = storedTotals({ users: 0, inactive: 0, blocked: 0, ...totals, days: new Map(counted) });
  memory.put({ pk: 'OVERVIEW', sk: feed, upTo: 7, countedAt: start.getTime(), totals: whole, ...more });
};
let users = 0;
/** An access whose block has an end, as the index lists it. */
const blockedUntil = (appId: string, until: string) => {
  const userId = `user-${users++}`;
  const index = { gsi2pk: 'ENDS', gsi2sk: `${until}#${appId}#${userId}` };
  memory.put({ pk: `USER#${userId}`, sk: `ACCESS#${appId}`, userId, appId, until, ...index });
};

beforeEach(() => {
  for (const appId of ['billing', 'crm']) memory.put(applicationItem({ appId, name: appId.toUpperCase() }));
});

test('an empty table has no numbers', async () => {
  // Options add members to it.
  expect(await getOverview(undefined)).toMatchObject({
    users: { active: 0, inactive: 0 },
    applications: [],
    blocksEndingThisWeek: { count: 0, more: false },
    keys: { expiring: { count: 0, more: false }, unused: { count: 0, more: false } },
    days: [],
    asOf: null,
  });
});

test('counters of all feeds are added up, with their corrections and the blocks that have an end', async () => {
  counters('USERS', { users: -3, inactive: 3 }, [[today, 4, 0, 0]], { correctedUsers: 2, correctedInactive: -1 });
  counters('USERS#UNFOLLOWED', { users: 11 }, [[today, 11, 0, 0]]);
  counters(
    'billing',
    { blocked: 3 },
    [
      [today - 1, 5, 3, 1],
      [today - 30, 9, 9, 9],
    ],
    { correctedBlocked: -1 },
  );
  counters('crm', { blocked: 1 });
  blockedUntil('crm', inDays(7));
  blockedUntil('crm', inDays(8));
  blockedUntil('crm', inDays(-1));
  const found = await getOverview(undefined);
  expect(found).toMatchObject({
    users: { active: 8, inactive: 2 },
    applications: [
      { appId: 'crm', name: 'CRM', blocked: 3, keys: { active: 0, expiring: 0 } },
      { appId: 'billing', name: 'BILLING', blocked: 2, keys: { active: 0, expiring: 0 } },
    ],
    blocksEndingThisWeek: { count: 1, more: false },
    days: [
      { date: '2026-11-19', changes: 5, blocks: 3, unblocks: 1 },
      { date: '2026-11-20', changes: 15, blocks: 0, unblocks: 0 },
    ],
    asOf: start.toISOString(),
  });
});

test('applications that are not open to all users are named, the lowest percentage first', async () => {
  memory.put(applicationItem({ appId: 'billing', rolloutPercent: 50 }));
  memory.put(applicationItem({ appId: 'canteen', name: 'Canteen', rolloutPercent: 10 }));
  const { rollouts } = await getOverview(undefined);
  expect(rollouts[0]).toEqual({ appId: 'canteen', name: 'Canteen', rolloutPercent: 10 });
  expect(rollouts.map(({ appId }) => appId)).toEqual(['canteen', 'billing']);
  expect((await getOverview(['billing' as AppId])).rollouts).toMatchObject([{ appId: 'billing' }]);
});

test('a role that is limited to an application sees its numbers, and all users', async () => {
  counters('USERS', { users: 5 }, [[today, 5, 0, 0]]);
  counters('billing', { blocked: 3 }, [[today, 3, 3, 0]]);
  counters('crm', { blocked: 1 }, [[today, 1, 1, 0]]);
  blockedUntil('crm', inDays(1));
  expect(await getOverview(['billing' as AppId])).toMatchObject({
    users: { active: 5, inactive: 0 },
    applications: [{ appId: 'billing', blocked: 3 }],
    blocksEndingThisWeek: { count: 0, more: false },
    days: [{ date: '2026-11-20', changes: 3, blocks: 3, unblocks: 0 }],
    limitedTo: ['billing'],
  });
});

test('keys count that expire soon or are unused', async () => {
  const old = { createdAt: inDays(-40) };
  memory.put(
    applicationItem({
      appId: 'wiki',
      keys: {
        svk_k1_wiki_01JCZ5T0000000000000000010: storedKey({ ...old, expiresAt: inDays(10) }),
        svk_k1_wiki_01JCZ5T0000000000000000011: storedKey({ ...old, expiresAt: inDays(40) }),
        svk_k1_wiki_01JCZ5T0000000000000000012: storedKey({ createdAt: inDays(-1) }),
        // A rotation replaced it: its end is intended.
        svk_k1_wiki_01JCZ5T0000000000000000013: storedKey({ createdAt: inDays(-1), expiresAt: inDays(1) }),
        svk_k1_wiki_01JCZ5T0000000000000000014: storedKey({
          createdAt: inDays(-1),
          replaces: 'svk_k1_wiki_01JCZ5T0000000000000000013',
        }),
      },
    }),
  );
  const { keys } = await getOverview(undefined);
  expect(keys).toEqual({ expiring: { count: 1, more: false }, unused: { count: 2, more: false } });
});

test('it takes one query of the counters, the applications and the ends each, and a read of the last use of old keys', async () => {
  counters('billing', { blocked: 3 });
  const requests = async () => {
    memory.sdk.requests.length = 0;
    await getOverview(undefined);
    return memory.sdk.requests;
  };
  const read = ['OVERVIEW', 'APPS', 'ENDS'];
  const key = (createdAt: string) => ({ svk_k1_wiki_01JCZ5T0000000000000000010: storedKey({ createdAt }) });
  for (const [days, uses] of [
    [-29, 0],
    [-31, 1],
  ] as const) {
    memory.put(applicationItem({ appId: 'wiki', keys: key(inDays(days)) }));
    const made = await requests();
    const queries = made.filter(({ command }) => command === 'QueryCommand').map(({ input }) => JSON.stringify(input));
    expect(read.map((name) => queries.filter((query) => query.includes(`"${name}"`)).length)).toEqual([1, 1, 1]);
    expect(made.filter(({ command }) => command === 'BatchGetItemCommand')).toHaveLength(uses);
  }
});

test('more than a hundred keys that expire soon are counted, and up to 2,000 old ones, of which more may follow', async () => {
  const created = { createdAt: inDays(-40), expiresAt: inDays(10) };
  for (let app = 0; app < 21; app++) {
    const ids = Array.from(
      { length: 100 },
      (_, n) => `svk_k1_wiki_01JCZ5T0000000000000${String(app * 100 + n).padStart(6, '0')}`,
    );
    memory.put(
      applicationItem({ appId: `app-${app}`, keys: Object.fromEntries(ids.map((id) => [id, storedKey(created)])) }),
    );
  }
  const { keys } = await getOverview(undefined);
  expect(keys).toEqual({ expiring: { count: 2100, more: false }, unused: { count: 2000, more: true } });
});

test('the ten applications with the most blocks are named, none without blocks, and none that is deleted', async () => {
  for (let n = 0; n <= 10; n++) {
    memory.put(applicationItem({ appId: `app-${n}`, name: `Application ${n}` }));
    counters(`app-${n}`, { blocked: n });
  }
  counters('gone', { blocked: 5 });
  const { applications } = await getOverview(undefined);
  expect(applications.map(({ appId }) => appId)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `app-${n}`));
  for (let n = 2; n <= 10; n++) counters(`app-${n}`, { blocked: 0 });
  expect((await getOverview(undefined)).applications.map(({ appId }) => appId)).toEqual(['app-1']);
});

test('all applications are named if they are asked for, with their active keys and those that expire soon', async () => {
  const created = { createdAt: start.toISOString() };
  const keys = {
    svk_1: storedKey(created),
    svk_2: storedKey({ ...created, expiresAt: inDays(20) }),
    svk_3: storedKey({ ...created, revokedAt: start.toISOString() }),
  };
  memory.put(applicationItem({ appId: 'keyed', name: 'Keyed', keys }));
  counters('crm', { blocked: 2 });
  expect((await getOverview(undefined, 'all')).applications).toEqual([
    { appId: 'crm', name: 'CRM', blocked: 2, keys: { active: 0, expiring: 0 } },
    { appId: 'billing', name: 'BILLING', blocked: 0, keys: { active: 0, expiring: 0 } },
    { appId: 'keyed', name: 'Keyed', blocked: 0, keys: { active: 2, expiring: 1 } },
  ]);
  const limited = await getOverview(['keyed' as AppId], 'all');
  expect(limited.applications.map(({ appId }) => appId)).toEqual(['keyed']);
});

test('a thousand blocks with an end are read, and more may follow', async () => {
  for (let n = 0; n < 1001; n++) blockedUntil('crm', inDays(1));
  expect((await getOverview(undefined)).blocksEndingThisWeek).toEqual({ count: 1000, more: true });
});

test('blocks that end later say that none is missing this week', async () => {
  blockedUntil('crm', inDays(1));
  for (let n = 0; n < 1001; n++) blockedUntil('crm', inDays(9));
  expect((await getOverview(undefined)).blocksEndingThisWeek).toEqual({ count: 1, more: false });
});
