import { expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { type KeyFilter, listAllKeys } from '#shared/domain/api-key/list-all-keys.ts';
import { formatKeyId } from '#shared/keys/key-id.ts';
import type { KeyState } from '#shared/table/items/key-state.ts';
import { pagesOf } from '../../../support/pages-of.ts';
import { storedKey } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, keyUseItem } from '../../../support/table-items.ts';

const start = new Date('2026-11-20T19:00:00.000Z');
const day = 86_400;
const idOf = (appId: string, n: number, root = 'k1') =>
  formatKeyId({ rootVersion: root, appId: appId as AppId, ulid: `01JCZ5T00000000000000000${10 + n}` });

const memory = tableForEachTest(start);
const putApplication = (appId: string, keys: Readonly<Record<string, KeyState>> = {}) =>
  memory.put(applicationItem({ appId, name: appId.toUpperCase(), keys }));
/** Creates keys of the same state, numbered 0, 1, … */
const keysOf = (appId: string, count: number, also: Partial<KeyState> = {}) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [idOf(appId, n), storedKey(also)]));

interface Asked {
  readonly filter?: KeyFilter;
  readonly limitedTo?: readonly string[];
}
const list = async (limit: number, { filter = {}, limitedTo }: Asked = {}, cursor?: string) => {
  memory.sdk.requests.length = 0;
  const page = await listAllKeys({ limit, cursor, filter, limitedTo: limitedTo as AppId[] | undefined });
  return { ids: page.items.map(({ keyId }) => keyId), cursor: page.cursor, requests: memory.sdk.requests.length };
};
/** Reads all pages, one after the other. */
const pages = (limit: number, asked: Asked = {}) => pagesOf((cursor) => list(limit, asked, cursor));

test('the keys of all applications are listed by application, newest first, in pages of any size', async () => {
  putApplication('wiki', keysOf('wiki', 1));
  putApplication('crm');
  // From several roots, unordered.
  const [first, second, third] = [idOf('billing', 0), idOf('billing', 1, 'k2'), idOf('billing', 2)];
  const fourth = idOf('billing', 3);
  putApplication('billing', Object.fromEntries([third, first, fourth, second].map((keyId) => [keyId, storedKey()])));
  const all = [fourth, third, second, first, idOf('wiki', 0)];
  for (const limit of [1, 2, 3, 4, 5, 6]) {
    const found = await pages(limit);
    expect(found.flatMap(({ ids }) => ids)).toEqual(all);
    expect(found.map(({ ids }) => ids.length <= limit)).not.toContain(false);
  }
  expect(await list(5)).toMatchObject({ ids: all, cursor: null });
  expect(await list(4)).toMatchObject({ ids: all.slice(0, 4), cursor: expect.any(String) });
});

test('each key has the name of its application and the day of its last use', async () => {
  putApplication('billing', keysOf('billing', 2));
  memory.put(keyUseItem('billing', idOf('billing', 0), '2026-11-19'));
  const { items } = await listAllKeys({ limit: 10, cursor: undefined, filter: {} });
  const shown = { appId: 'billing', applicationName: 'BILLING', scopes: ['access:read'], revokedAt: null };
  expect(items).toEqual([
    expect.objectContaining({ ...shown, keyId: idOf('billing', 1), lastUsedOn: null }),
    expect.objectContaining({ ...shown, keyId: idOf('billing', 0), lastUsedOn: '2026-11-19' }),
  ]);
});

test('filters by state, expiry and use select the keys that match all of them', async () => {
  const after = (seconds: number) => new Date(start.getTime() + seconds * 1000).toISOString();
  const keys = {
    idle: storedKey(),
    used: storedKey({ expiresAt: after(31 * day) }),
    young: storedKey({ createdAt: after(-29 * day), expiresAt: after(30 * day) }),
    revoked: storedKey({ revokedAt: after(-1), expiresAt: after(day) }),
    expired: storedKey({ expiresAt: after(0) }),
  };
  const names = Object.keys(keys);
  putApplication('a', Object.fromEntries(Object.values(keys).map((state, n) => [idOf('a', n), state])));
  memory.put(keyUseItem('a', idOf('a', 1), '2026-11-19'));
  const fitting = async (filter: KeyFilter) => {
    const { ids } = await list(10, { filter });
    return names.filter((_, n) => ids.includes(idOf('a', n)));
  };
  expect(await fitting({})).toEqual(names);
  expect(await fitting({ state: 'active' })).toEqual(['idle', 'used', 'young']);
  expect(await fitting({ state: 'ended' })).toEqual(['revoked', 'expired']);
  expect(await fitting({ endsWithin: 30 * day })).toEqual(['young']);
  expect(await fitting({ endsWithin: 31 * day })).toEqual(['used', 'young']);
  expect(await fitting({ unusedFor: 30 * day })).toEqual(['idle', 'revoked', 'expired']);
  expect(await fitting({ state: 'active', unusedFor: 30 * day })).toEqual(['idle']);
  expect(await fitting({ state: 'ended', endsWithin: 30 * day })).toEqual([]);
});

