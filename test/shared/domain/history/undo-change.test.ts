import { beforeEach, expect, jest, test } from '@jest/globals';
import type { SetAccessBody } from '#shared/contract/access.ts';
import { recordOf } from '#shared/contract/change.ts';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { type HeldRole, parseHeldRole } from '#shared/contract/operator-role.ts';
import { setAccess } from '#shared/domain/access/set-status.ts';
import { undoChange, viewChanges } from '#shared/domain/history/undo-change.ts';
import { verifyChanges } from '#shared/domain/history/verify-changes.ts';
import { assignRole, revokeRole } from '#shared/domain/role/grant-role.ts';
import { deleteUser } from '#shared/domain/user/delete-user.ts';
import { createUser, setUserStatus, updateUser } from '#shared/domain/user/users.ts';
import { redactChange } from '#shared/integrity/redact-change.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, roleItem, userItem } from '../../../support/table-items.ts';

const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'editor' as RoleName];
const held = (...roles: string[]) => roles.flatMap((text): HeldRole | readonly HeldRole[] => parseHeldRole(text) ?? []);

const memory = tableForEachTest(new Date('2026-11-20T19:00:00.000Z'));
const access = () => memory.table.get({ pk: 'USER#ada', sk: 'ACCESS#billing' });
const changes = () =>
  memory.table.items().filter(({ pk, sk }) => String(pk).startsWith('USER#') && String(sk).startsWith('CHANGE#'));
const last = () => changes().at(-1);
const at = (time: string) => jest.setSystemTime(new Date(`2026-11-20T${time}.000Z`));

const set = async (setting: Partial<SetAccessBody>) => {
  const whole = { status: 'disabled', reason: null, until: null, ...setting } as SetAccessBody;
  return (await setAccess({ userId, appId, setting: whole }, context)).changeId ?? '';
};
const assign = async (expiresAt: string | null = null) =>
  (await assignRole({ userId, appId, grant: { role, expiresAt } }, context)).changeId ?? '';
const deactivate = async () =>
  (await setUserStatus({ userId, status: 'inactive', reason: null }, context)).changeId ?? '';
const revoke = async () => (await revokeRole({ userId, appId, role }, context)).changeId ?? '';
const undo = (changeId: string, by = context, roles = held('admin')) =>
  undoChange({ userId, changeId, heldRoles: roles }, by);

beforeEach(() => {
  for (const id of ['ada', 'bob']) memory.put(userItem({ userId: id, displayName: id }));
  memory.put(applicationItem(), roleItem());
});

test("undoing a block restores the previous state, and is recorded with the operator's role", async () => {
  const blocked = await set({ reason: 'left' });
  const undone = await undo(blocked);
  expect(undone).toEqual({ userId, appId, changed: true, changeId: expect.any(String), version: 2 });
  expect(access()).toMatchObject({ status: null, version: 2 });
  expect(last()).toMatchObject({
    id: undone.changeId,
    action: 'access.changed',
    undoOf: blocked,
    caller: { kind: 'operator', via: 'iam', id: 'eve', role: 'admin' },
  });
  await undo(undone.changeId ?? '');
  expect(access()).toMatchObject({ status: 'disabled', reason: 'left', version: 3 });
});

test.each([
  ['a block', () => set({}), () => set({})],
  ['a grant', () => assign(), () => assign()],
  ['a status', () => deactivate(), () => deactivate()],
])(
  'undoing %s of a user who is erased and created again meanwhile is refused, whatever the versions are',
  async (_, change, again) => {
    const changeId = await change();
    at('19:00:05');
    memory.before = async ({ input }) => {
      if (JSON.stringify(input).includes(changeId)) return;
      // The change has been read.
      memory.before = undefined;
      await setUserStatus({ userId, status: 'inactive', reason: null }, context);
      await deleteUser({ userId }, context);
      await createUser({ userId, displayName: null, email: null }, context);
      await again();
    };
    await expect(undo(changeId)).rejects.toMatchObject({ code: 'version_mismatch' });
  },
);

