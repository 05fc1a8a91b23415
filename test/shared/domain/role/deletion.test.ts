import '../../../support/settle-ten-seconds.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { startDeletion } from '#shared/domain/request/settling.ts';
import { defineRole } from '#shared/domain/role/define-role.ts';
import { deleteRole } from '#shared/domain/role/delete-role.ts';
import { assignRole } from '#shared/domain/role/grant-role.ts';
import { sweepRole } from '#shared/domain/role/sweep-role.ts';
import { operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { accessItem, applicationItem, memberItem, roleItem, userItem } from '../../../support/table-items.ts';

const start = Date.parse('2026-11-20T19:00:00.000Z');
const grantedAt = '2026-02-01T00:00:00.000Z';
const [appId, role] = ['billing' as AppId, 'editor' as RoleName];
const [userId, bob] = ['ada' as UserId, 'bob' as UserId];
const roleKey = { pk: 'APP#billing', sk: 'ROLE#editor' };
const memberKey = { pk: 'APP#billing#ROLE#editor', sk: 'USER#ada' };
const accessKey = { pk: 'USER#ada', sk: 'ACCESS#billing' };

const memory = tableForEachTest(start);
const put = (role: Parameters<typeof roleItem>[0]) => memory.put(roleItem(role));
const putMember = (grant: { readonly grantedAt: string } = { grantedAt }) =>
  memory.put(memberItem(grant), accessItem({ roles: { editor: { grantedAt, expiresAt: null } } }));
const stored = () => memory.table.get(roleKey);
const changes = () => memory.table.items().flatMap(({ sk, action }) => (/^CHANGE#/.test(String(sk)) ? [action] : []));

beforeEach(() => {
  memory.put(applicationItem(), userItem(), userItem({ userId: 'bob' }));
});

/** Returns the outcome, when only waiting takes time. */
const outcomeOf = async (run: () => Promise<unknown>) => {
  const settled = run().catch((error) => error);
  await jest.advanceTimersByTimeAsync(60_000);
  return settled;
};

describe('a role without members', () => {
  const remove = (by = context) => outcomeOf(() => deleteRole({ appId, role, force: false }, by));

  test('is closed until no grant can be in progress, and then deleted immediately', async () => {
    put({});
    expect(await remove()).toEqual({ changed: true, complete: true });
    const settled = new Date(start + 10_000).toISOString();
    expect(stored()).toMatchObject({ deleting: true, swept: true, version: 2, updatedAt: settled });
    expect(changes()).toEqual(['role.deleted']);
  });

  test('is not deleted if it was assigned while closed', async () => {
    put({});
    memory.beforeFirst('closedUntil', () => setTimeout(() => putMember(), 5_000));
    expect(await remove()).toMatchObject({
      code: 'role_in_use',
      options: { detail: 'Users hold this role. Revoke it first, or send ?force=true.' },
    });
    expect(stored()).toMatchObject({ version: 1 });
    expect(stored()).not.toHaveProperty('closedUntil');
  });

  test.each([
    ['closed by another request', { closedUntil: '2026-11-20T19:02:00.000Z' }],
    ['reopened', {}],
  ])('is not deleted if it was %s in the meantime', async (_, meanwhile) => {
    put({});
    memory.beforeFirst('closedUntil', () => setTimeout(() => put(meanwhile), 5_000));
    const changing = 'This role is being modified. Try again.';
    expect(await remove()).toMatchObject({ code: 'unavailable', options: { detail: changing } });
    expect(stored()).not.toHaveProperty('deleting');
    put({ version: 7 });
    memory.beforeFirst('closedUntil', () => put({ version: 8 }));
    expect(await remove()).toMatchObject({ code: 'unavailable', options: { detail: changing } });
  });

  test('is not deleted if it was assigned by a process for whose clock its closing has passed', async () => {
    const closedUntil = new Date(start).toISOString();
    put({ closedUntil });
    await assignRole({ userId, appId, grant: { role, expiresAt: null } }, context);
    expect(stored()).not.toHaveProperty('closedUntil');
    put({ closedUntil });
    memory.beforeFirst('TransactWrite', () => put({ deleting: true, swept: false, version: 2 }));
    const late = outcomeOf(() => assignRole({ userId: bob, appId, grant: { role, expiresAt: null } }, context));
    expect(await late).toMatchObject({ code: 'role_not_found' });
    expect(memory.table.get({ pk: memberKey.pk, sk: 'USER#bob' })).toBeUndefined();
  });

  test('is not deleted if it is gone by then', async () => {
    put({});
    const remove = { Key: roleKey };
    memory.beforeFirst('closedUntil', () =>
      setTimeout(() => memory.table.apply({ kind: 'Delete', input: remove }), 5_000),
    );
    expect(await outcomeOf(() => deleteRole({ appId, role, force: false }, context))).toMatchObject({
      code: 'unavailable',
    });
  });

  test('that does not exist counts as deleted, unless it was defined since', async () => {
    expect(await remove()).toEqual({ changed: false, complete: true });
    let reads = 0;
    memory.before = ({ command }) => {
      if (command === 'BatchGetItemCommand' && ++reads === 2) put({});
    };
    expect(await remove()).toMatchObject({
      code: 'unavailable',
      options: { detail: 'This role is being modified. Try again.' },
    });
    expect(stored()).not.toHaveProperty('deleting');
  });

  test('is deleted once by all attempts of a call', async () => {
    put({});
    expect(await remove(operatorAttempt('r1', 'call'))).toEqual({ changed: true, complete: true });
    put({ createdAt: new Date(start).toISOString() });
    expect(await remove(operatorAttempt('r2', 'call'))).toMatchObject({ changed: true });
    expect(stored()).not.toHaveProperty('deleting');
  });
});

describe('a deleted role is revoked from', () => {
  const remove = () => outcomeOf(() => deleteRole({ appId, role, force: true }, context));
  beforeEach(() => put({}));

  test('everyone, each with a change', async () => {
    putMember();
    expect(await remove()).toEqual({ changed: true, complete: true });
    expect(memory.table.get(memberKey)).toBeUndefined();
    expect(memory.table.get(accessKey)).toMatchObject({ roles: {}, version: 2 });
    expect(changes().toSorted()).toEqual(['role.deleted', 'role.revoked']);
  });

  test('users who got it by a concurrent grant', async () => {
    setTimeout(() => putMember(), 9_000);
    expect(await remove()).toEqual({ changed: true, complete: true });
    expect([memory.table.get(memberKey), stored()?.swept]).toEqual([undefined, true]);
  });

  test.each([
    ['an entry of a grant no longer held', () => putMember({ grantedAt: '2026-03-01T00:00:00.000Z' })],
    ['an entry whose user is gone', () => memory.put({ ...memberItem({ grantedAt }), userId: 'eve' })],
  ])('%s, which is removed', async (_, entry) => {
    entry();
    expect(await remove()).toEqual({ changed: true, complete: true });
    expect(memory.table.get(memberKey)).toBeUndefined();
    expect(changes()).toEqual(['role.deleted']);
  });

  test('no one if another request has done it and redefined the role', async () => {
    memory.beforeFirst('QueryCommand', () => {
      put({ version: 3 });
      putMember();
    });
    expect(await remove()).toEqual({ changed: true, complete: true });
    expect(memory.table.get(memberKey)).toBeDefined();
    expect(stored()).toMatchObject({ version: 3 });
  });

  test('everyone, ten at a time, by a retry of an interrupted request', async () => {
    put({ deleting: true, swept: false, version: 2 });
    for (let n = 0; n < 15; n++) memory.put(memberItem({ userId: `user-${n}`, grantedAt }));
    expect(await remove()).toEqual({ changed: false, complete: true });
    expect([changes(), stored()?.swept]).toEqual([[], true]);
    const queries = memory.sdk.requests.filter(({ command }) => command === 'QueryCommand');
    expect(queries.map(({ input }) => input.Limit)).toEqual([10, 10, 10, 10]);
  });

  test('no one if no time is left, which is reported', async () => {
    put({ deleting: true, version: 2 });
    putMember();
    const deleted = { appId, role, version: 2 };
    const sweep = (time: object) => outcomeOf(() => sweepRole(deleted, context, { ...startDeletion(), ...time }));
    expect(await sweep({ hasTime: () => false })).toBe(false);
    expect([memory.table.get(memberKey) !== undefined, stored()?.swept]).toEqual([true, undefined]);
    expect(await sweep({ waitUntil: async () => false })).toBe(false);
    expect([memory.table.get(memberKey), stored()?.swept]).toEqual([undefined, undefined]);
    let passes = 0;
    expect(await sweep({ hasTime: () => ++passes === 1 })).toBe(false);
    expect(stored()?.swept).toBeUndefined();
    expect(await sweep({})).toBe(true);
    expect(stored()?.swept).toBe(true);
  });

  test('no one if a revocation fails for another reason', async () => {
    putMember();
    memory.before = ({ command }) => {
      if (command === 'TransactWriteItemsCommand' && memory.table.get(roleKey)?.deleting) throw new Error('defect');
    };
    expect(await remove()).toMatchObject({ message: 'defect' });
    expect(memory.table.get(memberKey)).toBeDefined();
  });
});

describe('a role with the name of a deleted one', () => {
  const define = (description: string) =>
    outcomeOf(() => defineRole({ appId, role, description }, operatorAttempt('r', 'call')));
  beforeEach(() => {
    put({ deleting: true, swept: false, version: 2, description: 'old' });
    putMember();
  });

  test('starts without members: the rest of the deletion is completed first', async () => {
    const at = new Date(start + 10_000).toISOString();
    expect(await define('new')).toEqual({
      appId,
      role,
      description: 'new',
      version: 3,
      createdAt: at,
      updatedAt: at,
      changed: true,
      created: true,
    });
    expect(memory.table.get(memberKey)).toBeUndefined();
    expect(stored()).not.toHaveProperty('deleting');
  });

  test('is shown as newly defined by a dry run, which writes nothing', async () => {
    const dryRun = { ...context, dryRun: true };
    const definition = await outcomeOf(() => defineRole({ appId, role, description: 'new' }, dryRun));
    expect(definition).toMatchObject({ description: 'new', version: 3, changed: true, created: true });
    expect(stored()).toMatchObject({ deleting: true, swept: false, version: 2 });
    expect(memory.table.get(memberKey)).toBeDefined();
  });

  test('is not defined while the deletion is incomplete', async () => {
    memory.before = ({ command }) => {
      if (command === 'QueryCommand') jest.setSystemTime(Date.now() + 30_000);
    };
    expect(await define('new')).toMatchObject({
      code: 'unavailable',
      options: { detail: 'The deleted role still has members. Try again.' },
    });
    expect(stored()).toMatchObject({ deleting: true, version: 2 });
  });

  test('is not defined if it was deleted again in the meantime', async () => {
    memory.beforeFirst('swept', () => undefined);
    setTimeout(() => put({ deleting: true, swept: false, version: 4 }), 9_999);
    expect(await define('new')).toMatchObject({
      code: 'unavailable',
      options: { detail: 'This role is being deleted. Try again.' },
    });
    expect(stored()).toMatchObject({ deleting: true, version: 4 });
  });
});