test('an operator limited to some applications sees only their keys', async () => {
  for (const appId of ['billing', 'crm', 'wiki']) putApplication(appId, keysOf(appId, 2));
  const limitedTo = ['billing', 'gone', 'wiki'];
  const all = ['billing', 'wiki'].flatMap((appId) => [idOf(appId, 1), idOf(appId, 0)]);
  for (const limit of [1, 3, 10]) {
    expect((await pages(limit, { limitedTo })).flatMap(({ ids }) => ids)).toEqual(all);
  }
});

test('a cursor is valid only for its filter', async () => {
  putApplication('billing', keysOf('billing', 3));
  const { cursor } = await list(1, { filter: { state: 'active' } });
  const next = { filter: { state: 'active' } } as const;
  expect((await list(1, next, cursor ?? '')).ids).toEqual([idOf('billing', 1)]);
  for (const filter of [
    {},
    { state: 'ended' },
    { state: 'active', endsWithin: 1 },
    { state: 'active', unusedFor: 1 },
  ] as const) {
    await expect(list(1, { filter }, cursor ?? '')).rejects.toMatchObject({ code: 'invalid_request' });
  }
});

test('a page reads a page of applications and the last uses of the keys that it shows', async () => {
  for (const appId of ['billing', 'crm']) putApplication(appId, keysOf(appId, 5));
  const uses = () => memory.sdk.requests.flatMap(({ input }) => Object.values<{ Keys: [] }>(input.RequestItems ?? {}));
  for (const limit of [3, 10]) {
    expect((await list(limit)).requests).toBe(2);
    expect(uses().map(({ Keys }) => Keys.length)).toEqual([limit]);
  }
  memory.put(keyUseItem('billing', idOf('billing', 4), '2026-11-20'));
  const idle = await list(3, { filter: { unusedFor: day } });
  expect(idle).toMatchObject({ ids: [3, 2, 1].map((n) => idOf('billing', n)), requests: 2 });
});

test('the list ends after the last application, even if none of its keys is shown', async () => {
  putApplication('billing', keysOf('billing', 2));
  putApplication('wiki', keysOf('wiki', 2, { revokedAt: start.toISOString() }));
  expect(await list(10, { filter: { state: 'active' } })).toMatchObject({ cursor: null, requests: 2 });
  expect(await list(10, { filter: { endsWithin: day } })).toEqual({ ids: [], cursor: null, requests: 1 });
});

test('one call sends at most twenty requests, regardless of the number of applications without keys', async () => {
  const nameOf = (n: number) => `app-${String(n).padStart(4, '0')}`;
  for (let n = 0; n < 2050; n++) putApplication(nameOf(n));
  putApplication('last', keysOf('last', 2));
  const found = await pages(10);
  expect(found.map(({ ids, requests }) => [ids.length, requests])).toEqual([
    [0, 20],
    [2, 2],
  ]);
});

test('one call sends at most twenty requests, regardless of the number of used keys, and the next continues there', async () => {
  const nameOf = (n: number) => `app-${String(n).padStart(4, '0')}`;
  for (let n = 0; n < 200; n++) putApplication(nameOf(n), keysOf(nameOf(n), 10, { createdAt: start.toISOString() }));
  putApplication('last', keysOf('last', 2));
  const found = await pages(10, { filter: { unusedFor: day } });
  // Eleven from the first page of applications, nine from the second, then the rest of the second, and the third.
  expect(found.map(({ ids, requests }) => [ids.length, requests])).toEqual([
    [0, 20],
    [2, 5],
  ]);
});
