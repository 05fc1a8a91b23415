import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SetAccessBody } from '#shared/contract/access.ts';
import type { AppId, BulkId, RoleName, UserId } from '#shared/contract/fields.ts';
import { type HeldRole, parseHeldRole } from '#shared/contract/operator-role.ts';
import { createUlid } from '#shared/core/ids.ts';
import { setAccess, setAccessInBulk } from '#shared/domain/access/set-status.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { setUserStatusInBulk, updateUser } from '#shared/domain/user/users.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import type { UndoableChange } from '#shared/table/items/read-change.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { applicationItem, roleItem, userItem } from '#test/support/table-items.ts';
import { undoBulk } from '../../server/undo-bulk.ts';
import { itemAfterBulk } from '../../server/undo-whole-bulk.ts';

const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'editor' as RoleName];
const held = (...roles: string[]) => roles.flatMap((text): HeldRole | readonly HeldRole[] => parseHeldRole(text) ?? []);

const memory = tableForEachTest(new Date('2026-11-20T19:00:00.000Z'));
const access = () => memory.table.get({ pk: 'USER#ada', sk: 'ACCESS#billing' });
const changes = () =>
  memory.table.items().filter(({ pk, sk }) => String(pk).startsWith('USER#') && String(sk).startsWith('CHANGE#'));
const set = async (setting: Partial<SetAccessBody>) => {
  const whole = { status: 'disabled', reason: null, until: null, ...setting } as SetAccessBody;
  return (await setAccess({ userId, appId, setting: whole }, context)).changeId ?? '';
};

beforeEach(() => {
  for (const id of ['ada', 'bob']) memory.put(userItem({ userId: id, displayName: id }));
  memory.put(applicationItem(), roleItem());
});

const newBulk = () => createUlid(new Date()) as BulkId;
const users = { userIds: ['ada', 'bob'] };
const undoAll = (bulkId: BulkId, also: object = {}) =>
  undoBulk({ bulkId, heldRoles: held('admin'), limit: 10, ...also }, context);

test('a bulk is undone separately for each user without a later change', async () => {
  const bulkId = newBulk();
  const setting = { status: 'disabled', reason: null, until: null } as const;
  await setAccessInBulk({ ...users, bulkId, appId, setting }, context);
  await set({ status: 'enabled' });
  const { items, cursor } = await undoAll(bulkId, { appId });
  expect(cursor).toBeNull();
  expect(items.map((one) => [one.userId, one.outcome]).sort()).toEqual([
    ['ada', 'failed'],
    ['bob', 'changed'],
  ]);
  expect(items.map(({ changeId }) => changeId).sort()).toEqual(
    changes()
      .filter((change) => change.bulkId === bulkId && change.undoOf === undefined)
      .map(({ id }) => id)
      .sort(),
  );
  expect(access()).toMatchObject({ status: 'enabled' });
});

test('an undo keeps the bulk of what it undoes, and is not undone with it', async () => {
  const bulkId = newBulk();
  await setUserStatusInBulk({ ...users, bulkId, status: 'inactive', reason: null }, context);
  const made = changes().map(({ id }) => id);
  await undoAll(bulkId);
  const undos = changes().filter(({ undoOf }) => undoOf !== undefined);
  expect(undos.map((change) => [change.undoOf, change.bulkId]).sort()).toEqual(made.map((id) => [id, bulkId]).sort());
  const again = await undoAll(bulkId);
  expect(again.items.map(({ changeId }) => changeId).sort()).toEqual([...made].sort());
  expect(changes()).toHaveLength(4);
});

