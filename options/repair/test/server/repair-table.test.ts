import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { recordReview } from '#shared/domain/application/record-review.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, setUserStatus } from '#shared/domain/user/users.ts';
import { queryItems } from '#shared/table/client.ts';
import { readLogEnd } from '#shared/table/items/feed-item.ts';
import { blockEndsRange } from '#shared/table/keys/access-item-keys.ts';
import { usersFeed } from '#shared/table/keys/feed-item-keys.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { repairTable } from '../../server/repair-table.ts';

const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'admin' as RoleName];
const userKey = { pk: `USER#${userId}`, sk: 'USER' };
const accessKey = { pk: `USER#${userId}`, sk: `ACCESS#${appId}` };
const memberKey = { pk: `APP#${appId}#ROLE#${role}`, sk: `USER#${userId}` };

const memory = tableForEachTest();
const items = () => memory.table.items();
const remove = ({ pk, sk }: { pk: string; sk: string }) =>
  memory.table.writeAll([{ kind: 'Delete', input: { Key: { pk, sk } } }]);
const changes = (action: string) =>
  items().filter((item) => item.action === action && String(item.sk).startsWith('CHANGE#'));

/** Repairs everything page by page; returns what it found. */
async function repair({ dryRun = false, restartFeeds }: { dryRun?: boolean; restartFeeds?: string } = {}) {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const repairing = repairTable({ limit: 2, cursor, restartFeeds }, { ...context, dryRun });
    // A deletion waits until earlier writes have settled.
    const [page] = await Promise.all([repairing, jest.runAllTimersAsync()]);
    found.push(...page.findings.map(({ kind }) => kind));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** The items as they are without the last write, some of which comes nevertheless. */
async function tear(
  write: () => Promise<unknown>,
  comes: (item: { pk: string; sk: string }) => boolean,
): Promise<void> {
  const before = new Map(items().map((item) => [`${item.pk} ${item.sk}`, item]));
  await write();
  for (const item of items() as { pk: string; sk: string }[]) {
    const earlier = before.get(`${item.pk} ${item.sk}`);
    if (comes(item) || JSON.stringify(earlier) === JSON.stringify(item)) continue;
    if (earlier === undefined) remove(item);
    else memory.put(earlier);
  }
}

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  await createUser({ userId, displayName: 'Ada King', email: null }, context);
  await defineRole({ appId, role, description: null }, context);
});

const grant = { role, expiresAt: null };
const assign = () => assignRole({ userId, appId, grant }, context);
const reviewOf = (asOf: string) =>
  recordReview(appId, context, { decide: async () => ({ asOf, laterChanges: 0 }), answerOf: () => null });
const isChange = ({ sk }: { sk: string }) => sk.startsWith('CHANGE#');

test('a whole table is left as it is', async () => {
  await assign();
  const before = items();
  expect(await repair()).toEqual([]);
  expect(items()).toEqual(before);
});

describe('a change that is made while an item is read is not taken for one that was lost', () => {
  test.each([
    ['of a user', `USER#${userId}`, () => setUserStatus({ userId, status: 'inactive', reason: null }, context)],
    ['of an application', `APP#${appId}`, () => reviewOf('2026-11-20T18:59:00.000Z')],
  ])('%s', async (_, pk, change) => {
    let isMade = false;
    memory.before = async ({ command, input }) => {
      const keys = command === 'BatchGetItemCommand' ? JSON.stringify(input) : '';
      if (isMade || !keys.includes(`"${pk}"`)) return;
      isMade = true;
      await change();
    };
    expect(await repair()).toEqual([]);
    expect(isMade).toBe(true);
  });
});

test('a grant without its member gets it; a dry run names it and writes nothing', async () => {
  await assign();
  remove(memberKey);
  const before = items();
  expect(await repair({ dryRun: true })).toEqual(['member']);
  expect(items()).toEqual(before);
  expect(await repair()).toEqual(['member']);
  expect(memory.table.get(memberKey)).toMatchObject({ userId, expiresAt: null });
  expect(await repair()).toEqual([]);
});

