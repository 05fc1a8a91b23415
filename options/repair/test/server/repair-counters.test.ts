import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { queryItems } from '#shared/table/client.ts';
import { readCounters } from '#shared/table/items/counters-item.ts';
import { blockEndsRange } from '#shared/table/keys/access-item-keys.ts';
import { type FeedName, unfollowedFeed, usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import type { Repair } from '../../contract/table-repair.ts';
import { repairTable } from '../../server/repair-table.ts';
import { encodeRepairCursor } from '../../table/repair-cursor.ts';

const [billing, crm] = ['billing' as AppId, 'crm' as AppId];
const people = ['ada', 'bea', 'cem', 'dan'] as UserId[];
const [ada, bea, cem] = people as [UserId, UserId, UserId];
/** Of `repairTable`: 1 of applications, 16 of changes, 3 of users, 1 of lists and 1 of feeds come before. */
const stepOfCounters = 3;
const feeds: readonly FeedName[] = [usersFeed, unfollowedFeed, billing, crm];

const memory = tableForEachTest();
const countersKey = (feed: FeedName) => ({ pk: 'OVERVIEW', sk: feed });
const item = (feed: FeedName) => memory.table.get(countersKey(feed));
const remove = (key: { pk: string; sk: string }) => memory.table.writeAll([{ kind: 'Delete', input: { Key: key } }]);
const numberAll = () => Promise.all(feeds.map(numberFeed));

/** Repairs everything page by page; returns what it found about counters. */
async function repair(dryRun = false) {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const repairing = repairTable({ limit: 100, cursor }, { ...context, dryRun });
    const [page] = await Promise.all([repairing, jest.runAllTimersAsync()]);
    const named = page.findings.map(({ kind, appId, repaired }) => [kind, appId, ...(repaired ? [] : ['left'])]);
    found.push(...named.map((parts) => parts.join(' ').trim()));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** What the counters say, with the blocks that have an end, which are not counted. */
async function shown() {
  const counted = await readCounters();
  const sum = (name: 'users' | 'inactive') =>
    counted.reduce((total, { totals, corrected }) => total + totals[name] + corrected[name], 0);
  const { items: timed } = await queryItems(blockEndsRange(new Date().toISOString()), {});
  const blocked = [billing, crm].flatMap((appId): [string, number][] => {
    const own = counted.find(({ feed }) => feed === appId);
    const open = Math.max(0, (own?.totals.blocked ?? 0) + (own?.corrected.blocked ?? 0));
    const count = open + timed.filter((block) => block.appId === appId).length;
    return count === 0 ? [] : [[appId, count]];
  });
  const inactive = Math.max(0, sum('inactive'));
  return { active: Math.max(0, sum('users') - inactive), inactive, blocked: Object.fromEntries(blocked) };
}

const set = (userId: UserId, status: 'enabled' | 'disabled', until: string | null = null, appId = billing) =>
  setAccess({ userId, appId, setting: { status, reason: 'why', until } }, context);

/** Four users, one of them inactive; two of them are blocked without an end, and one for a time. */
const right = { active: 3, inactive: 1, blocked: { billing: 3, crm: 1 } };
beforeEach(async () => {
  for (const appId of [billing, crm]) await createApplication({ appId, name: appId }, context);
  for (const userId of people) await createUser({ userId, displayName: null, email: null }, context);
  await setUserStatus({ userId: cem, status: 'inactive', reason: null }, context);
  await set(ada, 'disabled');
  await set(bea, 'disabled');
  await set(cem, 'disabled', '2026-12-01T00:00:00.000Z');
  await set(ada, 'disabled', null, crm);
  await numberAll();
});

test('counters that are right are left as they are, also while changes are pending', async () => {
  await set(people[3] as UserId, 'disabled');
  const before = memory.table.items();
  expect(await repair()).toEqual([]);
  expect(memory.table.items()).toEqual(before);
  await numberAll();
  expect(await shown()).toEqual({ ...right, blocked: { billing: 4, crm: 1 } });
});

describe.each([
  ['too high', 5],
  ['too low', -5],
])('counters that are %s', (_, wrong) => {
  beforeEach(() => {
    for (const feed of [billing, usersFeed] as FeedName[]) {
      memory.put({ ...item(feed), ...countersKey(feed), correctedBlocked: wrong, correctedUsers: wrong });
      memory.put({ ...item(feed), ...countersKey(feed), correctedInactive: wrong });
    }
  });

  test('are named by a dry run, which writes nothing', async () => {
    const before = memory.table.items();
    expect(await repair(true)).toEqual(['counters', 'counters billing']);
    expect(memory.table.items()).toEqual(before);
  });

  test('are repaired, once', async () => {
    expect(await repair()).toEqual(['counters', 'counters billing']);
    expect(await shown()).toEqual(right);
    expect(await repair()).toEqual([]);
  });
});

describe('a table from before the counters', () => {
  beforeEach(() => {
    for (const { pk, sk, totals: _, ...rest } of memory.table.items() as {
      pk: string;
      sk: string;
      totals: unknown;
    }[]) {
      if (pk === 'OVERVIEW') remove({ pk, sk });
      else memory.put({ pk, sk, ...rest });
    }
  });

  test('gets them, and goes on with them', async () => {
    expect(await shown()).toEqual({ active: 0, inactive: 0, blocked: { billing: 1 } });
    expect(await repair()).toEqual(['counters', 'counters billing', 'counters crm']);
    expect(await shown()).toEqual(right);
    await set(bea, 'enabled');
    await setUserStatus({ userId: ada, status: 'inactive', reason: null }, context);
    await numberAll();
    expect(await shown()).toEqual({ active: 2, inactive: 2, blocked: { billing: 2, crm: 1 } });
    expect(await repair()).toEqual([]);
  });

  test('keeps them when every block has expired', async () => {
    await repair();
    jest.setSystemTime(Date.now() + 41 * 86_400_000);
    for (const { pk, sk } of memory.table.items()) {
      if (String(sk).startsWith('LOG#0')) remove({ pk: String(pk), sk: String(sk) });
    }
    expect(await repair()).toEqual([]);
    await set(bea, 'enabled');
    await numberAll();
    expect(await shown()).toEqual({ ...right, blocked: { billing: 1, crm: 1 } });
    expect(await repair()).toEqual([]);
  });
});

test('an item that is missing is made from the log, with what it had corrected', async () => {
  await deleteUser({ userId: bea }, context);
  await numberAll();
  expect(item(billing)).toMatchObject({ correctedBlocked: -1 });
  remove(countersKey(billing));
  remove(countersKey(unfollowedFeed));
  expect(await repair()).toEqual(['counters', 'counters billing']);
  expect(await shown()).toEqual({ active: 2, inactive: 1, blocked: { billing: 2, crm: 1 } });
  expect(item(billing)).toMatchObject({ correctedBlocked: -1, totals: { blocked: 2 } });
});

test('a copy of numbers that the log does not have gives way to the log', async () => {
  memory.put({ ...item(billing), ...countersKey(billing), upTo: 900, totals: { blocked: 7, days: '20777;9' } });
  expect(await repair()).toEqual(['counters billing']);
  expect(await shown()).toEqual(right);
  await set(people[3] as UserId, 'disabled');
  await numberAll();
  expect(await shown()).toEqual({ ...right, blocked: { billing: 4, crm: 1 } });
});

test('an access of an earlier user with the same id takes its block from the counters with it', async () => {
  const key = { pk: `USER#${bea}`, sk: `ACCESS#${billing}` };
  memory.put({ ...memory.table.get(key), ...key, userCreatedAt: '2026-01-01T00:00:00.000Z' });
  for (const { pk, sk, action } of memory.table.items()) {
    if (pk === key.pk && action === 'access.changed') remove({ pk, sk: String(sk) });
  }
  expect(await repair()).toEqual(expect.arrayContaining(['access billing']));
  expect(item(billing)).toMatchObject({ correctedBlocked: -1 });
  expect(item(billing)).not.toHaveProperty('repairs');
  expect((await shown()).blocked).toEqual({ billing: 2, crm: 1 });
});

test('changes that the reader of the stream has missed get their numbers', async () => {
  await set(bea, 'enabled');
  jest.setSystemTime(Date.now() + 120_000);
  expect(await shown()).toEqual(right);
  expect(await repair()).toEqual([]);
  expect(await shown()).toEqual({ ...right, blocked: { billing: 2, crm: 1 } });
});

test('counters of an application that is deleted, or not there, are removed', async () => {
  const deleting = deleteApplication({ appId: crm, force: true }, context);
  await Promise.all([deleting, jest.runAllTimersAsync()]);
  expect(item(crm)).toBeUndefined();
  memory.put({ ...countersKey(crm), correctedBlocked: -1 }, { ...countersKey('gone' as AppId), correctedBlocked: -1 });
  expect(await repair(true)).toEqual(['counters crm', 'counters gone']);
  expect(await repair()).toEqual(['counters crm', 'counters gone']);
  expect(memory.table.items().filter(({ pk }) => pk === 'OVERVIEW')).toHaveLength(3);
});

describe('while changes are made', () => {
  beforeEach(() => memory.put({ ...item(billing), ...countersKey(billing), correctedBlocked: 3 }));

  /** Acts whenever the accesses of an application begin to be counted, as often as this at most. */
  const whileCounting = (act: (n: number) => Promise<unknown>, times = Number.POSITIVE_INFINITY) => {
    let count = 0;
    let isActing = false;
    memory.before = async ({ command, input }) => {
      const text = JSON.stringify(input);
      const isCount =
        command === 'QueryCommand' && text.includes('"APP#billing#USERS"') && text.includes('"Limit":1000');
      if (!isCount || isActing || count >= times) return;
      isActing = true;
      await act(count++);
      isActing = false;
    };
  };
  const flip = (n: number) => set(bea, n % 2 === 0 ? 'enabled' : 'disabled');

  test('the counters are counted again, with the changes in between', async () => {
    whileCounting(flip, 2);
    expect(await repair()).toEqual(['counters billing']);
    memory.before = undefined;
    await numberAll();
    expect(await shown()).toEqual(right);
  });

  test('an erasure in between is counted once', async () => {
    whileCounting(() => deleteUser({ userId: bea }, context), 1);
    expect(await repair()).toEqual(['counters billing']);
    memory.before = undefined;
    await numberAll();
    expect((await shown()).blocked).toEqual({ billing: 2, crm: 1 });
  });

  test('a difference that two repairs find at once is added once', async () => {
    const both = [repair(), repair()];
    expect((await Promise.all(both)).flat().filter((kind) => kind === 'counters billing')).toHaveLength(1);
    expect(await shown()).toEqual(right);
  });

  test('an application that is deleted in between gets no counters', async () => {
    whileCounting(async () => {
      const found = memory.table.get({ pk: 'APP#billing', sk: 'APP' });
      memory.put({ ...found, pk: 'APP#billing', sk: 'APP', deleting: true });
      remove(countersKey(billing));
    }, 1);
    expect(await repair()).toEqual([]);
    expect(item(billing)).toBeUndefined();
  });

  test('nothing is stored if changes never stop: the feed is named as busy, and the next repair repairs it', async () => {
    whileCounting(flip);
    const before = item(billing);
    expect(await repair()).toEqual(['counters-busy billing left']);
    expect(item(billing)).toEqual(before);
    memory.before = undefined;
    await numberAll();
    expect(await repair()).toEqual(['counters billing']);
    expect((await shown()).blocked).toEqual({ billing: 2, crm: 1 });
  });
});

describe('an application of which more users have an access than are counted at once', () => {
  const many = Array.from({ length: 2100 }, (_, n) => `user${n}` as UserId);
  const counted: number[] = [];

  /** Repairs the counters of users and of the application, each request up to a page. */
  async function count(between: (page: number) => Promise<unknown> = async () => undefined) {
    const found: string[] = [];
    let cursor: string | undefined = encodeRepairCursor([stepOfCounters, null, 0, null, null]);
    for (let page = 0; cursor !== undefined; page++) {
      const [answer]: [Repair, unknown] = await Promise.all([
        repairTable({ limit: 1, cursor }, context),
        jest.runAllTimersAsync(),
      ]);
      counted.push(answer.checked);
      found.push(...answer.findings.map(({ kind, appId }) => `${kind} ${appId ?? ''}`.trim()));
      cursor = answer.cursor ?? undefined;
      await between(page);
    }
    return found;
  }

  beforeEach(() => {
    counted.length = 0;
    for (const userId of many) {
      const access = { userId, appId: billing, status: 'disabled', until: null, roles: {} };
      memory.put({ pk: `USER#${userId}`, sk: `ACCESS#${billing}`, ...access });
      memory.put({ pk: `APP#${billing}#USERS`, sk: `USER#${userId}`, userId });
    }
  });

  test('is counted over several requests', async () => {
    expect(await count()).toEqual(['counters billing']);
    expect((await shown()).blocked).toEqual({ billing: 2103, crm: 1 });
    expect(counted.filter((checked) => checked > 100)).toEqual([1000, 1000, 103]);
    expect(await count()).toEqual([]);
  });

  test('is counted again after a change between two requests, as soon as it is seen', async () => {
    let changed = false;
    await count(async () => {
      if (changed || counted.at(-1) !== 1000) return;
      changed = true;
      await set(bea, 'enabled');
    });
    expect(counted.filter((checked) => checked > 100)).toEqual([1000, 1000, 1000, 1000, 103]);
    await numberAll();
    expect((await shown()).blocked).toEqual({ billing: 2102, crm: 1 });
  });
});
