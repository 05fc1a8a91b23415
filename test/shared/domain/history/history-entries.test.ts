import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, expect, jest, test } from '@jest/globals';
import type { ChangeAction } from '#shared/contract/change.ts';
import { log } from '#shared/core/telemetry.ts';
import { digestOfName } from '#shared/domain/history/caller-names.ts';
import { addToHistory } from '#shared/domain/history/history-entries.ts';
import { reindexChanges } from '#shared/domain/history/reindex-changes.ts';
import type { Item } from '#shared/table/client.ts';
import type { StreamRecord } from '#shared/table/items/change-item.ts';
import type { Key } from '#shared/table/keys.ts';
import { pagesOf } from '../../../support/pages-of.ts';
import { putStoredChange } from '../../../support/stored-changes.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const start = new Date('2026-11-20T19:00:00.000Z');
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds).toISOString();

const memory = tableForEachTest(start);
const isEntry = ({ pk }: Item) => String(pk).startsWith('HISTORY#');
const entries = () => memory.table.items().filter(isEntry);
const stored = () => memory.table.items().filter(({ sk }) => String(sk).startsWith('CHANGE#'));
const remove = ({ pk, sk }: Item) => memory.table.apply({ kind: 'Delete', input: { Key: { pk, sk } } });
const transactions = () => memory.sdk.requests.filter(({ command }) => command === 'TransactWriteItemsCommand');
const idsOf = (items: readonly Item[]) => items.map((item) => String(item.id ?? item.sk)).sort();

/** Puts changes of a user and an application each into the table but not into the global history. */
function putChanges(count: number, also: { action?: ChangeAction; userId?: string } = {}): void {
  for (let n = 0; n < count; n++) {
    putStoredChange(memory, { action: 'access.changed', at: after(n), userId: `u${n}`, appId: 'billing', ...also });
  }
  for (const entry of entries()) remove(entry);
}
/** Returns their stream records, numbered from 100. */
const recordsOf = (items: readonly Item[]): StreamRecord[] =>
  items.map((item, n) => {
    const { pk, sk } = item as Item & Key;
    return { dynamodb: { SequenceNumber: String(100 + n), Keys: marshall({ pk, sk }), NewImage: marshall(item) } };
  });

afterEach(() => {
  jest.restoreAllMocks();
});

