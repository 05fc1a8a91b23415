import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { readChangesById } from '#shared/domain/history/changes-by-id.ts';
import { listChanges } from '#shared/domain/history/changes-by-number.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import type { Positions } from '#shared/domain/history/read-feed.ts';
import { readLogEnd, restartLog } from '#shared/table/items/feed-item.ts';
import { currentPosition, encodeFeedCursor } from '#shared/table/queries/feed-cursor.ts';
import { putStoredChange } from '../../../support/stored-changes.ts';
import { operatorContext as operator, storedKey } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem } from '../../../support/table-items.ts';

const appId = 'billing' as AppId;
const start = Date.parse('2026-11-20T19:00:00.000Z');
const day = 86_400_000;

const memory = tableForEachTest(start);
/** Puts a change of this many seconds before the start. */
const put = (secondsAgo: number, action: ChangeAction = 'access.changed', of: object = { appId }) =>
  putStoredChange(memory, { action, at: new Date(start - secondsAgo * 1000).toISOString(), userId: 'ada', ...of }).id;
const number = async () => {
  for (const feed of [appId, 'USERS'] as const) await numberFeed(feed);
};
interface Asked {
  readonly limit?: number;
  readonly actions?: readonly ChangeAction[];
  readonly pending?: 'all' | 'new';
}
const list = (after?: string, { limit = 100, ...asked }: Asked = {}) => {
  memory.sdk.requests.length = 0;
  return listChanges({ appId, limit, after, ...asked }, operator);
};
const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id);
/** The ids of each page, from a cursor to the end. */
async function pagesFrom(after?: string, asked: Asked = {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor = after, more = true; more; ) {
    const page = await list(cursor, asked);
    pages.push(idsOf(page));
    ({ cursor, more } = page);
  }
  return pages;
}
const removeFeed = (meant: RegExp) => {
  for (const { pk, sk } of memory.table.items()) {
    if (pk === `FEED#${appId}` && meant.test(String(sk)))
      memory.table.apply({ kind: 'Delete', input: { Key: { pk, sk } } });
  }
};

beforeEach(() => {
  memory.put(applicationItem({ keys: { a: storedKey({ scopes: ['roles:write'] }) } }));
});

test('the feed has the changes of the application and global changes of users, without operators', async () => {
  const ids = [
    put(500),
    put(400, 'user.status.changed', {}),
    putStoredChange(memory, { action: 'application.updated', at: new Date(start - 300_000).toISOString(), appId }).id,
  ];
  put(200, 'user.updated', {});
  put(100, 'access.changed', { appId: 'wiki' });
  for (const prepare of [async () => {}, number]) {
    await prepare();
    const page = await list();
    expect(idsOf(page)).toEqual(ids);
    expect(JSON.stringify(page.items)).not.toMatch(/eve|192\.0\.2\.7/);
  }
});

describe('a reader that is far behind', () => {
  /** 250 changes of one feed, each in a block of its own, of which a page reads 200; and as many of the other in between. */
  const fall = async (feed: AppId | 'USERS') => {
    const ids: string[] = [];
    const [slow, other]: [() => string, () => string] = [
      () => put(1000 - ids.length, 'user.status.changed', {}),
      () => put(1000 - ids.length),
    ];
    for (let at = 0; at < 250; at++) {
      ids.push((feed === 'USERS' ? slow : other)());
      await numberFeed(feed);
      ids.push((feed === 'USERS' ? other : slow)());
    }
    await number();
    return ids;
  };

  test.each([appId, 'USERS'] as const)('gets no change before an earlier one of %s', async (feed) => {
    const ids = await fall(feed);
    expect((await pagesFrom(undefined, { limit: 1000 })).flat()).toEqual(ids);
  });

  test.each([appId, 'USERS'] as const)(
    'gets only by their numbers no page before an earlier one of %s',
    async (feed) => {
      const ids = await fall(feed);
      const read: string[] = [];
      let positions: Positions = [undefined, undefined];
      for (let more = true; more; ) {
        const page = await readChangesById(appId, positions, 1000);
        read.push(...page.changes.map(({ id }) => id).sort());
        ({ positions, more } = page);
      }
      expect(read).toEqual(ids);
    },
  );

  test('still waits for an earlier change of the same user that has no number', async () => {
    for (let at = 0; at < 250; at++) {
      put(1000 - at, 'user.status.changed', {});
      await numberFeed('USERS');
    }
    put(999.7, 'user.status.changed', { userId: 'ben' });
    const late = put(999.6, 'access.changed', { appId, userId: 'ben' });
    await numberFeed(appId);
    const idsRead = async () =>
      (await readChangesById(appId, [undefined, undefined], 1000)).changes.map(({ id }) => id);
    expect(await idsRead()).toHaveLength(200);
    expect(await idsRead()).not.toContain(late);
  });
});

