import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { newApplication } from '../support/new-application.ts';
import { operator, startSources, type TestService } from '../support/start-service.ts';
import { insertedChanges } from '../support/stream-records.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

let service: TestService;
let sdk: WatchedSdk;
let code: Awaited<ReturnType<typeof loadCode>>;
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
  code = await loadCode();
});
afterAll(() => service.stop());
afterEach(() => {
  sdk.fault = undefined;
});

async function loadCode() {
  return {
    ...(await import('#shared/domain/history/history-entries.ts')),
    ...(await import('#shared/domain/history/list-all-changes.ts')),
    ...(await import('#shared/domain/history/reindex-changes.ts')),
    ...(await import('#shared/domain/user/users.ts')),
    ...(await import('#shared/domain/user/delete-user.ts')),
    ...(await import('#shared/domain/access/set-status.ts')),
  };
}

let count = 0;
const by = (caller: object) => ({ ...operator, caller: caller as never });
const edith = by({ kind: 'operator', via: 'token', issuer: 'https://i', id: 'sub-Edith', email: 'Edith@Example.com' });
const grace = by({ kind: 'operator', via: 'iam', id: 'arn:aws:sts::111122223333:assumed-role/Support/grace' });

async function newUser(context: typeof operator = operator): Promise<UserId> {
  const userId = `all-${++count}` as UserId;
  await code.createUser({ userId, displayName: null, email: 'somebody@example.com' }, context);
  return userId;
}

const block = (userId: UserId, appId: string, context: typeof operator = operator) =>
  code.setAccess(
    { userId, appId: appId as AppId, setting: { status: 'disabled', reason: 'private', until: null } },
    context,
  );

/** Reads the stream from the beginning, like a publisher that is far behind. */
async function catchUp(): Promise<void> {
  const records = await insertedChanges(service);
  for (let from = 0; from < records.length; from += 100) {
    expect(await code.addToHistory(records.slice(from, from + 100))).toBeUndefined();
  }
}

