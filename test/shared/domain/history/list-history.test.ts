import { beforeEach, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import {
  listApplicationChanges,
  listApplicationChangesAfter,
  listUserChanges,
} from '#shared/domain/history/list-history.ts';
import { callerNames, isCalledBy } from '#shared/table/items/caller-names.ts';
import { pagesOf } from '../../../support/pages-of.ts';
import { type GivenChange, putStoredChange } from '../../../support/stored-changes.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, userItem } from '../../../support/table-items.ts';

const [billing, wiki, ada] = ['billing' as AppId, 'wiki' as AppId, 'ada' as UserId];
const at = (second: number) => `2026-11-20T19:00:0${second}.00${second}Z`;
const given: readonly GivenChange[] = [
  { action: 'user.status.changed', at: at(0), userId: 'bob' },
  { action: 'user.deleted', at: at(1), userId: ada, after: null },
  { action: 'application.created', at: at(2), appId: billing },
  { action: 'user.created', at: at(3), userId: ada, isRecreated: true },
  { action: 'access.changed', at: at(4), userId: ada, appId: billing },
  { action: 'access.changed', at: at(5), userId: ada, appId: wiki },
  { action: 'user.updated', at: at(6), userId: ada },
  { action: 'user.status.changed', at: at(7), userId: ada },
];

const memory = tableForEachTest(Date.parse(at(9)));
let changes: readonly Change[];
const numbersOf = (items: readonly Change[]) => items.map(({ id }) => changes.findIndex((one) => one.id === id));
const queries = () => memory.sdk.requests.filter(({ command }) => command === 'QueryCommand').length;
beforeEach(() => {
  changes = given.map((one) => putStoredChange(memory, one));
  memory.put(userItem({ createdAt: at(2) }), applicationItem({ createdAt: at(2) }));
});

test.each<[string, { appId?: AppId; limitedTo?: AppId[] }, readonly number[]]>([
  ['everything', {}, [7, 6, 5, 4, 3]],
  ['one application', { appId: billing }, [4]],
  ['some applications and of the user', { limitedTo: [wiki] }, [7, 6, 5, 3]],
  ['no application but of the user', { limitedTo: [] }, [7, 6, 3]],
])(
  'the history of a user has the changes of %s, without the erasure of an earlier one',
  async (_, filter, expected) => {
    const list = (limit: number, cursor?: string) => listUserChanges({ userId: ada, ...filter, limit, cursor });
    const all = await list(100);
    expect([numbersOf(all.items), all.cursor]).toEqual([expected, null]);
    const pages = await pagesOf((cursor) => list(2, cursor));
    expect(numbersOf(pages.flatMap(({ items }) => items))).toEqual(expected);
  },
);

test('the history of an unknown user or application is not found', async () => {
  const nobody = listUserChanges({ userId: 'nobody' as UserId, limit: 1 });
  await expect(nobody).rejects.toMatchObject({ code: 'user_not_found' });
  await expect(listApplicationChanges({ appId: wiki, limit: 1 })).rejects.toMatchObject({
    code: 'application_not_found',
  });
});

test('a cursor of one application of a user is invalid for another', async () => {
  const { cursor } = await listUserChanges({ userId: ada, limit: 2 });
  const other = listUserChanges({ userId: ada, appId: billing, limit: 2, cursor: cursor ?? '' });
  await expect(other).rejects.toMatchObject({ code: 'invalid_request' });
});

test('the history of an application includes global changes of users since it was created, backward and forward', async () => {
  const back = await listApplicationChanges({ appId: billing, limit: 100 });
  expect([numbersOf(back.items), back.cursor]).toEqual([[7, 4, 3, 2], null]);
  const forward = await listApplicationChangesAfter({ appId: billing, limit: 100 });
  expect(numbersOf(forward.items)).toEqual([2, 3, 4, 7]);
  for (const [list, expected] of [
    [listApplicationChanges, [7, 4, 3, 2]],
    [listApplicationChangesAfter, [2, 3, 4, 7]],
  ] as const) {
    const pages = await pagesOf(async (cursor) => {
      const page = await list({ appId: billing, limit: 1, cursor });
      return page.items.length === 0 ? { items: [], cursor: null } : page;
    });
    expect(numbersOf(pages.flatMap(({ items }) => items))).toEqual(expected);
  }
});

test('forward, there is a cursor even at the end, but `null` without changes', async () => {
  const end = await listApplicationChangesAfter({ appId: billing, limit: 100 });
  const later = await listApplicationChangesAfter({ appId: billing, limit: 100, cursor: end.cursor ?? '' });
  expect(later).toEqual({ items: [], cursor: end.cursor });
  memory.put(applicationItem({ appId: 'new', createdAt: at(9) }));
  expect(await listApplicationChangesAfter({ appId: 'new' as AppId, limit: 100 })).toEqual({ items: [], cursor: null });
  const wrong = listApplicationChangesAfter({ appId: billing, limit: 1, cursor: 'AAAA' });
  await expect(wrong).rejects.toMatchObject({ options: { field: { name: 'after' } } });
});

test('changes of users before the creation of an application are not requested', async () => {
  memory.put(applicationItem({ createdAt: at(5) }));
  const first = await listApplicationChanges({ appId: billing, limit: 2 });
  expect(numbersOf(first.items)).toEqual([7, 4]);
  memory.sdk.requests.length = 0;
  const rest = await listApplicationChanges({ appId: billing, limit: 2, cursor: first.cursor ?? '' });
  expect([numbersOf(rest.items), queries()]).toEqual([[2], 1]);
});

test('an operator is found by the id, the address and the end of an ARN, a key by its id and application', () => {
  const arn = 'arn:aws:sts::111122223333:assumed-role/Support/Eve@example.com';
  expect(callerNames({ kind: 'operator', via: 'iam', role: 'admin', id: arn })).toEqual([
    arn.toLowerCase(),
    'eve@example.com',
  ]);
  expect(callerNames({ kind: 'operator', via: 'token', role: 'viewer', id: 'arn:x/Eve' })).toEqual(['arn:x/eve']);
  expect(callerNames({ kind: 'operator', via: 'iam', role: 'viewer', id: 'a/Eve' })).toEqual(['a/eve']);
  expect(callerNames({ kind: 'operator', via: 'token', role: 'viewer', id: 'Sub', email: 'Eve@x.com' })).toEqual([
    'sub',
    'eve@x.com',
    'eve',
  ]);
  const key = { kind: 'api-key', appId: 'billing', keyId: 'svk_k1_billing_01' } as const;
  expect(callerNames(key)).toEqual(['svk_k1_billing_01', 'billing']);
});

test('ids of operators are case-sensitive, all other names are not', () => {
  const caller = { kind: 'operator', via: 'token', role: 'viewer', id: 'Sub', email: 'Eve@x.com' } as const;
  expect(['Sub', 'sub', 'EVE@X.COM', 'eVe', 'other'].map((name) => isCalledBy(caller, name))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  const key = { kind: 'api-key', appId: 'billing', keyId: 'svk_k1_billing_0A' } as const;
  expect(['svk_k1_billing_0a', 'Billing', 'eve'].map((name) => isCalledBy(key, name))).toEqual([true, true, false]);
});
