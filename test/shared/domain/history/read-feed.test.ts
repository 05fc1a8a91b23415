import { beforeEach, expect, jest, test } from '@jest/globals';
import type { ChangeAction } from '#shared/contract/change.ts';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { listChanges } from '#shared/domain/history/read-feed.ts';
import { putStoredChange } from '../../../support/stored-changes.ts';
import { operatorContext as operator, storedKey } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem } from '../../../support/table-items.ts';

const appId = 'billing' as AppId;
const start = Date.parse('2026-11-20T19:00:00.000Z');
const day = 86_400;

const memory = tableForEachTest(start);
/** Puts a change of this many seconds before the start. */
const put = (secondsAgo: number, action: ChangeAction = 'access.changed', of: object = { appId }) =>
  putStoredChange(memory, { action, at: new Date(start - secondsAgo * 1000).toISOString(), userId: 'ada', ...of });
const wait = (seconds: number) => jest.setSystemTime(Date.now() + seconds * 1000);
const queries = () => memory.sdk.requests.filter(({ command }) => command === 'QueryCommand').map(({ input }) => input);
const list = (after?: string, { limit = 100, actions }: { limit?: number; actions?: readonly ChangeAction[] } = {}) => {
  memory.sdk.requests.length = 0;
  return listChanges({ appId, limit, after, actions }, operator);
};
const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id);

beforeEach(() => {
  memory.put(applicationItem({ keys: { a: storedKey({ scopes: ['roles:write'] }) } }));
});

test('the feed has the changes of the application and global changes of users, oldest first, without operators', async () => {
  const ids = [
    put(500),
    put(400, 'user.status.changed', {}),
    putStoredChange(memory, { action: 'application.updated', at: new Date(start - 300_000).toISOString(), appId }),
  ].map(({ id }) => id);
  put(200, 'user.updated', {});
  put(100, 'access.changed', { appId: 'wiki' });
  const page = await list();
  expect(idsOf(page)).toEqual(ids);
  expect(JSON.stringify(page.items)).not.toMatch(/eve|192\.0\.2\.7/);
});

test('a change is repeated until it is older than 15 s', async () => {
  const [old, young] = [put(16), put(13)];
  const first = await list();
  expect(idsOf(first)).toEqual([old.id, young.id]);
  expect(idsOf(await list(first.cursor))).toEqual([]);
  wait(1);
  const second = await list(first.cursor);
  expect(idsOf(second)).toEqual([young.id]);
  wait(1);
  const third = await list(second.cursor);
  expect(idsOf(third)).toEqual([young.id]);
  wait(1);
  expect(idsOf(await list(third.cursor))).toEqual([]);
});

test('a change that becomes visible after a later one is not missed', async () => {
  const later = put(5);
  const first = await list();
  expect(idsOf(first)).toEqual([later.id]);
  const earlier = put(6);
  wait(1);
  expect(idsOf(await list(first.cursor))).toEqual([earlier.id, later.id]);
});

test('pages continue where the last one ended, even within a pass over recent changes', async () => {
  const ids = [60, 50, 8, 7, 6].map((secondsAgo) => put(secondsAgo).id);
  const first = await list(undefined, { limit: 2 });
  const second = await list(first.cursor, { limit: 2 });
  // A pass that has not reached the end continues after more than a second.
  wait(14);
  const third = await list(second.cursor, { limit: 2 });
  expect([first, second, third].map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  wait(1);
  const again = await list(third.cursor);
  expect(idsOf(again)).toEqual(ids.slice(2));
  wait(1);
  expect(idsOf(await list(again.cursor))).toEqual([]);
});

test('without a cursor the feed begins with changes that are kept for at least another hour', async () => {
  put(30 * day - 3600 + 1);
  const kept = put(30 * day - 3600 - 1);
  expect(idsOf(await list())).toEqual([kept.id]);
});

test('a cursor older than the retention has expired, and the error says how to continue', async () => {
  const { cursor } = await list();
  // The cursor is after everything that was settled at the start.
  wait(30 * day - 15);
  expect(idsOf(await list(cursor))).toEqual([]);
  wait(0.001);
  await expect(list(cursor)).rejects.toMatchObject({
    code: 'cursor_expired',
    options: {
      detail: 'Changes are kept for 30 days. Read the snapshot, then continue with its changesCursor.',
    },
  });
});

test('only the requested actions are returned, with queries only for ranges that can contain them', async () => {
  const [access, , role] = [
    put(500),
    put(400, 'user.status.changed', {}),
    put(300, 'role.assigned', { appId, role: 'x' }),
  ];
  expect(idsOf(await list(undefined, { actions: ['access.changed', 'role.assigned'] }))).toEqual([access.id, role.id]);
  expect(queries()).toHaveLength(1);
  const all = await list(undefined, { actions: ['role.assigned', 'user.status.changed'] });
  expect(all.items.map(({ action }) => action)).toEqual(['user.status.changed', 'role.assigned']);
  expect(queries()).toHaveLength(2);
  await list(undefined, { limit: 7 });
  expect(queries().map(({ Limit }) => Limit)).toEqual([7, 7]);
  await list(undefined, { limit: 7, actions: ['role.assigned'] });
  expect(queries().map(({ Limit }) => Limit)).toEqual([100]);
});

test('a page searches for few among many with at most ten queries, and the next continues there', async () => {
  for (let n = 0; n < 1050; n++) put(5000 - n);
  const role = put(100, 'role.assigned', { appId, role: 'x' });
  const first = await list(undefined, { actions: ['role.assigned'] });
  expect([idsOf(first), queries().length]).toEqual([[], 10]);
  const second = await list(first.cursor, { actions: ['role.assigned'] });
  expect([idsOf(second), queries().length]).toEqual([[role.id], 1]);
});

test('a revoked key, or one without the scope, reads nothing', async () => {
  const by = (keyId: string) =>
    listChanges(
      { appId, limit: 10 },
      {
        ...{ requestId: 'r', sourceIp: '192.0.2.7', requiredScope: 'access:read' },
        caller: { kind: 'api-key', appId, keyId: keyId as KeyId },
      },
    );
  memory.sdk.requests.length = 0;
  await expect(by('a')).rejects.toMatchObject({ code: 'scope_missing' });
  await expect(by('gone')).rejects.toMatchObject({ code: 'key_revoked' });
  expect(queries()).toEqual([]);
});