test('an entry has the filter fields of the history, and expires with its change', async () => {
  putChanges(1);
  const [change] = stored();
  expect(await addToHistory(recordsOf(stored()))).toBeUndefined();
  expect(entries()).toEqual([
    {
      ...{ pk: expect.stringMatching(/^HISTORY#[0-3]$/), sk: change?.id, changePk: 'USER#u0', changeSk: change?.sk },
      ...{ action: 'access.changed', appId: 'billing', by: digestOfName('eve'), ttl: change?.ttl },
    },
  ]);
});

test('the changes of a batch are listed by transactions of fifty', async () => {
  putChanges(101);
  expect(await addToHistory(recordsOf(stored()))).toBeUndefined();
  expect(idsOf(entries())).toEqual(idsOf(stored()));
  expect(transactions().map(({ input }) => input.TransactItems.length)).toEqual([100, 100, 2]);
});

test('a record without a change or a key is skipped', async () => {
  putChanges(3);
  const [first, second, third] = recordsOf(stored());
  const noChange = { dynamodb: { ...second?.dynamodb, NewImage: marshall({ id: 'x' }) } };
  const noKey = { dynamodb: { ...third?.dynamodb, Keys: marshall({ pk: 'USER#u2' }) } };
  const noKeys = { dynamodb: { ...third?.dynamodb, Keys: marshall({ sk: 'CHANGE#1' }) } };
  expect(await addToHistory([noChange, noKey, noKeys, first ?? {}])).toBeUndefined();
  expect(entries()).toHaveLength(1);
});

test('a change deleted in the meantime is omitted, and the others are listed', async () => {
  putChanges(4);
  const records = recordsOf(stored());
  for (const gone of [stored()[0], stored()[2]]) remove(gone ?? {});
  expect(await addToHistory(records)).toBeUndefined();
  expect(idsOf(entries())).toEqual(idsOf(stored()));
  expect(transactions().map(({ input }) => input.TransactItems.length)).toEqual([8, 4]);
  for (const change of stored()) remove(change);
  memory.sdk.requests.length = 0;
  expect(await addToHistory(records.slice(0, 1))).toBeUndefined();
  expect(transactions()).toHaveLength(1);
});

test('if the table does not answer, the batch is retried from the first unlisted change', async () => {
  putChanges(101);
  const logged = jest.spyOn(log, 'error').mockReturnValue(undefined);
  memory.before = () => {
    if (transactions().length > 1) throw new Error('no answer');
  };
  const failed = addToHistory(recordsOf(stored()));
  await jest.runAllTimersAsync();
  expect(await failed).toBe('150');
  expect(entries()).toHaveLength(50);
  expect(logged.mock.calls).toEqual([
    ['Changes could not be added to the global history', { waiting: 51, error: expect.any(Error) }],
  ]);
});

const owner = (key: Key, also: object) => {
  const times = { createdAt: after(0), updatedAt: after(0), version: 1 };
  memory.put({ ...key, gsi1sk: key.pk, ...times, ...also });
};
const reindexAll = async (limit = 10) =>
  (await pagesOf((cursor) => reindexChanges({ limit, cursor }))).map(({ cursor, ...counts }) => counts);

test('all unlisted changes are backfilled: those of users, applications and erased users', async () => {
  for (const userId of ['ada', 'bob']) {
    owner({ pk: `USER#${userId}`, sk: 'USER' }, { gsi1pk: 'USERS', userId, status: 'active' });
  }
  owner({ pk: 'APP#billing', sk: 'APP' }, { gsi1pk: 'APPS', appId: 'billing', name: 'Billing' });
  for (const [n, userId] of ['ada', 'ada', 'bob'].entries()) {
    putStoredChange(memory, { action: 'access.changed', at: after(n), userId, appId: 'billing' });
  }
  putStoredChange(memory, { action: 'application.created', at: after(3), appId: 'billing' });
  putStoredChange(memory, { action: 'user.deleted', at: after(4), userId: 'gone', after: null });
  putStoredChange(memory, { action: 'user.status.changed', at: after(5), userId: 'nobody' });
  const all = entries();
  for (const entry of all) remove(entry);
  expect(await reindexAll()).toEqual([
    { checked: 3, changed: 3 },
    { checked: 1, changed: 1 },
    { checked: 1, changed: 1 },
  ]);
  expect(idsOf(entries())).toEqual(idsOf(stored().filter(({ userId }) => userId !== 'nobody')));
  remove(entries()[1] ?? {});
  expect(await reindexAll(1)).toEqual([
    ...[expect.anything(), expect.anything()],
    ...[
      { checked: 1, changed: expect.any(Number) },
      { checked: 1, changed: expect.any(Number) },
    ],
  ]);
  memory.sdk.requests.length = 0;
  expect((await reindexAll()).map(({ changed }) => changed)).toEqual([0, 0, 0]);
  expect(transactions()).toEqual([]);
});

test('all changes of a user with many are listed, fifty per transaction', async () => {
  owner({ pk: 'USER#ada', sk: 'USER' }, { gsi1pk: 'USERS', userId: 'ada', status: 'active' });
  putChanges(130, { userId: 'ada' });
  expect(await reindexChanges({ limit: 10 })).toEqual({ checked: 130, changed: 130, cursor: 'applications.' });
  expect(idsOf(entries())).toEqual(idsOf(stored()));
  expect(transactions().map(({ input }) => input.TransactItems.length)).toEqual([100, 100, 60]);
  const queries = memory.sdk.requests.filter(({ command }) => command === 'QueryCommand');
  expect(queries.slice(1).map(({ input }) => input.Limit)).toEqual([100, 100]);
});

test.each(['', 'others.', 'constructor.', 'users.AAAA'])('a cursor such as "%s" is refused', async (cursor) => {
  await expect(reindexChanges({ limit: 10, cursor })).rejects.toMatchObject({ code: 'invalid_request' });
});
