import { beforeEach, describe, expect, test } from '@jest/globals';
import { accessFields } from '#shared/contract/access-fields.ts';
import type { SnapshotEntry, SnapshotPage } from '#shared/contract/access-snapshot.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { alterItem, putItems } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { writtenBy } from '../support/read-history.ts';
import type { Key } from '../support/send-request.ts';
import { operator } from '../support/start-service.ts';
import { fromNow } from '../support/timestamps.ts';

const service = describeService();

/** A separate application for each test, with a key. */
let appId: string;
let key: Key;
beforeEach(async () => {
  appId = await newApplication(['editor', 'viewer']);
  key = await service.issueKey(appId, ['access:read']);
});

const page = (query = '') => service.request(['GET', `/api/service/access${query}`], { key });

async function readAll(limit: number): Promise<{ pages: SnapshotPage[]; entries: SnapshotEntry[] }> {
  const pages: SnapshotPage[] = [(await page(`?limit=${limit}`)).body];
  for (let cursor = pages[0]?.cursor; cursor; cursor = pages.at(-1)?.cursor) {
    pages.push((await page(`?limit=${limit}&after=${cursor}`)).body);
  }
  return { pages, entries: pages.flatMap(({ items }) => items) };
}

const entryOf = (entries: readonly SnapshotEntry[], userId: string, kind: SnapshotEntry['kind']) =>
  entries.filter((entry) => entry.userId === userId && entry.kind === kind);

async function userOperations() {
  return {
    ...(await import('#shared/domain/user/users.ts')),
    ...(await import('#shared/domain/user/delete-user.ts')),
  };
}

