import { beforeEach, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import type { OperatorRole } from '#shared/contract/operator-role.ts';
import { issueKey } from '#shared/domain/api-key/manage-keys.ts';
import { createApplication, updateApplication } from '#shared/domain/application/applications.ts';
import { undoApplicationChange } from '#shared/domain/history/undo-application-change.ts';
import { viewChanges } from '#shared/domain/history/undo-change.ts';
import { changeOf } from '#shared/table/items/change-item.ts';
import { operatorContext as context, operatorAttempt } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';

const appId = 'billing' as AppId;
const memory = tableForEachTest();
const changes = () => memory.table.items().filter(({ action, after }) => action !== undefined && after !== undefined);
const update = async (settings: Partial<Parameters<typeof updateApplication>[0]>) =>
  (await updateApplication({ appId, ...settings }, context)).changeId ?? '';
const undo = (changeId: string, by = context) => undoApplicationChange({ appId, changeId }, by);

beforeEach(async () => {
  await createApplication({ appId, name: 'Billing' }, context);
});

test('undoing a change of the rollout restores the percentage before, and can be undone too', async () => {
  const lowered = await update({ rolloutPercent: 10 });
  const undone = await undo(lowered, { ...context, reason: 'wrong application', ticket: 'INC-1' });
  expect(undone).toMatchObject({ rolloutPercent: 100, version: 3, changed: true, changeId: changes().at(-1)?.id });
  expect(changes().at(-1)).toMatchObject({
    action: 'application.updated',
    undoOf: lowered,
    before: { rolloutPercent: 10 },
    after: { rolloutPercent: 100 },
    reason: 'wrong application',
    ticket: 'INC-1',
  });
  expect(await undo(undone.changeId ?? '')).toMatchObject({ rolloutPercent: 10, version: 4 });
});

test('only what the change set is restored, each setting as it was before', async () => {
  await update({ requestsPerSecond: 200, reviewEveryDays: 90 });
  const changeId = await update({ name: 'Invoices', requestsPerSecond: null, requireReason: 'all' });
  const restored = { name: 'Billing', requestsPerSecond: 200, requireReason: null, reviewEveryDays: 90 };
  expect(await undo(changeId, { ...context, reason: 'mistake' })).toMatchObject(restored);
});

test('neither a key that was issued since, nor another setting, keeps a change from being undone', async () => {
  const lowered = await update({ rolloutPercent: 10 });
  await issueKey({ appId, label: null, scopes: ['access:read'], expiresAt: null }, context);
  await update({ requestsPerSecond: 200 });
  expect(await undo(lowered)).toMatchObject({ rolloutPercent: 100, requestsPerSecond: 200, version: 5 });
});

test('a change after which one of its settings was changed is not undone', async () => {
  const lowered = await update({ rolloutPercent: 10 });
  await update({ name: 'Invoices' });
  await expect(undo(lowered)).rejects.toMatchObject({ code: 'version_mismatch', options: { members: { version: 3 } } });
});

test('neither is one that somebody wrote to the table, nor one of another kind', async () => {
  const lowered = await update({ rolloutPercent: 10 });
  const [created, stored] = changes();
  memory.put({ ...stored, before: { ...Object(stored?.before), rolloutPercent: 50 } });
  const detail = expect.stringContaining('The MAC of this change cannot be verified');
  await expect(undo(lowered)).rejects.toMatchObject({ code: 'not_undoable', options: { detail } });
  await expect(undo(String(created?.id))).rejects.toMatchObject({ code: 'not_undoable' });
  await expect(undo('01JCZ5T0000000000000000000')).rejects.toMatchObject({ code: 'change_not_found' });
});

test('all attempts of a call undo a change once and get the same response', async () => {
  const lowered = await update({ rolloutPercent: 10 });
  const first = await undo(lowered, operatorAttempt('first', 'call'));
  expect(await undo(lowered, operatorAttempt('second', 'call'))).toEqual(first);
});

test.each<[OperatorRole, string]>([
  ['admin', 'possible'],
  ['support', 'role_required'],
])('%s reads of it that undoing is %s', async (role, expected) => {
  await update({ rolloutPercent: 10 });
  const { items } = viewChanges({ items: changes().map(changeOf), cursor: null }, [{ role, appId }]);
  expect(items.map(({ undo: state }) => state)).toEqual(['not_undoable', expected]);
});
