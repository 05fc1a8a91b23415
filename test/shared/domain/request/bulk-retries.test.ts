import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, BulkId, RoleName } from '#shared/contract/fields.ts';
import { createUlid } from '#shared/core/ids.ts';
import { setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { assignRoleInBulk } from '#shared/domain/role/members.ts';
import { setUserStatusInBulk } from '#shared/domain/user/users.ts';
import { operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, roleItem, userItem } from '../../../support/table-items.ts';

type Context = ReturnType<typeof operatorAttempt>;

const start = new Date('2026-11-20T19:00:00.000Z');
const memory = tableForEachTest(start);
const [appId, role] = ['billing' as AppId, 'editor' as RoleName];
const userIds = ['ada', 'bob'];
const until = '2026-11-20T20:00:00.000Z';
const hours = (count: number) => new Date(start.getTime() + count * 3_600_000);
const block = (by: Context, end = until) =>
  setAccessInBulk({ appId, userIds, setting: { status: 'disabled', reason: null, until: end } }, by);
const bulkId = () => createUlid(start) as BulkId;

beforeEach(() => {
  memory.put(applicationItem(), roleItem(), ...userIds.map((userId) => userItem({ userId })));
});

describe('a retry of a bulk gets the outcomes of the attempt that took effect', () => {
  const id = bulkId();
  test.each<[string, (by: Context) => Promise<readonly { outcome: string }[]>]>([
    ['a block has expired', (by) => block(by)],
    ['a grant has expired', (by) => assignRoleInBulk({ appId, role, userIds, expiresAt: until }, by)],
    ['the bulk is a day old', (by) => setUserStatusInBulk({ userIds, status: 'inactive', bulkId: id }, by)],
  ])('although %s since', async (_, change) => {
    const first = await change(operatorAttempt('first', 'call'));
    expect(first.map(({ outcome }) => outcome)).toEqual(['changed', 'changed']);
    jest.setSystemTime(hours(25));
    const stored = memory.table.items();
    expect(await change(operatorAttempt('second', 'call'))).toEqual(first);
    expect(memory.table.items()).toEqual(stored);
  });
});

describe('a bulk that is refused as a whole', () => {
  const past = start.toISOString();

  test('is refused without any request to the table if no other attempt can exist', async () => {
    for (const by of [context, operatorAttempt('first'), { ...operatorAttempt('first', 'call'), dryRun: true }]) {
      const bulk = { appId, userIds, dryRun: by.dryRun ?? false };
      const setting = { status: 'disabled' as const, reason: null, until: past };
      await expect(setAccessInBulk({ ...bulk, setting }, by)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(memory.sdk.requests).toEqual([]);
  });

  test('is completed for each user, in one request to the table each', async () => {
    await expect(block(operatorAttempt('first', 'call'), past)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(memory.sdk.requests.map(({ command }) => command)).toEqual(['PutItemCommand', 'PutItemCommand']);
  });

  test('is refused as a whole again', async () => {
    const refusals = ['first', 'second'].map((requestId) => () => block(operatorAttempt(requestId, 'call'), past));
    for (const refused of refusals) await expect(refused()).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
