import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Change } from '#shared/contract/change.ts';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { describeService } from '../support/describe-service.ts';
import { newApplication } from '../support/new-application.ts';
import { operator } from '../support/start-service.ts';
import { insertedChanges } from '../support/stream-records.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
let code: Awaited<ReturnType<typeof loadCode>>;
beforeAll(async () => {
  sdk = await watchServiceTable();
  code = await loadCode();
});
afterEach(() => {
  sdk.fault = undefined;
});

async function loadCode() {
  return {
    ...(await import('#shared/domain/history/list-all-changes.ts')),
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
describe('the global history', () => {
  test('has every change once, newest first, identical in pages of any size', async () => {
    const appId = await newApplication(['editor']);
    await block(await newUser(), appId);
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

  test('finds callers by digests of their names: neither key nor place of a change contains an address', async () => {
    const userId = await newUser(edith);
    await block(userId, 'billing', edith);
    const items = [...(await service.items()).values()].filter(({ pk }) => pk === `USER#${userId}`);
    const places = items
      .filter(({ gsi2pk }) => gsi2pk)
      .map(({ gsi1pk, gsi1sk, gsi2pk, gsi2sk, by }) => [gsi1pk, gsi1sk, gsi2pk, gsi2sk, by]);
    expect(places).toHaveLength(2);
    expect(JSON.stringify(places)).not.toMatch(/private|example\.com|sub-Edith/i);
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

test('an erased user leaves in the global history only the searchable record of who erased it and when', async () => {
  const userId = await newUser();
  await block(userId, 'billing');
  expect(await readAll({ userId })).toHaveLength(2);
  await code.deleteUser({ userId }, edith);
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
  expect((await readAll({})).filter((change) => change.userId === userId)).toHaveLength(1);
});

test('a filtered page without matches takes a bounded number of requests and has a cursor', async () => {
  const { createUlid } = await import('#shared/core/ids.ts');
  let queries = 0;
  // As if each query had scanned a thousand other changes.
  sdk.fault = async ({ command, input }, send) => {
    if (command !== 'QueryCommand') return send();
    queries += 1;
    const sk = createUlid(new Date(Date.now() - queries * 1000));
    const LastEvaluatedKey = {
      gsi2pk: input.ExpressionAttributeValues[':pk'].S,
      gsi2sk: sk,
      pk: 'USER#ada',
      sk: `CHANGE#${sk}`,
    };
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