describe('the list of blocks with an end', () => {
  const until = '2026-12-01T00:00:00.000Z';
  const set = (end: string | null) =>
    setAccess({ userId, appId, setting: { status: 'disabled', reason: 'why', until: end } }, context);
  const alter = (place: object) => {
    const { gsi2pk: _, gsi2sk: __, ...rest } = memory.table.get(accessKey) ?? {};
    memory.put({ ...rest, ...accessKey, ...place });
  };
  const listed = async () => {
    const { items } = await queryItems(blockEndsRange(new Date().toISOString()), {});
    return items.map((block) => [block.userId, block.until]);
  };

  test('gets a block that was set before there was one; a dry run names it and writes nothing', async () => {
    await set(until);
    alter({});
    expect(await listed()).toEqual([]);
    expect(await repair({ dryRun: true })).toEqual(['block-end']);
    expect(await listed()).toEqual([]);
    expect(await repair()).toEqual(['block-end']);
    expect(await listed()).toEqual([[userId, until]]);
    expect(await repair()).toEqual([]);
  });

  test('loses a block that has no end, and moves one to its end', async () => {
    await set(null);
    alter({ gsi2pk: 'ENDS', gsi2sk: `${until}#${appId}#${userId}` });
    expect(await repair()).toEqual(['block-end']);
    expect(memory.table.get(accessKey)).not.toHaveProperty('gsi2pk');
    await set(until);
    alter({ gsi2pk: 'ENDS', gsi2sk: `2027-01-01T00:00:00.000Z#${appId}#${userId}` });
    expect(await repair()).toEqual(['block-end']);
    expect(memory.table.get(accessKey)?.gsi2sk).toBe(`${until}#${appId}#${userId}`);
  });
});

test('a grant of a role that was deleted does not hold, and its end is on record', async () => {
  await assign();
  remove({ pk: `APP#${appId}`, sk: `ROLE#${role}` });
  for (const item of changes('role.defined') as { pk: string; sk: string }[]) remove(item);
  expect(await repair()).toEqual(expect.arrayContaining(['grant']));
  expect(memory.table.get(accessKey)).toMatchObject({ roles: {}, version: 2 });
  expect(changes('role.revoked')).toHaveLength(1);
  expect(memory.table.get(memberKey)).toBeUndefined();
});

test('a block of which only the change came is applied', async () => {
  const setting = { status: 'disabled', reason: 'card stolen', until: null } as const;
  await tear(() => setAccess({ userId, appId, setting }, context), isChange);
  expect(memory.table.get(accessKey)).toBeUndefined();
  expect(await repair()).toEqual(['state-behind', 'state-behind', 'feed']);
  const [change] = changes('access.changed');
  expect(memory.table.get(accessKey)).toMatchObject({
    status: 'disabled',
    reason: 'card stolen',
    lastChangeId: change?.id,
  });
  expect(memory.table.get(userKey)).toMatchObject({ lastChangeId: change?.id });
  expect(await repair()).toEqual([]);
});

test('a grant of which only the change came names it, and so does one whose change was lost and is recorded', async () => {
  await tear(assign, isChange);
  await repair();
  const [assigned] = changes('role.assigned');
  expect(memory.table.get(accessKey)).toMatchObject({ roles: { admin: { changeId: assigned?.id } } });
  await tear(
    () => assignRole({ userId, appId, grant: { role, expiresAt: '2027-01-01T00:00:00.000Z' } }, context),
    (item) => !isChange(item),
  );
  await repair();
  const recorded = changes('role.assigned').at(-1);
  expect(recorded?.id).not.toBe(assigned?.id);
  expect(memory.table.get(accessKey)).toMatchObject({ roles: { admin: { changeId: recorded?.id } } });
  expect(await repair()).toEqual([]);
});