test('a bulk of the global status is undone page by page, first as a dry run', async () => {
  const bulkId = newBulk();
  await setUserStatusInBulk({ ...users, bulkId, status: 'inactive', reason: null }, context);
  const before = memory.table.items();
  const trial = await undoAll(bulkId, { dryRun: true });
  expect(trial.items.map(({ outcome }) => outcome)).toEqual(['changed', 'changed']);
  expect(memory.table.items()).toEqual(before);
  const first = await undoAll(bulkId, { limit: 1 });
  const second = await undoAll(bulkId, { limit: 1, cursor: first.cursor });
  expect([first, second].map(({ items }) => items.map(({ outcome }) => outcome))).toEqual([['changed'], ['changed']]);
  expect(second.cursor).toBeNull();
  const status = (id: string) => memory.table.get({ pk: `USER#${id}`, sk: 'USER' })?.status;
  expect(['ada', 'bob'].map(status)).toEqual(['active', 'active']);
  await expect(undoAll(newBulk(), { cursor: first.cursor })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a bulk is undone from five minutes before the time in its id to a day after it, latest first', async () => {
  const begin = Date.now() + 300_000;
  const bulkId = createUlid(new Date(begin)) as BulkId;
  await setUserStatusInBulk({ userIds: ['bob'], bulkId, status: 'inactive', reason: null }, context);
  jest.setSystemTime(begin + 24 * 3_600_000 - 1000);
  await setUserStatusInBulk({ userIds: ['ada'], bulkId, status: 'inactive', reason: null }, context);
  const { items } = await undoAll(bulkId);
  expect(items.map((one) => [one.userId, one.outcome])).toEqual([
    ['ada', 'changed'],
    ['bob', 'changed'],
  ]);
});

describe('a change of a bulk that was undone before', () => {
  const setting = { status: 'disabled', reason: null, until: null } as const;
  const undoneBulk = async () => {
    const bulkId = newBulk();
    await setAccessInBulk({ ...users, bulkId, appId, setting }, context);
    await undoAll(bulkId, { appId });
    return bulkId;
  };
  const outcomes = async (bulkId: BulkId, also: object = {}) => {
    const { items } = await undoAll(bulkId, { appId, ...also });
    return Object.fromEntries(items.map(({ userId: id, outcome, problem }) => [id, problem?.code ?? outcome]));
  };

  test('is unchanged when the bulk is undone again, also in a dry run', async () => {
    const bulkId = await undoneBulk();
    expect(await outcomes(bulkId, { dryRun: true })).toEqual({ ada: 'unchanged', bob: 'unchanged' });
    expect(await outcomes(bulkId)).toEqual({ ada: 'unchanged', bob: 'unchanged' });
    expect(changes()).toHaveLength(4);
  });

  test('is refused once the access is modified again, and once its undo is undone', async () => {
    const bulkId = await undoneBulk();
    await set({ reason: 'for another reason' });
    const undoOfBob = changes().find(({ pk, undoOf }) => pk === 'USER#bob' && undoOf !== undefined);
    await undoChange({ userId: 'bob' as UserId, changeId: String(undoOfBob?.id), heldRoles: held('admin') }, context);
    expect(await outcomes(bulkId)).toEqual({ ada: 'version_mismatch', bob: 'version_mismatch' });
    expect(access()).toMatchObject({ status: 'disabled', reason: 'for another reason' });
  });

  test('still requires the role support', async () => {
    const bulkId = await undoneBulk();
    expect(await outcomes(bulkId, { heldRoles: held('viewer') })).toEqual({
      ada: 'role_required',
      bob: 'role_required',
    });
  });
});

describe('a bulk that changed several parts of one access', () => {
  const parts = async (bulkId: BulkId) => {
    const by = { ...context, bulkId };
    await setAccess({ userId, appId, setting: { status: 'disabled' } }, by);
    await assignRole({ userId, appId, grant: { role, expiresAt: null } }, by);
    return by;
  };
  const outcomes = async (bulkId: BulkId) => {
    const { items } = await undoAll(bulkId, { appId });
    return items.map(({ outcome, problem }) => problem?.code ?? outcome);
  };

  test('is undone as a whole, and only once', async () => {
    const bulkId = newBulk();
    await parts(bulkId);
    expect(await outcomes(bulkId)).toEqual(['changed', 'changed']);
    expect(access()).toMatchObject({ status: null, roles: {} });
    expect(await outcomes(bulkId)).toEqual(['unchanged', 'unchanged']);
    expect(changes()).toHaveLength(4);
  });

  test('is undone whatever happened to the user elsewhere', async () => {
    const bulkId = newBulk();
    await parts(bulkId);
    await updateUser({ userId, displayName: 'Ada King' }, context);
    expect(await outcomes(bulkId)).toEqual(['changed', 'changed']);
  });

  test('is undone page by page', async () => {
    const bulkId = newBulk();
    await parts(bulkId);
    const first = await undoAll(bulkId, { appId, limit: 1 });
    await undoAll(bulkId, { appId, limit: 1, cursor: first.cursor });
    expect(access()).toMatchObject({ status: null, roles: {} });
  });

  test('keeps what somebody else changed in between, and undoes what the bulk changed later', async () => {
    const bulkId = newBulk();
    const by = await parts(bulkId);
    await set({ reason: 'for another reason' });
    await revokeRole({ userId, appId, role }, by);
    expect(await outcomes(bulkId)).toEqual(['changed', 'version_mismatch', 'version_mismatch']);
    expect(access()).toMatchObject({ status: 'disabled', reason: 'for another reason' });
  });

  test('undoes two changes of the same part in turn', async () => {
    const bulkId = newBulk();
    const by = await parts(bulkId);
    await setAccess({ userId, appId, setting: { status: 'enabled' } }, by);
    await setAccess({ userId, appId, setting: { status: 'disabled', reason: 'again' } }, by);
    expect(await outcomes(bulkId)).toEqual(Array(4).fill('changed'));
    expect(access()).toMatchObject({ status: null, roles: {} });
  });

  test('does not undo a change whose part the bulk changed again, and did not undo', async () => {
    const bulkId = newBulk();
    const by = await parts(bulkId);
    await setAccess({ userId, appId, setting: { status: 'enabled' } }, by);
    const [first] = changes().map(changeOf);
    const itemAfter = (change: UndoableChange) => itemAfterBulk(change, { bulkId, above: '0' });
    const one = { userId, changeId: first?.id ?? '', heldRoles: held('admin'), itemAfter };
    await expect(undoChange(one, context)).rejects.toMatchObject({ code: 'version_mismatch' });
  });
});

test('a bulk of an unknown application is not found', async () => {
  await expect(undoAll(newBulk(), { appId: 'gone' })).rejects.toMatchObject({ code: 'application_not_found' });
});
