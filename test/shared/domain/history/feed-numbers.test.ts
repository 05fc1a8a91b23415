import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { log } from '#shared/core/telemetry.ts';
import { numberChanges, numberFeed } from '#shared/domain/history/feed-numbers.ts';
import type { StreamRecord } from '#shared/table/items/change-item.ts';
import { putStoredChange } from '../../../support/stored-changes.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const billing = 'billing' as AppId;
const start = Date.parse('2026-11-20T19:00:00.000Z');
const day = 86_400_000;

const memory = tableForEachTest(start);
afterEach(() => {
  jest.restoreAllMocks();
});

let made = 0;
beforeEach(() => {
  made = 0;
});
/** Stores changes as the service does, each a millisecond later; returns their ids. */
const put = (count: number, of: object = { appId: 'billing' }): string[] =>
  Array.from({ length: count }, () => {
    const at = new Date(start + made++).toISOString();
    return putStoredChange(memory, { action: 'access.changed', at, userId: 'ada', ...of }).id;
  });
const feedItems = (feed = 'billing') => memory.table.items().filter(({ pk }) => pk === `FEED#${feed}`);
const pendingIn = (feed = 'billing') => feedItems(feed).filter(({ sk }) => String(sk).startsWith('PENDING#'));
/** The blocks of a log, as their first numbers and the ids of their changes. */
const logOf = (feed = 'billing') =>
  feedItems(feed)
    .filter(({ sk }) => /^LOG#\d/.test(String(sk)))
    .map(({ first, changes }) => [first, (changes as { id: string }[]).map(({ id }) => id)]);
const requests = (command: string) => memory.sdk.requests.filter((one) => one.command === `${command}Command`);
const recordOf = (id: string, change: object, sequence: string): StreamRecord => ({
  dynamodb: {
    SequenceNumber: sequence,
    Keys: marshall({ pk: 'USER#ada', sk: `CHANGE#${id}` }),
    NewImage: marshall(change, { removeUndefinedValues: true }),
  },
});

test('pending changes get the next numbers, by id, in one block, and are then no longer pending', async () => {
  const first = put(3);
  expect(await numberFeed(billing)).toBe(3);
  expect(logOf()).toEqual([[1, first.toSorted()]]);
  const second = put(2);
  expect(await numberFeed(billing)).toBe(2);
  expect(logOf()).toEqual([
    [1, first.toSorted()],
    [4, second.toSorted()],
  ]);
  expect(pendingIn()).toEqual([]);
});

test('a block has what finds and filters its changes, and is kept a day longer than it can be read', async () => {
  const [id] = put(1);
  await numberFeed(billing);
  expect(feedItems().filter(({ sk }) => sk === 'LOG#000000000001')).toEqual([
    {
      pk: 'FEED#billing',
      sk: 'LOG#000000000001',
      first: 1,
      changes: [{ id, action: 'access.changed', userId: 'ada' }],
      keptUntil: (start + 30 * day) / 1000,
      ttl: (start + 31 * day) / 1000,
      totals: { days: `${Math.floor(start / day)};1` },
    },
  ]);
});

test('one change takes three queries, one put and one delete, and one read and one write of the counters; a transaction only for the first', async () => {
  memory.put({ pk: 'APP#billing', sk: 'APP', appId: 'billing' });
  put(1);
  await numberFeed(billing);
  // The first of a thousand numbers is reserved, and counters are created only for an application that exists.
  expect(requests('TransactWriteItems')).toHaveLength(2);
  memory.sdk.requests.length = 0;
  put(1);
  await numberFeed(billing);
  expect(memory.sdk.requests.map(({ command }) => command)).toEqual([
    'QueryCommand',
    'QueryCommand',
    'QueryCommand',
    'PutItemCommand',
    'DeleteItemCommand',
    'BatchGetItemCommand',
    'UpdateItemCommand',
  ]);
});

test('more than a hundred pending changes get their numbers in several blocks', async () => {
  const ids = put(250);
  expect(await numberFeed(billing)).toBe(250);
  expect(logOf().map(([first]) => first)).toEqual([1, 101, 201]);
  expect(
    logOf()
      .flatMap(([, found]) => found as string[])
      .toSorted(),
  ).toEqual(ids.toSorted());
  expect(pendingIn()).toEqual([]);
});

describe('each change gets one number', () => {
  test('if the function ended before it removed what it had numbered', async () => {
    const ids = put(2);
    memory.beforeFirst('DeleteItemCommand', () => {
      throw Object.assign(new Error('ended'), { name: 'AbortError' });
    });
    await expect(numberFeed(billing)).rejects.toThrow();
    const later = put(1);
    expect(await numberFeed(billing)).toBe(1);
    expect(logOf()).toEqual([
      [1, ids.toSorted()],
      [3, later],
    ]);
    expect(pendingIn()).toEqual([]);
  });

  test('if that happened while hundreds were pending', async () => {
    const ids = put(250);
    memory.beforeFirst('DeleteItemCommand', () => {
      throw Object.assign(new Error('ended'), { name: 'AbortError' });
    });
    await expect(numberFeed(billing)).rejects.toThrow();
    await numberFeed(billing);
    expect(
      logOf()
        .flatMap(([, found]) => found as string[])
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  test('if the answer to a block was lost', async () => {
    put(1);
    await numberFeed(billing);
    const ids = put(2);
    const { fault } = memory.sdk;
    memory.sdk.fault = async (request, send) => {
      const answer = await fault?.(request, send);
      if (request.command !== 'PutItemCommand') return answer;
      memory.sdk.fault = fault;
      throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    };
    const running = numberFeed(billing).catch(() => undefined);
    await jest.runAllTimersAsync();
    await running;
    await numberFeed(billing);
    expect(logOf().slice(1)).toEqual([[2, ids.toSorted()]]);
    expect(pendingIn()).toEqual([]);
  });

  test.each([2, 5])('if %d functions number the same feed at once', async (count) => {
    const ids = put(40);
    const running = Promise.all(Array.from({ length: count }, () => numberFeed(billing)));
    await jest.runAllTimersAsync();
    const numbered = await running;
    expect(numbered.reduce((sum, one) => sum + one)).toBe(40);
    expect(logOf().flatMap(([, found]) => found as string[])).toEqual(ids.toSorted());
    expect(pendingIn()).toEqual([]);
  });

  test('if another function adds a block after the end was read', async () => {
    const ids = put(2);
    memory.beforeFirst('PENDING#', () => numberFeed(billing));
    const running = numberFeed(billing);
    await jest.runAllTimersAsync();
    await running;
    expect(logOf()).toEqual([[1, ids.toSorted()]]);
  });
});

describe('the changes of a user get their numbers in order', () => {
  test('also if more than a hundred are pending', async () => {
    for (let n = 0; n < 40; n++) for (const userId of ['ada', 'bob', 'cleo']) put(3, { appId: 'billing', userId });
    const owner = new Map(pendingIn().map(({ id, userId }) => [String(id), userId]));
    await numberFeed(billing);
    const ids = logOf().flatMap(([, found]) => found as string[]);
    for (const userId of ['ada', 'bob', 'cleo']) {
      const own = ids.filter((id) => owner.get(id) === userId);
      expect(own).toEqual(own.toSorted());
      expect(own).toHaveLength(120);
    }
  });

  test('also if a query shows a change, and lacks an earlier one that was committed while it read', async () => {
    const hidden = put(1, { appId: 'billing', userId: 'ada' });
    const seen = put(1, { appId: 'billing', userId: 'ada' });
    const { fault } = memory.sdk;
    memory.sdk.fault = async (request, send) => {
      const answer = (await fault?.(request, send)) as { output: { Items: { id: { S: string } }[] } };
      if (!JSON.stringify(request.input).includes('PENDING#')) return answer;
      memory.sdk.fault = fault;
      const Items = answer.output.Items.filter(({ id }) => String(id?.S ?? id) !== hidden[0]);
      return { ...answer, output: { ...answer.output, Items } };
    };
    await numberFeed(billing);
    expect(logOf()).toEqual([[1, [...hidden, ...seen]]]);
  });
});

describe('numbers never return', () => {
  const expire = () => {
    for (const { pk, sk } of feedItems().filter((item) => /^LOG#\d/.test(String(item.sk)))) {
      memory.table.apply({ kind: 'Delete', input: { Key: { pk, sk } } });
    }
  };

  test('after every block has expired, they continue after the thousand that was reserved', async () => {
    put(2);
    await numberFeed(billing);
    expire();
    const [id] = put(1);
    await numberFeed(billing);
    expect(logOf()).toEqual([[1001, [id]]]);
  });

  test('a last block that can no longer be read does not count, as a later one may already be gone', async () => {
    put(2);
    await numberFeed(billing);
    jest.setSystemTime(start + 30 * day);
    const [id] = put(1);
    await numberFeed(billing);
    expect(logOf().at(-1)).toEqual([1001, [id]]);
  });

  test('a block is kept at least as long as the one before, even by a clock that is behind', async () => {
    put(1);
    await numberFeed(billing);
    jest.setSystemTime(start - day);
    put(1);
    await numberFeed(billing);
    expect(new Set(feedItems().flatMap(({ keptUntil }) => keptUntil ?? []))).toEqual(
      new Set([(start + 30 * day) / 1000]),
    );
  });

  test('more than a thousand are reserved in time', async () => {
    put(1001);
    await numberFeed(billing);
    expect(feedItems().find(({ sk }) => sk === 'LOG#END')?.upTo).toBe(2000);
    expect(logOf().at(-1)?.[0]).toBe(1001);
  });
});

describe('a batch of the stream', () => {
  const change = (of: object) => ({ id: 'A', at: new Date(start).toISOString(), action: 'access.changed', ...of });
  const whole = {
    caller: { kind: 'operator' },
    requestId: 'r',
    sourceIp: 's',
    before: null,
    after: null,
    reason: null,
    integrity: {},
  };

  test('numbers the feeds of its changes, and skips what is not a change', async () => {
    const own = put(2);
    const others = put(1, { appId: 'wiki' });
    const ofUsers = put(1, { action: 'user.status.changed' });
    const records = [
      { dynamodb: { SequenceNumber: '1', Keys: marshall({ pk: 'USER#ada', sk: 'CHANGE#x' }), NewImage: {} } },
      recordOf('A', { ...change({ appId: 'billing' }), ...whole }, '2'),
      recordOf('B', { ...change({ action: 'user.status.changed', userId: 'ada' }), ...whole }, '3'),
      recordOf('C', { ...change({ action: 'user.updated', userId: 'ada' }), ...whole }, '4'),
    ];
    expect(await numberChanges(records)).toBeUndefined();
    expect([logOf(), logOf('USERS'), logOf('wiki')]).toEqual([[[1, own.toSorted()]], [[1, ofUsers]], []]);
    expect(pendingIn('wiki').map(({ id }) => id)).toEqual(others);
  });

  test('is read again from the first change of a feed that could not be numbered', async () => {
    put(1);
    const others = put(1, { appId: 'wiki' });
    const logged = jest.spyOn(log, 'error').mockReturnValue(undefined);
    memory.before = ({ input }) => {
      if (JSON.stringify(input).includes('FEED#billing'))
        throw Object.assign(new Error('away'), { name: 'TimeoutError' });
    };
    const records = [
      recordOf('A', { ...change({ appId: 'wiki' }), ...whole }, '7'),
      recordOf('B', { ...change({ appId: 'billing' }), ...whole }, '8'),
      recordOf('C', { ...change({ appId: 'billing' }), ...whole }, '9'),
    ];
    const failed = numberChanges(records);
    await jest.runAllTimersAsync();
    expect(await failed).toBe('8');
    expect(logOf('wiki')).toEqual([[1, others]]);
    expect(logged.mock.calls).toEqual([
      ['Changes could not be numbered', { feed: 'billing', error: expect.any(Error) }],
    ]);
  });
});
