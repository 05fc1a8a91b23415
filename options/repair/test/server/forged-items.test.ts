import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { createUlid, lowestUlid } from '#shared/core/ids.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { listChanges } from '#shared/domain/history/changes-by-number.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { listAllChanges } from '#shared/domain/history/list-all-changes.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import {
  changeIndexKey,
  historyIndexKey,
  userChangeIndexKey,
  userChangeKey,
} from '#shared/table/keys/change-item-keys.ts';
import { pendingKey } from '#shared/table/keys/feed-item-keys.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { repairTable } from '../../server/repair-table.ts';

/*
 * What somebody who can write to the table, but has no key of the service, puts there: nothing is repaired from it, raised to it
 * or handed out as the service's, and nobody else is stopped by it.
 */

const [ada, bob] = ['ada', 'bob'] as UserId[] as [UserId, UserId];
const [wiki, billing] = ['wiki', 'billing'] as AppId[] as [AppId, AppId];
const role = 'editor' as RoleName;
const future = '7ZZZZZZZZZZZZZZZZZZZZZZZZY';
const mac = 'AAAAAAAAAAAAAAAAAAAAAA';

const memory = tableForEachTest();
type Stored = Record<string, unknown> & { readonly pk: string; readonly sk: string };
const items = () => memory.table.items() as Stored[];
const accessOf = (userId: UserId) => memory.table.get({ pk: `USER#${userId}`, sk: `ACCESS#${wiki}` });
const userOf = (userId: UserId) => memory.table.get({ pk: `USER#${userId}`, sk: 'USER' });
const changesOf = (userId: UserId) =>
  items().filter(({ pk, sk }) => pk === `USER#${userId}` && sk.startsWith('CHANGE#')) as (Stored & { id: string })[];

const set = (status: 'enabled' | 'disabled', userId = ada, appId = wiki) =>
  setAccess({ userId, appId, setting: { status, reason: null, until: null } }, context);
const follow = () => listChanges({ appId: wiki, limit: 100 }, context);
const feed = async () => (await follow()).items;
const history = () => listAllChanges({ limit: 100 });

async function repair(): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const [page] = await Promise.all([repairTable({ limit: 100, cursor }, context), jest.runAllTimersAsync()]);
    found.push(...page.findings.map(({ kind, changeId }) => (changeId === undefined ? kind : `${kind} ${changeId}`)));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** A change in the table that the service did not write, with everything by which one is found. */
function forge(id: string, given: object = {}) {
  const item = {
    ...userChangeKey(ada, id),
    ...changeIndexKey(wiki, id),
    ...historyIndexKey(id),
    id,
    at: '2026-11-20T19:00:00.000Z',
    action: 'access.changed',
    userId: ada,
    appId: wiki,
    caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'mallory' },
    requestId: 'r',
    sourceIp: '192.0.2.9',
    before: { status: 'disabled', explicit: true, until: null, reason: null, version: 1 },
    after: { status: 'enabled', explicit: true, until: null, reason: null, version: 2 },
    reason: null,
    integrity: { root: 'h1', previous: null, salt: 'S', mac },
    ...given,
  };
  memory.put(item);
  return item;
}

const nextId = () => createUlid(new Date(Date.now() + 1000));

beforeEach(async () => {
  for (const appId of [wiki, billing]) await createApplication({ appId, name: appId }, context);
  for (const userId of [ada, bob]) await createUser({ userId, displayName: null, email: null }, context);
  await defineRole({ appId: wiki, role, description: null }, context);
  await set('disabled');
});

