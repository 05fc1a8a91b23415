import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { createApplication } from '#shared/domain/application/applications.ts';
import { undoChange } from '#shared/domain/history/undo-change.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { createUser, updateUser } from '#shared/domain/user/users.ts';
import { operatorContext as context } from '#test/support/stored-items.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { isChange, type Stored, tornWrites } from '#test/support/torn-writes.ts';

const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'admin' as RoleName];
const userKey = { pk: `USER#${userId}`, sk: 'USER' };
const accessKey = { pk: `USER#${userId}`, sk: `ACCESS#${appId}` };

const memory = tableForEachTest();
const { repair, changes, tear: tearItems } = tornWrites(memory);

/** Tears a write; returns what the access was with all of it. */
async function tear(write: () => Promise<unknown>, comes: (item: Stored) => boolean) {
  const whole = await tearItems(write, comes);
  return whole.find(({ pk, sk }) => pk === accessKey.pk && sk === accessKey.sk);
}

const block = (until: string | null = null) =>
  setAccess({ userId, appId, setting: { status: 'disabled', reason: 'left', until } }, context);
const assign = (expiresAt: string | null = null) => assignRole({ userId, appId, grant: { role, expiresAt } }, context);
const revoke = () => revokeRole({ userId, appId, role }, context);

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
  await createUser({ userId, displayName: 'Ada King', email: null }, context);
  await defineRole({ appId, role, description: null }, context);
});

describe('an access of whose write only the change came is what the write made of it', () => {
  test.each<[string, () => Promise<() => Promise<unknown>>]>([
    ['a block', async () => block],
    ['a block with an end', async () => () => block('2026-12-01T00:00:00.000Z')],
    ['a grant', async () => assign],
    [
      'the end of a grant',
      async () => {
        await assign();
        return revoke;
      },
    ],
    [
      'the undoing of a block, after which no status is set',
      async () => {
        const { changeId } = await block();
        return () =>
          undoChange({ userId, changeId: String(changeId), heldRoles: [{ appId: null, role: 'admin' }] }, context);
      },
    ],
  ])('%s', async (_, prepare) => {
    const write = await prepare();
    jest.setSystemTime(new Date('2026-11-20T19:00:10.000Z'));
    const whole = await tear(write, isChange);
    expect(memory.table.get(accessKey)).not.toEqual(whole);
    await repair();
    expect(memory.table.get(accessKey)).toEqual(whole);
    expect(await repair()).toEqual([]);
  });
});

describe('an access whose change was lost gets one', () => {
  const lose = (write: () => Promise<unknown>) => tear(write, (item) => !isChange(item));

  test('that its block names, and that the user has already when the repair reads again', async () => {
    await lose(block);
    expect((await repair()).filter((kind) => kind !== 'history-gap')).toEqual(['pending', 'change-missing']);
    const [change] = changes('access.changed');
    expect(memory.table.get(accessKey)).toMatchObject({ status: 'disabled', statusChangeId: change?.id });
    expect(memory.table.get(userKey)).toMatchObject({ lastChangeId: change?.id });
  });

  test('that grants nothing which has expired since', async () => {
    await lose(() => assign('2026-11-20T19:00:30.000Z'));
    jest.setSystemTime(new Date('2026-11-20T19:01:00.000Z'));
    expect(await repair()).toContain('change-missing');
    expect(changes('role.assigned')).toEqual([]);
  });
});

test('a change of a name that is applied late leaves the user at the later change of an access', async () => {
  await tear(() => updateUser({ userId, displayName: 'Ada Lovelace' }, context), isChange);
  jest.setSystemTime(new Date('2026-11-20T19:00:10.000Z'));
  await block();
  const [blocked] = changes('access.changed');
  expect((await repair()).filter((kind) => kind === 'state-behind')).toHaveLength(1);
  expect(memory.table.get(userKey)).toMatchObject({ displayName: 'Ada Lovelace', lastChangeId: blocked?.id });
});

test('of an access that began anew, only the changes since then say what it was', async () => {
  const twoBlocksAndGrant = async () => {
    await block();
    await block('2026-12-01T00:00:00.000Z');
    await assign();
  };
  await tear(twoBlocksAndGrant, isChange);
  jest.setSystemTime(new Date('2026-11-20T19:00:05.000Z'));
  await setAccess({ userId, appId, setting: { status: 'enabled', reason: 'new', until: null } }, context);
  jest.setSystemTime(new Date('2026-11-20T19:00:10.000Z'));
  const known = changes('access.changed').length;
  const whole = await tear(
    () => setAccess({ userId, appId, setting: { status: 'disabled', reason: 'late', until: null } }, context),
    (item) => !isChange(item),
  );
  expect(await repair()).toEqual(expect.arrayContaining(['change-missing']));
  expect(whole).toMatchObject({ status: 'disabled', reason: 'late', version: 2 });
  expect(memory.table.get(accessKey)).toMatchObject({ status: 'disabled', reason: 'late', roles: {} });
  expect(changes('access.changed')).toHaveLength(known + 1);
  expect(changes('role.revoked')).toEqual([]);
});