/** Reads all pages of a list. */
async function readAll(filter: Parameters<typeof code.listAllChanges>[0] | object, limit = 100): Promise<Change[]> {
  const changes: Change[] = [];
  let cursor: string | undefined;
  do {
    const page = await code.listAllChanges({ ...filter, limit, cursor });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    changes.push(...page.items);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return changes;
}

const stored = async () => (await insertedChanges(service)).length;
const entriesOf = async (id: string) =>
  [...(await service.items({ historyEntries: true }))].filter(
    ([name, item]) => name.startsWith('HISTORY#') && JSON.stringify(item).includes(id),
  );

describe('the global history', () => {
  test('has every change once, newest first, identical in pages of any size', async () => {
    const appId = await newApplication(['editor']);
    await block(await newUser(), appId);
    await catchUp();
    const all = await readAll({});
    expect(all).toHaveLength(await stored());
    expect(all.map(({ id }) => id)).toEqual(
      all
        .map(({ id }) => id)
        .toSorted()
        .reverse(),
    );
    expect(new Set(all.map(({ action }) => action))).toEqual(
      new Set(['user.created', 'application.created', 'role.defined', 'key.issued', 'access.changed']),
    );
    for (const limit of [1, 2, 7]) expect(await readAll({}, limit)).toEqual(all);
  });

  test('listing changes again has no effect', async () => {
    await catchUp();
    const before = await service.items({ historyEntries: true });
    await catchUp();
    expect(await service.items({ historyEntries: true })).toEqual(before);
  });

  test('stores the key of a change and its filter fields, but no reason and no address', async () => {
    const userId = await newUser(edith);
    await block(userId, 'billing', edith);
    await catchUp();
    const entries = (await entriesOf(userId)).map(([, entry]) => entry);
    expect(entries.map((entry) => Object.keys(entry).sort())).toEqual(
      expect.arrayContaining([
        ['action', 'appId', 'by', 'changePk', 'changeSk', 'pk', 'sk', 'ttl'],
        ['action', 'by', 'changePk', 'changeSk', 'pk', 'sk', 'ttl'],
      ]),
    );
    expect(JSON.stringify(entries)).not.toMatch(/private|example\.com|sub-Edith/i);
    const items = await service.items({ historyEntries: true });
    for (const { changePk, changeSk, ttl } of entries) expect(items.get(`${changePk} ${changeSk}`)?.ttl).toBe(ttl);
  });

  test('no request writes to it', async () => {
    sdk.requests.length = 0;
    await block(await newUser(), 'billing');
    expect(JSON.stringify(sdk.requests.map(({ input }) => input))).not.toContain('HISTORY#');
  });
});

describe('a filter of the global history', () => {
  let appId: string;
  let ada: UserId;
  let times: { readonly before: string; readonly after: string };
  beforeAll(async () => {
    appId = await newApplication([]);
    ada = await newUser();
    const before = new Date().toISOString();
    await block(ada, appId, edith);
    await service.request(['PUT', `/api/service/users/${ada}/access`], { body: { status: 'disabled' } });
    await code.setUserStatus({ userId: ada, status: 'inactive', reason: null }, grace);
    times = { before, after: new Date(Date.now() + 1).toISOString() };
    await catchUp();
  });
  const shown = async (filter: object) => (await readAll(filter)).map(({ action, appId: of }) => [action, of ?? null]);
  const blockedHere = () => ['access.changed', appId];
  const blockedThere = ['access.changed', 'billing'];
  const deactivated = ['user.status.changed', null];

  test.each<[string, string | (() => string), () => unknown[]]>([
    ['an e-mail address in any case', 'edith@example.COM', () => [blockedHere()]],
    ['the part of the address before the @', 'EDITH', () => [blockedHere()]],
    ["a token's sub", 'sub-Edith', () => [blockedHere()]],
    ["a token's sub in another case", 'sub-edith', () => []],
    ['a prefix of an address', 'edit', () => []],
    ['an ARN', 'arn:aws:sts::111122223333:assumed-role/Support/grace', () => [deactivated]],
    ['the end of an ARN', 'grace', () => [deactivated]],
    ["a key's id", () => service.billingKey.keyId, () => [blockedThere]],
    ["a key's application", 'billing', () => [blockedThere]],
  ])('finds who made a change by %s', async (_, name, expected) => {
    const actor = typeof name === 'string' ? name : name();
    const since = times.before;
    expect(await shown({ actor, since })).toEqual(expected());
    expect(await shown({ actor, userId: ada })).toEqual(expected());
  });

  test('selects changes from one time (inclusive) to another (exclusive)', async () => {
    const all = [deactivated, blockedThere, blockedHere()];
    expect(await shown({ since: times.before, until: times.after })).toEqual(all);
    const [last] = await readAll({ userId: ada });
    expect(await shown({ since: times.before, until: last?.at })).toEqual(all.slice(1));
    expect(await shown({ since: last?.at, until: times.after })).toEqual([deactivated]);
    expect(await shown({ since: times.after, until: '2999-01-01T00:00:00.000Z' })).toEqual([]);
    await expect(readAll({ since: times.after, until: times.before })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test.each<[string, () => object, () => unknown[]]>([
    ['actions', () => ({ actions: ['user.status.changed', 'role.assigned'] }), () => [deactivated]],
    ['an application, including changes of users in all', () => ({ appId }), () => [deactivated, blockedHere()]],
    ['a user in an application', () => ({ appId, userId: ada }), () => [deactivated, blockedHere()]],
    ['an application and an action', () => ({ appId, actions: ['access.changed'] }), () => [blockedHere()]],
    ['an application and an operator', () => ({ appId, actor: 'grace' }), () => [deactivated]],
    ['an application to an operator limited to others', () => ({ appId, limitedTo: ['wiki'] }), () => []],
    ['the applications that an operator may see', () => ({ limitedTo: [appId] }), () => [deactivated, blockedHere()]],
    [
      'nothing to an operator who may see no application',
      () => ({ limitedTo: [], actions: ['access.changed'] }),
      () => [],
    ],
  ])('shows only changes of %s', async (_, filter, expected) => {
    expect(await shown({ ...filter(), since: times.before })).toEqual(expected());
  });

  test('refuses the cursor of another filter', async () => {
    const { cursor } = await code.listAllChanges({ limit: 1 });
    const other = code.listAllChanges({ limit: 1, actor: 'edith', cursor: cursor ?? '' });
    await expect(other).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('continues from a cursor when its time range has moved, and ends when the range has passed it', async () => {
    const all = await readAll({ since: times.before });
    const { cursor } = await code.listAllChanges({ limit: 1, since: times.before });
    const goOn = async (filter: object) =>
      (await code.listAllChanges({ limit: 100, ...filter, cursor: cursor ?? '' })).items;
    expect(await goOn({ since: new Date(Date.parse(times.before) - 1).toISOString() })).toEqual(
      expect.arrayContaining(all.slice(1)),
    );
    expect(await goOn({ since: times.after })).toEqual([]);
    expect(await goOn({ until: all[1]?.at, since: times.before })).toEqual(all.slice(2));
  });

  test.each<[string, () => object]>([
    ['an application', () => ({ appId })],
    ['a user', () => ({ userId: ada })],
    ['several actions', () => ({ actions: ['user.status.changed', 'access.changed'] })],
  ])('of %s returns the same in pages of one', async (_, filter) => {
    const since = times.before;
    expect(await readAll({ ...filter(), since }, 1)).toEqual(await readAll({ ...filter(), since }));
  });
});

describe('an erased user', () => {
  const traces = async (userId: string) =>
    [...(await service.items({ historyEntries: true }))].filter(
      ([name, item]) => name.startsWith('HISTORY#') && String(item.changePk) === `USER#${userId}`,
    );

  test('leaves in the global history only the searchable record of who erased it and when', async () => {
    const userId = await newUser();
    await block(userId, 'billing');
    await catchUp();
    expect(await traces(userId)).toHaveLength(2);
    await code.deleteUser({ userId }, edith);
    expect(await traces(userId)).toEqual([]);
    await catchUp();
    expect(await traces(userId)).toHaveLength(1);
    for (const filter of [{ userId }, { actor: 'edith', actions: ['user.deleted'] }]) {
      expect((await readAll(filter))[0]).toMatchObject({
        action: 'user.deleted',
        userId,
        caller: { email: 'Edith@Example.com' },
        before: { status: 'active' },
        after: null,
        reason: null,
      });
    }
  });

  test('leaves nothing if the publisher processes its changes only later', async () => {
    const userId = await newUser();
    await block(userId, 'billing');
    const behind = await insertedChanges(service);
    await code.deleteUser({ userId }, operator);
    for (let from = 0; from < behind.length; from += 100) await code.addToHistory(behind.slice(from, from + 100));
    expect(await traces(userId)).toEqual([]);
  });

  test('leaves nothing if the publisher lists its changes during the erasure', async () => {
    const userId = await newUser();
    for (const appId of ['billing', 'wiki']) await block(userId, appId);
    const records = (await insertedChanges(service)).filter(({ dynamodb }) =>
      JSON.stringify(dynamodb?.Keys).includes(`USER#${userId}"`),
    );
    const listings = Array.from({ length: 20 }, () => code.addToHistory(records));
    await Promise.all([code.deleteUser({ userId }, operator), ...listings]);
    expect(await traces(userId)).toEqual([]);
  });

  test('leaves nothing when the history is repaired while they are erased', async () => {
    const userId = await newUser();
    sdk.fault = async ({ command, input }, send) => {
      if (command === 'TransactWriteItemsCommand' && JSON.stringify(input).includes(`USER#${userId}`)) {
        sdk.fault = undefined;
        await code.deleteUser({ userId }, operator);
      }
      return send();
    };
    await reindexAll();
    expect(sdk.fault).toBeUndefined();
    expect((await traces(userId)).map(([, { changeSk }]) => String(changeSk).slice(0, 14))).toEqual(['CHANGE#ERASED#']);
  });
});

async function reindexAll() {
  const total = { checked: 0, changed: 0 };
  let cursor: string | undefined;
  do {
    const page = await code.reindexChanges({ limit: 5, cursor });
    total.checked += page.checked;
    total.changed += page.changed;
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return total;
}

describe('changes missing from the global history', () => {
  test('are backfilled once, in pages: those of users, applications and erased users', async () => {
    const userId = await newUser();
    await code.deleteUser({ userId }, operator);
    for (const [name] of [...(await service.items({ historyEntries: true }))].filter(([each]) =>
      each.startsWith('HISTORY#'),
    )) {
      const [pk = '', sk = ''] = name.split(' ');
      const { removeItem } = await import('../support/alter-item.ts');
      await removeItem(service, [pk, sk]);
    }
    expect(await readAll({})).toEqual([]);
    const all = await stored();
    expect(await reindexAll()).toEqual({ checked: all, changed: all });
    expect(await readAll({})).toHaveLength(all);
    expect(await reindexAll()).toEqual({ checked: all, changed: 0 });
  });

  test('refuses a cursor of another list', async () => {
    for (const cursor of ['nonsense', 'users.nonsense', 'erasures.', 'toString.']) {
      const isOurs = cursor === 'erasures.';
      const answer = code.reindexChanges({ limit: 1, cursor }).then(() => true);
      await (isOurs
        ? expect(answer).resolves.toBe(true)
        : expect(answer).rejects.toMatchObject({ code: 'invalid_request' }));
    }
  });
});

test('a stream batch with a record that is not a change has its other changes listed', async () => {
  const userId = await newUser();
  const [record] = (await insertedChanges(service)).slice(-1);
  const malformed = { dynamodb: { SequenceNumber: '1', Keys: record?.dynamodb?.Keys, NewImage: {} } };
  expect(await code.addToHistory(record ? [malformed, record] : [])).toBeUndefined();
  expect(await entriesOf(userId)).toHaveLength(1);
});

test('a filtered page without matches takes a bounded number of requests and has a cursor', async () => {
  const { createUlid } = await import('#shared/core/ids.ts');
  let queries = 0;
  // As if each query had scanned a thousand other changes.
  sdk.fault = async ({ command, input }, send) => {
    if (command !== 'QueryCommand') return send();
    queries += 1;
    const sk = createUlid(new Date(Date.now() - queries * 1000));
    const LastEvaluatedKey = { pk: input.ExpressionAttributeValues[':pk'].S, sk };
    return { output: { $metadata: {}, Items: [], LastEvaluatedKey } };
  };
  const page = await code.listAllChanges({ actor: 'edith', limit: 1 });
  expect(page).toEqual({ items: [], cursor: expect.any(String) });
  expect(queries).toBe(80);
  let last = '';
  sdk.fault = async ({ command, input }, send) => {
    if (command === 'QueryCommand') last ||= input.ExpressionAttributeValues[':last'].S;
    return send();
  };
  await code.listAllChanges({ actor: 'edith', limit: 1, cursor: page.cursor ?? '' });
  expect(last < createUlid(new Date(Date.now() - 4 * 1000))).toBe(true);
});