test('a pending change comes at once and again, until it has a number; then it comes once more', async () => {
  const { cursor } = await list();
  const id = put(7);
  for (let n = 0; n < 3; n++) {
    expect(await list(cursor)).toMatchObject({ items: [{ id }], pending: 1, more: false, cursor });
  }
  await number();
  const numbered = await list(cursor);
  expect(numbered).toMatchObject({ items: [{ id }], pending: 0, more: false });
  expect(await list(numbered.cursor)).toMatchObject({ items: [], pending: 0, more: false, cursor: numbered.cursor });
});

test('a change with an older id that is committed later is behind every cursor', async () => {
  put(5);
  await number();
  const { cursor } = await list();
  const late = put(20 * 86_400);
  expect(idsOf(await list(cursor))).toEqual([late]);
  await number();
  expect(idsOf(await list(cursor))).toEqual([late]);
});

test.each([1, 2, 3, 5, 100])('pages of %d lead through numbered and pending changes of both feeds', async (limit) => {
  const numbered = [put(50), put(40, 'user.status.changed', {}), put(30), put(20)];
  await number();
  const pending = [put(10), put(9, 'user.status.changed', {}), put(8)];
  const pages = await pagesFrom(undefined, { limit });
  expect(pages.flat()).toEqual([...numbered, ...pending]);
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(limit);
});

test('of many pending changes each page reads the next ones, those of each user together and in their order', async () => {
  const ids = new Map<string, string[]>();
  for (let n = 0; n < 600; n++) {
    const userId = `user-${n % 150}`;
    const change = put(10_000 - n, n % 4 === 0 ? 'user.status.changed' : 'access.changed', {
      userId,
      ...(n % 4 !== 0 && { appId }),
    });
    ids.set(userId, [...(ids.get(userId) ?? []), change]);
  }
  const itemsRead = () =>
    memory.sdk.requests
      .filter(({ command }) => command === 'QueryCommand')
      .reduce((sum, { input }) => sum + Number(input.Limit ?? 0), 0);
  const pages: string[][] = [];
  const counts: number[] = [];
  for (let [cursor, more]: [string | undefined, boolean] = [undefined, true]; more; ) {
    const page = await list(cursor);
    expect(page.pending).toBe(page.items.length);
    pages.push(idsOf(page));
    counts.push(itemsRead());
    ({ cursor, more } = page);
  }
  expect(pages.flat().toSorted()).toEqual([...ids.values()].flat().toSorted());
  for (const own of ids.values()) {
    const [page = []] = pages.filter((one) => one.includes(own[0] ?? ''));
    expect(page.filter((id) => own.includes(id))).toEqual(own);
  }
  // A hundred of each feed, twice of that of the users, and what the log has.
  expect(Math.max(...counts.slice(1))).toBeLessThanOrEqual(3 * 100 + 3 * 200);
});

describe('a reader that asks for new ones alone', () => {
  const asked = { pending: 'new' } as const;
  /** Reads to the end: what came, what was left out, and the cursor. */
  const walk = async (after?: string) => {
    const ids: string[] = [];
    let [omitted, pages, cursor] = [0, 0, after];
    for (let more = true; more; pages++) {
      const page = await list(cursor, asked);
      ids.push(...idsOf(page));
      omitted += page.omitted ?? 0;
      ({ cursor, more } = page);
    }
    return { ids, omitted, pages, cursor };
  };
  const putMany = (count: number) =>
    Array.from({ length: count }, (_, n) =>
      put(10_000 - n, n % 3 === 0 ? 'user.status.changed' : 'access.changed', {
        userId: `user-${n % 90}`,
        ...(n % 3 !== 0 && { appId }),
      }),
    );

  test('gets each of many pending changes once, and then what was committed since', async () => {
    const ids = putMany(350);
    const first = await walk();
    expect(first).toMatchObject({ omitted: 0 });
    expect(first.ids.toSorted()).toEqual(ids);
    jest.setSystemTime(start + 10_000);
    const second = await walk(first.cursor);
    expect(second).toMatchObject({ ids: [], omitted: 350, pages: 1 });
    const added = [put(-8), put(-9, 'access.changed', { appId, userId: 'user-7' })];
    const third = await walk(second.cursor);
    expect(third).toMatchObject({ ids: added, omitted: 350, pages: 1 });
    expect(await walk(third.cursor)).toMatchObject({ omitted: 350, ids: added });
    // Without that, everything comes again.
    expect((await pagesFrom(third.cursor)).flat()).toHaveLength(352);
  });

  test('gets one with an older id that was committed later', async () => {
    putMany(350);
    const { cursor } = await walk();
    jest.setSystemTime(start + 10_000);
    const late = put(20_000, 'access.changed', { appId, userId: 'user-7' });
    expect((await walk(cursor)).ids).toContain(late);
  });

  test('gets each one once more with its number, and nothing is left out then', async () => {
    const ids = putMany(350);
    const { cursor } = await walk();
    jest.setSystemTime(start + 10_000);
    await number();
    const numbered = await walk(cursor);
    expect(numbered).toMatchObject({ omitted: 0 });
    expect(numbered.ids.toSorted()).toEqual(ids);
    expect(await walk(numbered.cursor)).toMatchObject({ ids: [], omitted: 0, cursor: numbered.cursor });
  });

  test('does not get the rest once more because some have got their numbers', async () => {
    putMany(350);
    const { cursor } = await walk();
    jest.setSystemTime(start + 10_000);
    const numbered = await numberFeed('USERS');
    const { ids, omitted } = await walk(cursor);
    expect(ids).toHaveLength(numbered);
    expect(omitted).toBe(350 - numbered);
  });

  test('gets few pending changes again each time, like all others', async () => {
    const ids = [put(50), put(40, 'user.status.changed', {})];
    const { cursor } = await walk();
    jest.setSystemTime(start + 10_000);
    expect(await walk(cursor)).toMatchObject({ ids, omitted: 0, cursor });
  });
});

