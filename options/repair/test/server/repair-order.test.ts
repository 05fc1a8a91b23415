import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { deleteApplication } from '#shared/domain/application/delete-application.ts';
import { listChanges } from '#shared/domain/history/changes-by-number.ts';
import { numberFeed } from '#shared/domain/history/feed-numbers.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { createUser } from '#shared/domain/user/users.ts';
import { readLogEnd, restartLog } from '#shared/table/items/feed-item.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { RepairRun } from '../../server/repair-run.ts';
import { repairTable } from '../../server/repair-table.ts';

const [appId, userId, role] = ['wiki' as AppId, 'ada' as UserId, 'editor' as RoleName];
const memory = tableForEachTest();

beforeEach(async () => {
  await createApplication({ appId, name: 'Wiki' }, context);
  await createUser({ userId, displayName: null, email: null }, context);
  await defineRole({ appId, role, description: null }, context);
});

const block = () => setAccess({ userId, appId, setting: { status: 'disabled', reason: null, until: null } }, context);

async function repair({ limit = 100 } = {}): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const [page] = await Promise.all([repairTable({ limit, cursor }, context), jest.runAllTimersAsync()]);
    found.push(...page.findings.map(({ kind }) => kind));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe('a change that gets its number while a feed is repaired', () => {
  test.each([1, 2, 3, 4, 5, 6])('before read %i of the feed has its place, and gets no second one', async (read) => {
    await block();
    let count = 0;
    memory.before = async ({ command, input }) => {
      if (command !== 'QueryCommand' || !JSON.stringify(input).includes('FEED#wiki')) return;
      count += 1;
      if (count !== read) return;
      memory.before = undefined;
      await numberFeed(appId);
    };
    expect((await repair()).filter((kind) => kind === 'feed')).toEqual([]);
    expect(count).toBe(read);
    const ids = (await listChanges({ appId, limit: 100 }, context)).items.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('a grant that is older than the definition of its role is revoked', async () => {
  await assignRole({ userId, appId, grant: { role, expiresAt: null } }, context);
  expect(await repair()).toEqual([]);
  const roleKey = { pk: `APP#${appId}`, sk: `ROLE#${role}` };
  memory.put({ ...memory.table.get(roleKey), createdAt: '2026-11-20T19:00:01.000Z' });
  expect(await repair()).toContain('grant');
  expect(memory.table.get({ pk: `USER#${userId}`, sk: `ACCESS#${appId}` })).toMatchObject({ roles: {} });
});

describe('one run repairs the feed of an application whose deletion it finishes', () => {
  const appKey = { pk: `APP#${appId}`, sk: 'APP' };
  const stale = { pk: `FEED#${appId}`, sk: 'PENDING#again', action: 'role.assigned', userId };

  test('also when a scan finds the feed before the application', async () => {
    await block();
    await numberFeed(appId);
    const before = memory.table.get(appKey);
    await Promise.all([deleteApplication({ appId, force: true }, context), jest.runAllTimersAsync()]);
    memory.put({ ...before }, { ...stale, id: (await readLogEnd(appId)).block?.changes[0]?.id });
    expect(await repair({ limit: 1 })).toEqual(['state-behind', 'deletion', 'pending']);
    expect(await repair()).toEqual([]);
  });
});

test('after a feed began anew, numbers go on above all that came before, and an earlier cursor is refused', async () => {
  await block();
  await numberFeed(appId);
  const { cursor } = await listChanges({ appId, limit: 100 }, context);
  expect(await restartLog(appId, await readLogEnd(appId), 5000)).toBe(true);
  await block();
  await assignRole({ userId, appId, grant: { role, expiresAt: null } }, context);
  await numberFeed(appId);
  expect(await readLogEnd(appId)).toMatchObject({ block: { first: 5001 } });
  await expect(listChanges({ appId, limit: 100, after: cursor }, context)).rejects.toMatchObject({
    code: 'cursor_expired',
  });
});

test('what is found at the same time is named in the order of its subjects, whichever was done first', async () => {
  const bo = 'bo' as UserId;
  const run = new RepairRun(context);
  run.note('search-words', { userId: bo });
  run.note('user-list', { userId });
  run.note('inactive-mark', { userId });
  expect(run.findings.map(({ kind, userId: id }) => [id, kind])).toEqual([
    [userId, 'user-list'],
    [userId, 'inactive-mark'],
    [bo, 'search-words'],
  ]);
});