describe('a review of an application', () => {
  const applicationKey = { pk: `APP#${appId}`, sk: 'APP' };
  const asOf = '2026-11-20T18:59:00.000Z';
  const review = () => reviewOf(asOf);
  const stored = () => memory.table.get(applicationKey)?.lastReview;

  test('of which only the change came is applied', async () => {
    await tear(review, isChange);
    expect(stored()).toBeUndefined();
    expect(await repair()).toEqual(expect.arrayContaining(['state-behind']));
    expect(stored()).toEqual({ changeId: changes('application.reviewed')[0]?.id, asOf, laterChanges: 0 });
    expect(await repair()).toEqual([]);
  });

  test('whose change was lost is recorded, after the one before it', async () => {
    await review();
    const [first] = changes('application.reviewed');
    const later = '2026-11-20T19:00:00.000Z';
    await tear(
      () => reviewOf(later),
      (item) => !isChange(item),
    );
    expect(await repair()).toEqual(expect.arrayContaining(['change-missing']));
    const recorded = changes('application.reviewed').find(({ id }) => id !== first?.id);
    expect(recorded).toMatchObject({ before: { reviewedAsOf: asOf }, after: { reviewedAsOf: later, laterChanges: 0 } });
    expect(stored()).toEqual({ changeId: recorded?.id, asOf: later, laterChanges: 0 });
    expect(await repair()).toEqual([]);
  });
});

describe('a change that is nowhere any more is named', () => {
  test('when the user names it, such as a block of which nothing else came', async () => {
    const setting = { status: 'disabled', reason: null, until: null } as const;
    await tear(
      () => setAccess({ userId, appId, setting }, context),
      ({ pk, sk }) => pk === userKey.pk && sk === userKey.sk,
    );
    expect(await repair()).toEqual(['history-gap']);
    expect(memory.table.get(accessKey)).toBeUndefined();
  });

  test('when it began the history of an access', async () => {
    await assign();
    const [first] = changes('role.assigned');
    const setting = { status: 'disabled', reason: null, until: null } as const;
    await setAccess({ userId, appId, setting }, context);
    remove(first as { pk: string; sk: string });
    expect(await repair({ dryRun: true })).toContain('history-gap');
  });

  test('when it defined a role, which later changes restore', async () => {
    await defineRole({ appId, role, description: 'May do everything' }, context);
    const [first] = changes('role.defined');
    remove(first as { pk: string; sk: string });
    remove({ pk: `APP#${appId}`, sk: `ROLE#${role}` });
    expect(await repair()).toEqual(expect.arrayContaining(['history-gap', 'state-behind']));
    expect(memory.table.get({ pk: `APP#${appId}`, sk: `ROLE#${role}` })).toMatchObject({
      description: 'May do everything',
      version: 2,
    });
  });
});

describe('changes that the service did not write', () => {
  test('are named and not applied', async () => {
    await tear(assign, isChange);
    const [change] = changes('role.assigned');
    memory.put({ ...change, after: { ...(change?.after as object), expiresAt: '2036-11-20T19:00:00.000Z' } });
    expect(await repair()).toContain('change-forged');
    expect(memory.table.get(accessKey)).toBeUndefined();
    expect(memory.table.get(memberKey)).toBeUndefined();
  });

  test('erase nothing', async () => {
    await assign();
    await createUser({ userId: 'bob' as UserId, displayName: null, email: null }, context);
    await Promise.all([deleteUser({ userId: 'bob' as UserId }, context), jest.runAllTimersAsync()]);
    const [erasure] = changes('user.deleted');
    memory.put({ ...erasure, pk: userKey.pk, userId });
    const before = items();
    expect(await repair()).toEqual(['change-forged']);
    expect(items()).toEqual(before);
  });
});