test('changes that get their numbers between two pages of pending ones are not missed', async () => {
  const ids = [put(4), put(3), put(2), put(1)];
  const first = await list(undefined, { limit: 2 });
  expect(first).toMatchObject({ pending: 2, more: true });
  await number();
  const rest = await pagesFrom(first.cursor, { limit: 2 });
  expect([...new Set([...idsOf(first), ...rest.flat()])]).toEqual(ids);
});

test('of a user nothing is shown without what came before in the other feed', async () => {
  const { cursor } = await list();
  const ids: string[] = [];
  let queries = 0;
  memory.before = ({ command }) => {
    if (command === 'QueryCommand' && ++queries === 2) ids.push(put(40, 'user.status.changed', {}), put(30));
  };
  expect(idsOf(await list(cursor))).toEqual(ids);
  expect(ids).toHaveLength(2);
});

test('a change that a torn log names twice comes once', async () => {
  const ids = [put(50), put(40)];
  await number();
  const block = memory.table.items().find(({ pk, sk }) => pk === `FEED#${appId}` && /^LOG#\d/.test(String(sk)));
  const changes = block?.changes as readonly object[];
  memory.put({ ...block, changes: [...changes, changes[1]] });
  expect(idsOf(await list())).toEqual(ids);
});

test('the feeds are read again only for a user of whom something was missed', async () => {
  const { cursor } = await list();
  const own = put(50);
  const queries = () => memory.sdk.requests.filter(({ command }) => command === 'QueryCommand').length;
  const at = new Date(start - 60_000).toISOString();
  memory.beforeFirst('FEED#billing', () =>
    putStoredChange(memory, { action: 'user.status.changed', at, userId: 'eve' }),
  );
  expect(idsOf(await list(cursor))).toEqual([own]);
  expect(queries()).toBe(3);
  memory.before = undefined;
  await number();
  expect(idsOf(await list(cursor))).toHaveLength(2);
  expect(queries()).toBe(3);
  const { cursor: last } = await list(cursor);
  await list(last);
  expect(queries()).toBe(2);
});

test('a change that is pending when the log is read, and numbered meanwhile, comes once', async () => {
  for (let n = 0; n < 150; n++) put(1000 - n);
  memory.beforeFirst('LOG#END', number);
  const pages = await pagesFrom();
  expect(new Set(pages.flat()).size).toBe(150);
  for (const page of pages) expect(new Set(page).size).toBe(page.length);
});

test('only the requested actions are returned, and the others are passed', async () => {
  put(5);
  const wanted = put(4, 'role.assigned', { appId, role: 'editor' });
  put(3);
  await number();
  const page = await list(undefined, { actions: ['role.assigned'], limit: 1 });
  expect(idsOf(page)).toEqual([wanted]);
  const rest = page.more ? await list(page.cursor, { actions: ['role.assigned'] }) : page;
  put(2);
  expect(idsOf(await list(rest.cursor, { actions: ['role.assigned'] }))).toEqual([]);
  await number();
  expect(idsOf(await list(rest.cursor)).length).toBe(1);
});

/** Deletes a change of a user, as an erasure does after its own Change. */
const erase = (gone: string) => {
  for (const { pk, sk, id } of memory.table.items()) {
    if (id === gone && String(sk).startsWith('CHANGE#'))
      memory.table.apply({ kind: 'Delete', input: { Key: { pk, sk } } });
  }
};

test.each([0, 1])(
  'an erasure while the page is read, which removes a change, is in the page; numbered: %d',
  async (numbered) => {
    const gone = put(5);
    if (numbered) await number();
    const erasure: string[] = [];
    memory.beforeFirst(gone, () => {
      erasure.push(put(1, 'user.deleted', {}));
      erase(gone);
    });
    expect(await pagesFrom()).toEqual([erasure]);
  },
);

test('a change whose erasure is known costs no second read of the feeds, and one whose erasure is passed only one', async () => {
  const gone = put(5);
  const erasure = put(4, 'user.deleted', {});
  erase(gone);
  expect(idsOf(await list())).toEqual([erasure]);
  const requests = memory.sdk.requests.length;
  for (const { pk, sk } of memory.table.items())
    if (pk === 'FEED#USERS') memory.table.apply({ kind: 'Delete', input: { Key: { pk, sk } } });
  expect(idsOf(await list())).toEqual([]);
  expect(memory.sdk.requests.length).toBe(requests + 4);
});

test('changes that are gone, with their user, are left out', async () => {
  const [gone, left] = [put(5), put(4)];
  await number();
  for (const { pk, sk, id } of memory.table.items()) {
    if (id === gone) memory.table.apply({ kind: 'Delete', input: { Key: { pk, sk } } });
  }
  expect(idsOf(await list())).toEqual([left]);
});

test('an idle follower takes the application and one consistent query for each feed', async () => {
  put(5);
  await number();
  const { cursor } = await list();
  await list(cursor);
  expect(memory.sdk.requests.map(({ command, input }) => [command, input.ConsistentRead ?? null])).toEqual([
    ['BatchGetItemCommand', null],
    ['QueryCommand', true],
    ['QueryCommand', true],
  ]);
});

test('a follower who is far behind reads every block once, in order', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 450; n++) {
    ids.push(put(100_000 - n));
    await number();
  }
  const pages = await pagesFrom(undefined, { limit: 100 });
  expect(pages.flat()).toEqual(ids);
});