describe('a change with a wrong MAC', () => {
  test('is named, and neither applied, nor fed, nor what the user is raised to', async () => {
    const { id } = forge(nextId());
    const before = items();
    expect(await repair()).toEqual([`change-forged ${id}`]);
    expect(items()).toEqual(before);
    expect(accessOf(ada)).toMatchObject({ status: 'disabled' });
  });

  test.each<[string, object]>([
    [
      'of a role that is assigned',
      { action: 'role.assigned', role, after: { granted: true, expiresAt: null, version: 2 } },
    ],
    ['of a status', { action: 'user.status.changed', after: { status: 'active', version: 9 } }],
    ['of a name', { action: 'user.updated', after: { displayName: 'Root', email: null, version: 9 } }],
    ['of a creation', { action: 'user.created', before: null, after: { status: 'active', version: 1 } }],
    ['of an action that nobody knows', { action: 'user.promoted' }],
    ['without a state', { before: null, after: null }],
    ['with a MAC that is no text', { integrity: { root: 'h1', previous: null, salt: 'S', mac: 7 } }],
    ['without a MAC', { integrity: {} }],
    ['with a root that the service does not have', { integrity: { root: 'k9', previous: null, salt: 'S', mac } }],
    ['with a state that is no map', { after: 'enabled' }],
    ['with a nested state', { after: { status: { deep: true } } }],
    ['with a caller that is no map', { caller: 'mallory' }],
    ['with a time that is none', { at: 'tomorrow' }],
    ['without an action', { action: undefined }],
    ['without an id', { id: undefined }],
  ])('%s changes nothing, and the history and the feed go on', async (_, given) => {
    const id = nextId();
    forge(id, given);
    const before = items();
    expect(await repair()).toEqual([`change-forged ${id}`]);
    expect(items()).toEqual(before);
    memory.put({ ...pendingKey(wiki, { id, userId: ada }), id, userId: ada, action: 'access.changed' });
    expect((await feed()).filter((change) => change.id === id && change.signature !== undefined)).toEqual([]);
    expect((await feed()).map(({ action }) => action)).toContain('access.changed');
    expect((await history()).items.map(({ action }) => action)).toContain('application.created');
  });

  test('is not undone: that would set what it says was before', async () => {
    const { id } = forge(nextId(), {
      before: { status: 'enabled', explicit: true, until: null, reason: null, version: 0 },
    });
    const heldRoles = [{ role: 'admin' as const, appId: null }];
    await expect(undoChange({ userId: ada, changeId: id, heldRoles }, context)).rejects.toMatchObject({
      code: 'not_undoable',
    });
    expect(accessOf(ada)).toMatchObject({ status: 'disabled', version: 1 });
  });

  test('that was genuine is not replaced by a record of what the item says now', async () => {
    const [change] = changesOf(ada).filter(({ action }) => action === 'access.changed');
    memory.put({ ...change, after: { ...Object(change?.after), status: 'enabled' } });
    const before = items();
    expect(await repair()).toEqual([`change-forged ${change?.id}`]);
    expect(items()).toEqual(before);
  });
});

describe('a genuine change in a place that is not its own', () => {
  test('of another user is named, and gives nobody anything', async () => {
    await set('enabled', bob);
    const [change] = changesOf(bob).filter(({ action }) => action === 'access.changed');
    const id = String(change?.id);
    memory.put({ ...change, pk: `USER#${ada}` });
    expect(await repair()).toContain(`change-forged ${id}`);
    expect(accessOf(ada)).toMatchObject({ status: 'disabled', version: 1 });
    expect(userOf(ada)?.lastChangeId).not.toBe(id);
  });

  test('of another application is neither listed nor handed out', async () => {
    await set('enabled', ada, billing);
    const [change] = changesOf(ada).filter(({ appId }) => appId === billing);
    const id = String(change?.id);
    memory.put({ ...change, ...changeIndexKey(wiki, id) });
    memory.put({ ...pendingKey(wiki, { id, userId: ada }), id, userId: ada, action: 'access.changed' });
    expect((await feed()).map((one) => one.id)).not.toContain(id);
    expect(await repair()).toContain(`pending ${id}`);
    expect(items().filter(({ pk, sk }) => pk === 'FEED#wiki' && sk.endsWith(id))).toEqual([]);
  });

  test('of an application, listed as one of all users, is not handed out', async () => {
    const [change] = changesOf(ada).filter(({ appId }) => appId === wiki);
    const id = String(change?.id);
    memory.put({ ...change, ...userChangeIndexKey(id) });
    memory.put({ ...pendingKey('USERS', { id, userId: ada }), id, userId: ada, action: 'access.changed' });
    expect((await listChanges({ appId: billing, limit: 100 }, context)).items.map((one) => one.id)).not.toContain(id);
    await repair();
    expect(items().filter(({ pk, sk }) => pk === 'FEED#USERS' && sk.endsWith(id))).toEqual([]);
  });
});

describe('an id that lies in the future', () => {
  test('of a forged change stops neither a change of the user nor a repair', async () => {
    forge(future);
    expect(await repair()).toEqual([`change-forged ${future}`]);
    await set('enabled');
    await setUserStatus({ userId: ada, status: 'inactive', reason: null }, context);
    await assignRole({ userId: ada, appId: wiki, grant: { role, expiresAt: null } }, context);
    expect(accessOf(ada)).toMatchObject({ status: 'enabled', version: 3 });
    expect(await repair()).toEqual([`change-forged ${future}`]);
  });

  test.each([future, lowestUlid(new Date('2106-01-01'))])(
    '%s in the user does not keep the user from changes',
    async (id) => {
      memory.put({ ...userOf(ada), lastChangeId: id });
      await set('enabled');
      expect(accessOf(ada)).toMatchObject({ status: 'enabled' });
      expect(String(userOf(ada)?.lastChangeId) < lowestUlid(new Date('2026-12-01'))).toBe(true);
    },
  );

  test('in the user is set back by a repair', async () => {
    const last = userOf(ada)?.lastChangeId;
    memory.put({ ...userOf(ada), lastChangeId: future });
    expect(await repair()).toContain(`change-order ${last}`);
    expect(userOf(ada)).toMatchObject({ lastChangeId: last });
    expect(await repair()).toEqual([]);
  });

  test.each(['access', 'user'])(
    'as the time of the last change of the %s does not keep it from changes',
    async (what) => {
      const item = what === 'access' ? accessOf(ada) : userOf(ada);
      memory.put({ ...item, updatedAt: '9999-12-31T23:59:59.999Z' });
      await set('enabled');
      await setUserStatus({ userId: ada, status: 'inactive', reason: null }, context);
      expect([accessOf(ada)?.status, userOf(ada)?.status]).toEqual(['enabled', 'inactive']);
    },
  );

  test('in three hundred forged changes does not hide those of the service', async () => {
    for (let n = 0; n < 320; n++) forge(`7ZZZZZZZZZZZZZZZZZZZZZZ${String(n).padStart(3, '0')}`);
    const findings = await repair();
    expect(findings.filter((finding) => !finding.startsWith('change-forged'))).toEqual([]);
    expect(accessOf(ada)).toMatchObject({ status: 'disabled', version: 1 });
  });
});