test('undoing restores a block with its expiry and reason, unless it would have expired', async () => {
  const until = '2026-11-20T20:00:00.000Z';
  await set({ until, reason: 'audit' });
  const enabled = await set({ status: 'enabled' });
  at('19:59:59');
  await undo(enabled);
  expect(access()).toMatchObject({ status: 'disabled', until, reason: 'audit' });
  const again = await set({ status: 'enabled' });
  at('20:00:00');
  await expect(undo(again)).rejects.toMatchObject({
    code: 'not_undoable',
    options: { detail: `The block would have expired at ${until}. Set a new one if it is still needed.` },
  });
});

test('a block that had expired before the change is restored as an expired one', async () => {
  const until = '2026-11-20T19:30:00.000Z';
  await set({ until });
  at('19:30:00');
  const enabled = await set({ status: 'enabled' });
  at('21:00:00');
  await undo(enabled);
  expect(access()).toMatchObject({ status: 'disabled', until });
});

test('undoing restores a revoked role with its expiry, and revokes an assigned one', async () => {
  const expiresAt = '2026-11-20T20:00:00.000Z';
  const assigned = await assign(expiresAt);
  const revoked = await revoke();
  const back = await undo(revoked);
  expect(access()?.roles).toMatchObject({ editor: { expiresAt } });
  expect(last()).toMatchObject({ action: 'role.assigned', undoOf: revoked });
  await undo(back.changeId ?? '');
  expect(access()?.roles).toEqual({});
  expect(last()).toMatchObject({ action: 'role.revoked', undoOf: back.changeId });
  await expect(undo(assigned)).rejects.toMatchObject({ code: 'version_mismatch' });
});

test('a grant that would have expired is not restored', async () => {
  const expiresAt = '2026-11-20T20:00:00.000Z';
  await assign(expiresAt);
  const revoked = await revoke();
  at('20:00:00');
  await expect(undo(revoked)).rejects.toMatchObject({
    code: 'not_undoable',
    options: { detail: `The grant would have expired at ${expiresAt}. Set a new one if it is still needed.` },
  });
});

test('a grant that has expired is not restored, although its change follows one of a clock that is ahead', async () => {
  const expiresAt = '2026-11-20T19:30:00.000Z';
  await assign(expiresAt);
  memory.put({ ...access(), updatedAt: '2026-11-20T19:45:00.000Z' });
  const revoked = await revoke();
  at('20:00:00');
  await expect(undo(revoked)).rejects.toMatchObject({ code: 'not_undoable' });
});

test('a role that was redefined since the change is not restored', async () => {
  await assign();
  const revoked = await revoke();
  memory.put(roleItem({ createdAt: '2026-11-20T19:30:00.000Z' }));
  await expect(undo(revoked)).rejects.toMatchObject({ code: 'role_not_found' });
});

test('undoing the assignment of an expired role changes nothing', async () => {
  const assigned = await assign('2026-11-20T19:30:00.000Z');
  at('20:00:00');
  const undone = await undo(assigned);
  expect([undone.changed, undone.changeId]).toEqual([false, null]);
  expect(changes()).toHaveLength(1);
});

test('undoing the status of a user activates the user again, without an application', async () => {
  const { changeId } = await setUserStatus({ userId, status: 'inactive', reason: 'left' }, context);
  expect(await undo(changeId ?? '')).toEqual({ userId, changed: true, changeId: last()?.id, version: 3 });
  expect(memory.table.get({ pk: 'USER#ada', sk: 'USER' })).toMatchObject({ status: 'active' });
  expect(last()).toMatchObject({ action: 'user.status.changed', undoOf: changeId, reason: null });
  await expect(undo(changeId ?? '')).rejects.toMatchObject({ code: 'version_mismatch' });
});

test('a change of another kind or of another user cannot be undone', async () => {
  const { changeId } = await updateUser({ userId, displayName: 'Ada' }, context);
  await expect(undo(changeId ?? '')).rejects.toMatchObject({
    code: 'not_undoable',
    options: { detail: "Only changes of a user's status, access or roles can be undone." },
  });
  await expect(undo('01JCZ5T0000000000000000000')).rejects.toMatchObject({ code: 'change_not_found' });
});