test('a follower who is far behind full blocks reads two of them for a page, and not those after it', async () => {
  const ids: string[] = [];
  for (let block = 0; block < 12; block++) {
    for (let n = 0; n < 100; n++) ids.push(put(100_000 - ids.length));
    await number();
  }
  const blocksRead = () =>
    memory.sdk.requests
      .filter(({ input }) => JSON.stringify(input).includes(`FEED#${appId}`))
      .reduce((sum, { input }) => sum + Number(input.Limit ?? 0), 0);
  const counts: number[] = [];
  const found: string[] = [];
  for (let [cursor, more]: [string | undefined, boolean] = [undefined, true]; more; ) {
    const page = await list(cursor);
    found.push(...idsOf(page));
    counts.push(blocksRead());
    ({ cursor, more } = page);
  }
  expect(found).toEqual(ids);
  // The first page does not know yet, and the last ones also read what is new.
  expect(counts.slice(1, -2)).toEqual(Array(counts.length - 3).fill(2));
});

test('changes without a number for a minute are counted', async () => {
  const { Metrics } = await import('@aws-lambda-powertools/metrics');
  const added = jest.spyOn(Metrics.prototype, 'addMetric');
  const counted = () => added.mock.calls.filter(([name]) => name === 'OldPendingChanges').map(([, , value]) => value);
  put(59);
  await list();
  expect(counted()).toEqual([]);
  put(61);
  put(62);
  await list();
  expect(counted()).toEqual([2]);
  // Also those that a reader has had and does not get again.
  const { cursor } = await list(undefined, { limit: 2, pending: 'new' });
  const rest = await list(cursor, { limit: 2, pending: 'new' });
  jest.setSystemTime(start + 90_000);
  added.mockClear();
  expect(await list(rest.cursor, { limit: 2, pending: 'new' })).toMatchObject({ items: [], omitted: 3 });
  expect(counted()).toEqual([3]);
  added.mockRestore();
});