describe('an item of the feed that cannot be read', () => {
  const log = (number: number) => ({ pk: 'FEED#wiki', sk: `LOG#${String(number).padStart(12, '0')}` });

  test.each<[string, object]>([
    ['an empty block', { ...log(2) }],
    ['a block with a text for its number', { ...log(2), first: 'two', changes: [], keptUntil: 2_000_000_000 }],
    [
      'a block with another number than its key',
      { ...log(2), first: 9, changes: [{ id: future, action: 'x' }], keptUntil: 1 },
    ],
    [
      'a block of which an id lies in the future',
      { ...log(2), first: 2, changes: [{ id: future, action: 'x' }], keptUntil: 2e9 },
    ],
    ['a block of the last number that there is', { ...log(999_999_999_999), first: 999_999_999_999 }],
    ['a block whose key is no number', { pk: 'FEED#wiki', sk: 'LOG#~' }],
    ['a pending change without an id', { pk: 'FEED#wiki', sk: 'PENDING#0' }],
    [
      'a pending change with counts that are none',
      {
        ...pendingKey(wiki, { id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W' }),
        id: '01KB3ZC4N7Z3QF4V6E5T8S9R2W',
        action: 'x',
        counts: { users: 'many' },
      },
    ],
    ['a pending change of the future', { ...pendingKey(wiki, { id: future }), id: future, action: 'x' }],
    ['an end without a number', { pk: 'FEED#wiki', sk: 'LOG#END', upTo: 'all' }],
    ['an end beyond all numbers', { pk: 'FEED#wiki', sk: 'LOG#END', upTo: 1e15 }],
  ])('such as %s stops neither readers nor numbers, and is gone after a repair', async (_, item) => {
    await numberFeed(wiki);
    memory.put(item);
    await expect(follow()).resolves.toMatchObject({ more: false });
    await set('enabled');
    await numberFeed(wiki);
    const last = (await feed()).filter(({ action }) => action === 'access.changed').at(-1);
    expect(last).toMatchObject({ userId: ada, after: { status: 'enabled' } });
    await repair();
    expect((await repair()).filter((kind) => kind !== 'feed-altered')).toEqual([]);
    await set('disabled');
    await numberFeed(wiki);
    expect((await feed()).at(-1)).toMatchObject({ after: { status: 'disabled' } });
  });

  test('such as two hundred blocks does not hide the log behind them', async () => {
    await numberFeed(wiki);
    for (let n = 300; n < 500; n++) memory.put(log(n));
    await set('enabled');
    await numberFeed(wiki);
    expect((await feed()).at(-1)).toMatchObject({ after: { status: 'enabled' } });
  });
});

describe('a feed that was altered', () => {
  const blocks = () => items().filter(({ pk, sk }) => pk === 'FEED#wiki' && /^LOG#\d/.test(sk));

  test('by a number that is given twice is named, until it begins anew', async () => {
    await numberFeed(wiki);
    const [found] = blocks() as (Stored & { readonly first: number; readonly changes: unknown[] })[];
    const first = (found?.first ?? 0) + (found?.changes.length ?? 0);
    memory.put({ ...found, first, sk: `LOG#${String(first).padStart(12, '0')}` });
    expect(await repair()).toContain('feed-altered');
    const restartFeeds = '2026-11-20T18:00:00.000Z';
    await Promise.all([repairTable({ limit: 100, restartFeeds }, context), jest.runAllTimersAsync()]);
    expect(await repair()).not.toContain('feed-altered');
  });

  test('by a block that was removed from its middle is named, and its changes get a number again', async () => {
    await numberFeed(wiki);
    for (const status of ['enabled', 'disabled'] as const) {
      await set(status);
      await numberFeed(wiki);
    }
    const { pk, sk } = blocks()[1] ?? {};
    memory.table.writeAll([{ kind: 'Delete', input: { Key: { pk: String(pk), sk: String(sk) } } }]);
    const findings = await repair();
    expect(findings).toContain('feed-altered');
    expect(findings.filter((finding) => finding.startsWith('feed '))).toHaveLength(1);
  });
});