test('an inactive user whose change was lost gets one that says so, and the mark', async () => {
  await tear(
    () => setUserStatus({ userId, status: 'inactive', reason: null }, context),
    ({ pk, sk }) => pk === userKey.pk && sk === userKey.sk,
  );
  expect(await repair()).toEqual(expect.arrayContaining(['change-missing', 'inactive-mark']));
  expect(changes('user.status.changed')).toMatchObject([
    {
      before: { status: 'active', version: 1 },
      after: { status: 'inactive', version: 2 },
      reason: 'Repair: the change that led to this state was lost.',
      caller: context.caller,
    },
  ]);
  const [change] = changes('user.status.changed');
  expect(memory.table.get({ pk: 'USERS#INACTIVE', sk: userId })).toMatchObject({ changeId: change?.id });
});

test('an access of an application that is gone is deleted with its members', async () => {
  await assign();
  memory.put({
    ...memory.table.get({ pk: `APP#${appId}`, sk: 'APP' }),
    deleting: true,
    swept: true,
    gsi1pk: undefined,
  });
  for (const item of items().filter(({ pk, sk }) => pk === `APP#${appId}` && isChange({ sk: String(sk) }))) {
    remove(item as { pk: string; sk: string });
  }
  await repair();
  for (const key of [accessKey, memberKey]) expect(memory.table.get(key)).toBeUndefined();
});

test('what lists users of an application that is gone is removed, also of those who have no access any more', async () => {
  await assign();
  await Promise.all([deleteApplication({ appId, force: true }, context), jest.runAllTimersAsync()]);
  const entryKey = { pk: `APP#${appId}#USERS`, sk: `USER#${userId}` };
  memory.put({ ...entryKey, userId }, { ...memberKey, userId, grantedAt: '2026-11-20T19:00:00.000Z', expiresAt: null });
  expect(await repair()).toEqual(['access-list', 'member']);
  for (const key of [entryKey, memberKey]) expect(memory.table.get(key)).toBeUndefined();
});

describe('the feeds', () => {
  test('a change that is neither pending nor in the log becomes pending, and one that has a number no longer is', async () => {
    await assign();
    await numberFeed(appId);
    const pending = (id: unknown) => items().filter((item) => item.id === id && String(item.sk).startsWith('PENDING#'));
    const [lost] = changes('role.assigned');
    remove({ pk: `FEED#${appId}`, sk: 'LOG#000000000001' });
    expect(await repair()).toContain('feed');
    expect(pending(lost?.id)).toHaveLength(1);
    await numberFeed(appId);
    memory.put({ pk: `FEED#${appId}`, sk: 'PENDING#again', id: lost?.id, action: 'role.assigned', userId });
    expect(await repair({ dryRun: true })).toEqual(['pending']);
  });

  test('begin anew after a takeover, once', async () => {
    await assign();
    await numberFeed(appId);
    const restartFeeds = '2026-11-20T18:59:00.000Z';
    await setUserStatus({ userId, status: 'inactive', reason: null }, context);
    expect(await repair({ restartFeeds })).toEqual(['feed-restart', 'feed-restart', 'counters']);
    const startsAfter = (Date.parse(restartFeeds) / 1000) * 100;
    expect(await readLogEnd(appId)).toMatchObject({ startsAfter });
    const pending = items().filter(({ sk }) => String(sk).startsWith('PENDING#'));
    // The feed that only counts new users never begins anew: nobody follows it.
    expect(pending.map(({ pk }) => pk)).toEqual(['FEED#USERS#UNFOLLOWED']);
    expect(await repair({ restartFeeds })).toEqual([]);
    await setUserStatus({ userId, status: 'active', reason: null }, context);
    await numberFeed(usersFeed);
    expect(await readLogEnd(usersFeed)).toMatchObject({ block: { first: startsAfter + 1 } });
    await expect(repair({ restartFeeds: '2027-01-01T00:00:00.000Z' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