test('undoing requires the role support, in the application of the change or for the user in all of them', async () => {
  const blocked = await set({});
  const { changeId: inactive } = await setUserStatus({ userId, status: 'inactive', reason: null }, context);
  const refused = (detail: string) => ({
    code: 'role_required',
    options: { detail: expect.stringContaining(detail), members: { requiredRole: 'support' } },
  });
  const ofApplication = refused('Requires the support role for the application billing;');
  await expect(undo(blocked, context, held('viewer'))).rejects.toMatchObject(ofApplication);
  await expect(undo(blocked, context, held('support:wiki'))).rejects.toMatchObject(ofApplication);
  const ofUser = refused('Requires the support role for all applications;');
  await expect(undo(inactive ?? '', context, held('support:billing'))).rejects.toMatchObject(ofUser);
  expect(await undo(inactive ?? '', context, held('support'))).toMatchObject({ changed: true });
  expect(await undo(blocked, context, held('viewer', 'support:billing'))).toMatchObject({ changed: true });
  expect(last()).toMatchObject({ caller: { id: 'eve', role: 'support' } });
});

test.each([
  ['admin', ['possible', 'possible', 'possible', 'not_undoable']],
  ['support', ['possible', 'possible', 'possible', 'not_undoable']],
  ['support:billing', ['possible', 'possible', 'role_required', 'role_required']],
  ['support:wiki', ['role_required', 'role_required', 'role_required', 'role_required']],
  ['viewer', ['role_required', 'role_required', 'role_required', 'role_required']],
])(
  '%s reads of each change whether it can be undone, or with which code its undoing is refused',
  async (by, expected) => {
    await set({});
    await assign();
    await setUserStatus({ userId, status: 'inactive', reason: null }, context);
    await updateUser({ userId, displayName: 'Ada' }, context);
    const page = { items: changes().map(changeOf), cursor: null };
    const viewed = viewChanges(page, held(by));
    expect(viewed.items.map(({ undo: state }) => state)).toEqual(expected);
    expect({ ...viewed, items: viewed.items.map(recordOf) }).toEqual(page);
    for (const { id, undo: state } of viewed.items) {
      const outcome = await undo(id, { ...context, dryRun: true }, held(by)).catch(({ code }) => code);
      // That the access or the user has changed since is found by the undoing alone.
      const isPossible = outcome === 'version_mismatch' || outcome.changed === true;
      expect([id, isPossible ? 'possible' : outcome]).toEqual([id, state]);
    }
  },
);

test('all attempts of a call undo a change once and get the same response', async () => {
  const blocked = await set({});
  const first = await undo(blocked, operatorAttempt('first', 'call'));
  expect(await undo(blocked, operatorAttempt('second', 'call'))).toEqual(first);
  expect(changes()).toHaveLength(2);
});

test('an undo of a single change is in no bulk', async () => {
  await undo(await set({}));
  expect(changes().map(({ bulkId }) => bulkId)).toEqual([undefined, undefined]);
});

test('an exported change verifies as unchanged, also redacted, and as changed after any modification', async () => {
  await set({ reason: 'left' });
  const [change] = changes().map(changeOf);
  const { integrity, ...without } = change ?? {};
  const redacted = redactChange(change as never);
  const read = { ...change, undo: 'possible' };
  const others = [
    { ...change, reason: 'other' },
    { ...change, integrity: { ...integrity, root: 'k9' } },
    { ...redacted, reason: 'left' },
    without,
  ];
  const verdicts = await verifyChanges([change, redacted, read, ...others] as never);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual([
    'unchanged',
    'unchanged',
    'unchanged',
    'changed',
    'unknown-root',
    'changed',
    'without-mac',
  ]);
  expect(new Set(verdicts.map(({ id }) => id))).toEqual(new Set([change?.id]));
});
