import { beforeEach, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, BulkId, UserId } from '#shared/contract/fields.ts';
import { lowestUlid } from '#shared/core/ids.ts';
import { type ChangeFilter, listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { pagesOf } from '../../../support/pages-of.ts';
import { type GivenChange, putStoredChange } from '../../../support/stored-changes.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const [billing, wiki, ada] = ['billing' as AppId, 'wiki' as AppId, 'ada' as UserId];
const mail = {
  kind: 'operator',
  via: 'token',
  issuer: 'https://login.example.com',
  id: 'sub-1',
  email: 'Max@Example.com',
};
const key = { kind: 'api-key', appId: billing, keyId: 'svk_k1_billing_01JCZ5T0000000000000000001' };
const at = (second: number) => `2026-11-20T19:00:0${second}.00${second}Z`;

/** The oldest first. */
const given: readonly GivenChange[] = [
  { action: 'user.created', at: at(0), userId: ada },
  { action: 'access.changed', at: at(1), userId: ada, appId: billing },
  { action: 'role.assigned', at: at(2), userId: 'bob', appId: billing, caller: key as Change['caller'] },
  { action: 'access.changed', at: at(3), userId: ada, appId: wiki, caller: mail as Change['caller'] },
  { action: 'user.status.changed', at: at(4), userId: ada },
  { action: 'user.updated', at: at(5), userId: 'bob' },
  { action: 'key.issued', at: at(6), appId: wiki, keyId: 'svk_k1_wiki_01JCZ5T0000000000000000001' },
  { action: 'user.deleted', at: at(7), userId: 'carl', after: null },
];

/** A bulk of the third second, by a clock that is a second ahead. */
const bulkId = lowestUlid(new Date(at(4))) as BulkId;
const inBulk: readonly GivenChange[] = [
  { action: 'access.changed', at: '2026-11-20T18:00:00.000Z', userId: ada, appId: billing, bulkId },
  { action: 'access.changed', at: '2026-11-20T19:00:03.500Z', userId: ada, appId: billing, bulkId },
  { action: 'access.changed', at: '2026-11-27T19:00:00.000Z', userId: ada, appId: billing, bulkId, undoOf: 'x' },
];

const memory = tableForEachTest(Date.parse(at(9)));
let changes: readonly Change[];
/** Returns the numbers of the changes of a page, and its cursor. */
const page = async (filter: ChangeFilter, limit = 100, cursor?: string) => {
  const found = await listAllChanges({ ...filter, limit, cursor });
  return { numbers: found.items.map(({ id }) => changes.findIndex((one) => one.id === id)), cursor: found.cursor };
};
const queries = () => memory.sdk.requests.filter(({ command }) => command === 'QueryCommand');

beforeEach(() => {
  changes = given.map((one) => putStoredChange(memory, one));
});

test.each<[string, ChangeFilter, readonly number[]]>([
  ['everything', {}, [7, 6, 5, 4, 3, 2, 1, 0]],
  ['some actions', { actions: ['access.changed', 'user.updated'] }, [5, 3, 1]],
  ['an operator by the id', { actor: 'eve' }, [7, 6, 5, 4, 1, 0]],
  ['an operator by the e-mail address', { actor: 'max@example.com' }, [3]],
  ['an operator by the name before the @', { actor: 'MAX' }, [3]],
  ['a key', { actor: key.keyId }, [2]],
  ['nobody', { actor: 'somebody' }, []],
  ['an application, including changes of users in all', { appId: billing }, [7, 4, 2, 1]],
  ['an application and actions', { appId: billing, actions: ['role.assigned'] }, [2]],
  ['an application and an operator', { appId: billing, actor: 'eve' }, [7, 4, 1]],
  ['a user', { userId: ada }, [4, 3, 1, 0]],
  ['a user who was erased', { userId: 'carl' as UserId }, [7]],
  ['a user in an application', { userId: ada, appId: wiki }, [4, 3, 0]],
  ['a user and actions', { userId: ada, actions: ['access.changed'] }, [3, 1]],
  ['some applications, including changes of users', { limitedTo: [wiki] }, [7, 6, 5, 4, 3, 0]],
  ['any of several applications', { limitedTo: [billing, wiki] }, [7, 6, 5, 4, 3, 2, 1, 0]],
  ['a user, limited to some applications', { userId: ada, limitedTo: [billing] }, [4, 1, 0]],
  ['an application that is one of those', { appId: billing, limitedTo: [billing] }, [7, 4, 2, 1]],
  ['a time range, with inclusive start and exclusive end', { since: at(2), until: at(5) }, [4, 3, 2]],
  ['a time range of a user', { userId: ada, since: at(1), until: at(4) }, [3, 1]],
  ['a time range of an application', { appId: billing, since: at(2), until: at(7) }, [4, 2]],
])('the global history has the changes of %s, newest first, in pages of any size', async (_, filter, expected) => {
  for (const limit of [1, 2, 3, 100]) {
    const pages = await pagesOf((cursor) => page(filter, limit, cursor));
    expect(pages.flatMap((found) => found.numbers)).toEqual(expected);
    expect(Math.max(...pages.map((found) => found.numbers.length))).toBeLessThanOrEqual(limit);
  }
});

test.each<[string, ChangeFilter]>([
  ['globally', {}],
  ['in an application', { appId: billing }],
  ['of a user', { userId: ada }],
  ['with an action', { actions: ['access.changed'] }],
])(
  'the changes of a bulk are those from five minutes before the time in its id, and their undo, %s',
  async (_, filter) => {
    changes = [...changes, ...inBulk.map((one) => putStoredChange(memory, one))];
    const pages = await pagesOf((cursor) => page({ ...filter, bulkId }, 1, cursor));
    expect(pages.flatMap(({ numbers }) => numbers)).toEqual([given.length + 2, given.length + 1]);
    expect((await page({ ...filter, bulkId, since: at(5) })).numbers).toEqual([given.length + 2]);
    expect((await page({ ...filter, bulkId, since: at(0), until: at(5) })).numbers).toEqual([given.length + 1]);
  },
);

test('each change is complete, as stored', async () => {
  const { items } = await listAllChanges({ limit: 100 });
  expect(items).toEqual([...changes].reverse());
});

test('an empty or reversed time range is refused', async () => {
  for (const until of [at(2), at(1)]) {
    const field = { name: 'until', detail: 'must be after since' };
    await expect(page({ since: at(2), until })).rejects.toMatchObject({ options: { field } });
  }
});

test('an application that the operator may not see has no changes, without a read', async () => {
  memory.sdk.requests.length = 0;
  expect(await page({ appId: billing, limitedTo: [wiki] })).toEqual({ numbers: [], cursor: null });
  expect(memory.sdk.requests).toEqual([]);
});

test('a cursor is valid in another time range, but not in a list of other changes', async () => {
  const { cursor } = await page({}, 3);
  expect((await page({ since: at(2) }, 100, cursor ?? '')).numbers).toEqual([4, 3, 2]);
  const others: ChangeFilter[] = [
    { actions: ['access.changed'] },
    { actor: 'eve' },
    { appId: billing },
    { userId: ada },
    { bulkId },
    { limitedTo: [wiki] },
  ];
  for (const filter of others) {
    await expect(page(filter, 3, cursor ?? '')).rejects.toMatchObject({ code: 'invalid_request' });
    const own = await page(filter, 1);
    await expect(page({}, 3, own.cursor ?? '')).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

test('a selective filter reads a thousand changes at a time, any other list as many as it shows, and a sixteenth of four times as many of each list of the global history', async () => {
  const looked = async (filter: ChangeFilter) => {
    memory.sdk.requests.length = 0;
    await page(filter, 5);
    return new Set(queries().map(({ input }) => input.Limit));
  };
  expect(await looked({})).toEqual(new Set([2]));
  for (const filter of [{ appId: billing }, { userId: ada }]) expect(await looked(filter)).toEqual(new Set([6]));
  const filtered: ChangeFilter[] = [
    { actions: ['access.changed'] },
    { actor: 'eve' },
    { bulkId },
    { limitedTo: [wiki] },
  ];
  for (const filter of filtered) expect(await looked(filter)).toEqual(new Set([250]));
  expect(await looked({ userId: ada, appId: billing })).toEqual(new Set([1000]));
});

test('the table itself filters out other actions, and other callers where possible', async () => {
  const left = async (filter: ChangeFilter) => {
    memory.sdk.requests.length = 0;
    await page(filter);
    return new Set(queries().map(({ input }) => input.FilterExpression));
  };
  const actions = ['access.changed', 'key.issued'] as const;
  for (const filter of [{ actions }, { actions, appId: billing }, { actions, userId: ada }]) {
    expect(await left(filter)).toEqual(new Set(['#among IN (:among0, :among1)']));
  }
  expect(await left({ actor: 'eve' })).toEqual(new Set(['contains(#text, :text0)']));
  expect(await left({})).toEqual(new Set([undefined]));
});

test('the global history has sixteen lists, that of a user two, and that of an application two', async () => {
  const asked = async (filter: ChangeFilter) => {
    memory.sdk.requests.length = 0;
    await page(filter);
    return [queries().length, memory.sdk.requests.length];
  };
  expect(await asked({})).toEqual([16, 16]);
  expect(await asked({ userId: ada })).toEqual([2, 2]);
  expect(await asked({ appId: billing })).toEqual([2, 2]);
});