describe('200', () => {
  test('contains each access that is not the default, with its status, roles and last change', async () => {
    const [blocked, holder, both, untouched] = [await newUser(), await newUser(), await newUser(), await newUser()];
    await setStatus(blocked, appId, 'disabled', 'left');
    await grantRole(holder, appId, 'viewer');
    await grantRole(both, appId, 'editor');
    await grantRole(both, appId, 'viewer');
    await setStatus(both, appId, 'enabled');
    const { entries } = await readAll(100);
    const items = await service.items();
    const stored = (userId: string) => items.get(`USER#${userId} ACCESS#${appId}`);
    expect(entryOf(entries, blocked, 'access')).toEqual([
      {
        kind: 'access',
        userId: blocked,
        userCreatedAt: items.get(`USER#${blocked} USER`)?.createdAt,
        status: 'disabled',
        ...unsetFields(accessFields),
        reason: 'left',
        roles: [],
        version: 1,
        updatedAt: stored(blocked)?.updatedAt,
        changeId: stored(blocked)?.lastChangeId,
      },
    ]);
    expect(entryOf(entries, holder, 'access')).toMatchObject([{ status: null, roles: [{ name: 'viewer' }] }]);
    const roles = [
      { name: 'editor', expiresAt: null },
      { name: 'viewer', expiresAt: null },
    ];
    expect(entryOf(entries, both, 'access')).toMatchObject([{ status: 'enabled', roles, version: 3 }]);
    expect(entries.filter(({ userId }) => userId === untouched)).toEqual([]);
  });

  test('omits what has become the default: a revoked role, an expired grant', async () => {
    const { revokeRole } = await import('#shared/domain/role/grant-role.ts');
    const [revoked, ended] = [await newUser(), await newUser()];
    for (const userId of [revoked, ended]) await grantRole(userId, appId, 'editor');
    await revokeRole({ userId: revoked as never, appId: appId as never, role: 'editor' as never }, operator);
    await alterItem(service, [`USER#${ended}`, `ACCESS#${appId}`], ['roles', 'editor', 'expiresAt'], fromNow(-1));
    const { entries } = await readAll(100);
    expect(entries.filter(({ userId }) => [revoked, ended].includes(userId))).toEqual([]);
  });

  test('contains nothing of other applications', async () => {
    const userId = await newUser();
    await setStatus(userId, await newApplication(), 'disabled', 'private');
    const { body } = await page();
    expect(JSON.stringify(body)).not.toMatch(/private/);
    expect(entryOf(body.items, userId, 'access')).toEqual([]);
  });

  test('contains inactive and erased users, and users being erased, with the ids of their changes', async () => {
    const { setUserStatus, createUser, deleteUser } = await userOperations();
    const [inactive, active, erased, again, going] = [
      await newUser(),
      await newUser(),
      await newUser(),
      await newUser(),
      await newUser(),
    ] as UserId[] as [UserId, UserId, UserId, UserId, UserId];
    await setUserStatus({ userId: inactive, status: 'inactive', reason: 'private' }, operator);
    await setUserStatus({ userId: active, status: 'inactive', reason: null }, operator);
    await setUserStatus({ userId: active, status: 'active', reason: null }, operator);
    await setStatus(erased, appId, 'disabled', 'left');
    for (const userId of [erased, again]) await deleteUser({ userId }, operator);
    await createUser({ userId: again, displayName: null, email: null }, operator);
    await alterItem(service, [`USER#${going}`, 'USER'], ['deleting'], true);
    const mark = (await service.items()).get(`USER#${going} USER`)?.lastChangeId;
    await putItems(service, { pk: 'USERS#ERASED', sk: going, userId: going, lastChangeId: mark });
    const { entries } = await readAll(100);
    const items = await service.items();
    const user = (userId: string) => items.get(`USER#${userId} USER`);
    expect(entries.filter(({ userId }) => [inactive, active, erased, again, going].includes(userId as never))).toEqual(
      expect.arrayContaining([
        { kind: 'inactive', userId: inactive, changeId: user(inactive)?.lastChangeId },
        { kind: 'erased', userId: erased, erasedAt: user(erased)?.erasedAt, changeId: user(erased)?.lastChangeId },
        { kind: 'erased', userId: going, erasedAt: null, changeId: user(going)?.lastChangeId },
      ]),
    );
    expect(entries.filter(({ userId }) => userId === active || userId === again)).toEqual([]);
  });

  test('omits a reactivated user, and has the latest change of a user who is inactive again', async () => {
    const { setUserStatus } = await userOperations();
    const userId = (await newUser()) as UserId;
    const set = (status: 'active' | 'inactive') => setUserStatus({ userId, status, reason: null }, operator);
    const entries = async () => (await readAll(100)).entries.filter((entry) => entry.userId === userId);
    const first = await set('inactive');
    await setStatus(userId, appId, 'enabled');
    const access = expect.objectContaining({ kind: 'access' });
    expect(await entries()).toEqual([{ kind: 'inactive', userId, changeId: first.changeId }, access]);
    await set('active');
    expect(await entries()).toEqual([access]);
    const again = await set('inactive');
    expect(await entries()).toEqual([{ kind: 'inactive', userId, changeId: again.changeId }, access]);
  });

  test('has pages with the same cursor of changes, and the last page has the number of entries', async () => {
    const userIds = await Promise.all(Array.from({ length: 7 }, () => newUser()));
    for (const userId of userIds) await setStatus(userId, appId, 'disabled', 'left');
    const { pages, entries } = await readAll(2);
    expect(pages.length).toBeGreaterThanOrEqual(4);
    expect(new Set(pages.map(({ changesCursor }) => changesCursor)).size).toBe(1);
    expect(pages.every(({ items }) => items.length <= 2)).toBe(true);
    expect(pages.slice(0, -1).every(({ total, cursor }) => total === null && cursor !== null)).toBe(true);
    expect(pages.at(-1)).toMatchObject({ cursor: null, total: entries.length });
    const accesses = entries.filter(({ kind }) => kind === 'access');
    expect(accesses.map(({ userId }) => userId)).toEqual(userIds.toSorted());
    expect(entries).toEqual((await readAll(2500)).entries);
  });

  test('has a cursor to the changes that were not settled before its first page', async () => {
    const before = await newUser();
    await setStatus(before, appId, 'disabled', 'left');
    const { body } = await page();
    const after = await newUser();
    await setStatus(after, appId, 'disabled', 'left');
    const changes = await service.request(
      ['GET', `/api/service/changes?after=${body.changesCursor}&actions=access.changed`],
      { key },
    );
    const userIds = changes.body.items.map(({ userId }: { userId?: string }) => userId);
    expect(userIds).toEqual([before, after]);
  });

  test('contains the rollout percentage of the application with its version', async () => {
    const { body } = await page();
    const application = (await service.items()).get(`APP#${appId} APP`);
    expect(body).toMatchObject({ rolloutPercent: 100, applicationVersion: application?.version });
  });

  test('a snapshot writes nothing', async () => {
    await page();
    expect(await writtenBy(service, () => page())).toEqual([]);
  });
});

describe('400', () => {
  test.each([
    ['?limit=0', 'query:limit'],
    ['?limit=2501', 'query:limit'],
    ['?after=', 'query:after'],
    ['?after=nonsense', 'query:after'],
    ['?cursor=a', 'query:cursor'],
  ])('refuses a snapshot with %s and names the field', async (query, pointer) => {
    expectInvalid(await page(query), pointer);
  });

  test("refuses a cursor of another application's snapshot, and one of its changes", async () => {
    for (let n = 0; n < 2; n++) await setStatus(await newUser(), appId, 'disabled', 'left');
    const { cursor, changesCursor } = (await page('?limit=1')).body;
    expectInvalid(await page(`?after=${changesCursor}`), 'query:after');
    key = service.billingKey;
    expectInvalid(await page(`?after=${cursor}`), 'query:after');
  });
});

test('refuses a snapshot to a key without access:read', async () => {
  key = await service.issueKey(appId, ['access:write', 'roles:write']);
  expectProblem(await page(), 'scope_missing');
});