describe('410', () => {
  const detail = 'Changes can be followed for 30 days. Read the snapshot, then continue with its changesCursor.';
  const isExpired = (cursor: string) =>
    expect(list(cursor)).rejects.toMatchObject({ code: 'cursor_expired', options: { detail } });

  test('for a position whose block can no longer be read, although DynamoDB still has it', async () => {
    put(5);
    await number();
    const { cursor } = await list();
    jest.setSystemTime(start + 30 * day - 1000);
    expect((await list(cursor)).items).toEqual([]);
    jest.setSystemTime(start + 30 * day);
    await isExpired(cursor);
  });

  test('for a position whose block is gone, or a block after it', async () => {
    const cursors: string[] = [];
    for (let n = 5; n > 0; n--) {
      put(n);
      await number();
      cursors.push((await list()).cursor);
    }
    removeFeed(/^LOG#0*4$/);
    await isExpired(String(cursors[0]));
    await isExpired(String(cursors[3]));
    expect((await list(cursors[4])).items).toEqual([]);
  });

  test('for the beginning, once the first changes are gone', async () => {
    const { cursor } = await list();
    put(5);
    await number();
    put(4);
    await number();
    expect(idsOf(await list(cursor))).toHaveLength(2);
    removeFeed(/^LOG#0*1$/);
    await isExpired(cursor);
  });

  test('for a number that was never given', async () => {
    const { afterNumber, encodeFeedCursor } = await import('#shared/table/queries/feed-cursor.ts');
    put(5);
    await number();
    for (const own of [afterNumber(7), { first: 1, number: 7, id: 'A' }, { first: 2, number: 2, id: 'A' }]) {
      await isExpired(encodeFeedCursor(appId, { feeds: [own, afterNumber(0)], pendingAfter: undefined }));
    }
  });

  test('for a position in a history that a restored table does not have', async () => {
    put(5);
    await number();
    const { cursor } = await list();
    removeFeed(/^LOG#/);
    put(4);
    await number();
    await isExpired(cursor);
  });

  test('not for a feed in which nothing happened for long: its position is that of the reserved numbers', async () => {
    put(5);
    await number();
    const { cursor: before } = await list();
    jest.setSystemTime(start + 40 * day);
    await isExpired(before);
    const { cursor } = await list();
    removeFeed(/^LOG#0*1$/);
    expect((await list(cursor)).items).toEqual([]);
    const id = put(-40 * 86_400);
    await number();
    expect(idsOf(await list(cursor))).toEqual([id]);
  });
});

test('a key without the scope is refused before the feed is read', async () => {
  const caller = { kind: 'api-key', appId, keyId: 'a' as KeyId } as const;
  const { requestId, sourceIp } = operator;
  const refused = { requestId, sourceIp, caller, requiredScope: 'access:read' } as const;
  memory.sdk.requests.length = 0;
  await expect(listChanges({ appId, limit: 1 }, refused)).rejects.toMatchObject({ code: 'scope_missing' });
  expect(memory.sdk.requests.filter(({ command }) => command === 'QueryCommand')).toEqual([]);
});

describe('a log that began anew', () => {
  const restart = async () => expect(await restartLog(appId, await readLogEnd(appId), 5000)).toBe(true);
  const expired = expect.objectContaining({ code: 'cursor_expired' });

  test('refuses every position from before, even where a block of another Region has the same number', async () => {
    put(500);
    put(400);
    await number();
    const [first, second] = [await list(undefined, { limit: 1 }), await list()];
    // The lost Region had numbered more changes, of which this table has none.
    const ahead = encodeFeedCursor(appId, {
      feeds: [
        { first: 3, number: 7, id: 'X' },
        { first: 1, number: 0, id: null },
      ],
      pendingAfter: undefined,
    });
    await restart();
    for (const { cursor } of [first, second, { cursor: ahead }]) await expect(list(cursor)).rejects.toEqual(expired);
    put(300);
    await number();
    for (const { cursor } of [first, second, { cursor: ahead }]) await expect(list(cursor)).rejects.toEqual(expired);
  });

  test('is followed from its beginning, and from the current position', async () => {
    put(500);
    await number();
    await restart();
    const own = await currentPosition(appId);
    expect(own).toEqual({ first: 5001, number: 5000, id: null });
    const cursor = encodeFeedCursor(appId, {
      feeds: [own, { first: 1, number: 0, id: null }],
      pendingAfter: undefined,
    });
    expect(idsOf(await list(cursor))).toEqual([]);
    const id = put(300);
    for (const prepare of [async () => {}, number]) {
      await prepare();
      expect(idsOf(await list(cursor))).toEqual([id]);
      expect(idsOf(await list())).toEqual([id]);
    }
    expect(await currentPosition(appId)).toEqual({ first: 5001, number: 5001, id });
  });

  test('does not restart if its end has changed since it was read', async () => {
    put(500);
    const end = await readLogEnd(appId);
    await number();
    expect(await restartLog(appId, end, 5000)).toBe(false);
  });
});
