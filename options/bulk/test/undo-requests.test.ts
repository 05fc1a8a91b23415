import { describe, expect, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import { describeService } from '#test/support/describe-service.ts';
import { describeEachEntryPoint } from '#test/support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '#test/support/expect-problem.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { newApplication, setStatus } from '#test/support/new-application.ts';
import { newUsers } from '#test/support/new-user.ts';
import { changesOf } from '#test/support/read-changes.ts';

const service = describeService();
const manage = manageClient(() => service);

const newBulk = () => createUlid(new Date());

interface Outcome {
  readonly userId: string;
  readonly outcome: string;
  readonly problem?: { readonly code: string };
}
const briefly = (items: readonly Outcome[]) =>
  Object.fromEntries(items.map(({ userId, outcome, problem }) => [userId, problem?.code ?? outcome]));

describeEachEntryPoint(manage, (ask, _, once) => {
  const accessOf = async (userId: string, appId: string) => {
    const { body } = await ask('GET', `/users/${userId}/access?limit=100`);
    return body.items.find((access: { appId: string }) => access.appId === appId);
  };
  const block = (appId: string, userIds: readonly string[], bulkId: string) =>
    ask('POST', `/applications/${appId}/access`, { userIds, bulkId, status: 'disabled', reason: 'audit' });

  once('undoes a whole bulk, except users changed since and changes of other bulks', async () => {
    const appId = await newApplication();
    const [one = '', two = '', later = '', other = ''] = await newUsers(4);
    const bulkId = newBulk();
    await block(appId, [one, two, later], bulkId);
    await block(appId, [other], newBulk());
    await setStatus(later, appId, 'disabled', 'for another reason');
    const undone = await ask('POST', `/applications/${appId}/bulks/${bulkId}/undo`);
    expect([undone.status, undone.body.cursor]).toEqual([200, null]);
    expect(briefly(undone.body.items)).toEqual({ [one]: 'changed', [two]: 'changed', [later]: 'version_mismatch' });
    const records = await changesOf(service, undone);
    expect(records.map(({ undoOf }) => undoOf).sort()).toEqual(
      undone.body.items
        .filter(({ outcome }: Outcome) => outcome === 'changed')
        .map(({ changeId }: { changeId: string }) => changeId)
        .sort(),
    );
    const listed = await ask('GET', `/changes?bulkId=${bulkId}&appId=${appId}`);
    const isUndo = ({ undoOf }: { undoOf?: string }) => undoOf !== undefined;
    expect(listed.body.items.map(isUndo)).toEqual([true, true, false, false, false]);
    expect(await accessOf(one, appId)).toMatchObject({ status: 'enabled', explicit: false });
    expect(await accessOf(later, appId)).toMatchObject({ status: 'disabled', reason: 'for another reason' });
    expect(await accessOf(other, appId)).toMatchObject({ status: 'disabled', reason: 'audit' });
  });

  once('a dry run reports what could be undone, and writes nothing', async () => {
    const appId = await newApplication();
    const [one = '', later = ''] = await newUsers(2);
    const bulkId = newBulk();
    await block(appId, [one, later], bulkId);
    await setStatus(later, appId, 'enabled');
    const preview = await ask('POST', `/applications/${appId}/bulks/${bulkId}/undo`, { dryRun: true });
    expect(briefly(preview.body.items)).toEqual({ [one]: 'changed', [later]: 'version_mismatch' });
    expect(await changesOf(service, preview)).toEqual([]);
    expect(await accessOf(one, appId)).toMatchObject({ status: 'disabled' });
  });

  once('undoes a bulk page by page, even with one user per page', async () => {
    const appId = await newApplication(['editor']);
    const userIds = await newUsers(3);
    const bulkId = newBulk();
    await ask('POST', `/applications/${appId}/roles/editor/users`, { userIds, bulkId });
    const undone: Outcome[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await ask('POST', `/applications/${appId}/bulks/${bulkId}/undo?limit=1${query}`);
      expect(body.items.length).toBeLessThanOrEqual(1);
      undone.push(...body.items);
      cursor = body.cursor;
    }
    expect(briefly(undone)).toEqual(Object.fromEntries(userIds.map((userId) => [userId, 'changed'])));
    expect((await ask('GET', `/applications/${appId}/roles/editor/users`)).body.items).toEqual([]);
  });

  once('undoes a bulk of the global status, and a second time changes nothing', async () => {
    const [one = '', two = ''] = await newUsers(2);
    const bulkId = newBulk();
    await ask('POST', '/user-status', { userIds: [one, two], bulkId, status: 'inactive', reason: 'left' });
    const undone = await ask('POST', `/bulks/${bulkId}/undo`);
    expect(briefly(undone.body.items)).toEqual({ [one]: 'changed', [two]: 'changed' });
    expect((await ask('GET', `/users/${one}`)).body).toMatchObject({ status: 'active' });
    const again = await ask('POST', `/bulks/${bulkId}/undo`);
    expect(briefly(again.body.items)).toEqual({ [one]: 'unchanged', [two]: 'unchanged' });
    expect(await changesOf(service, again)).toEqual([]);
  });

  once('does not find a bulk of another application', async () => {
    const [appId, elsewhere] = [await newApplication(), await newApplication()];
    const [userId = ''] = await newUsers(1);
    const bulkId = newBulk();
    await block(elsewhere, [userId], bulkId);
    expect((await ask('POST', `/applications/${appId}/bulks/${bulkId}/undo`)).body).toEqual({
      items: [],
      cursor: null,
    });
    expect(await accessOf(userId, elsewhere)).toMatchObject({ status: 'disabled' });
  });

  once('a cursor of one bulk is refused for another', async () => {
    const appId = await newApplication();
    const bulkId = newBulk();
    await block(appId, await newUsers(2), bulkId);
    const { body } = await ask('POST', `/applications/${appId}/bulks/${bulkId}/undo?limit=1`);
    const foreign = `/applications/${appId}/bulks/${newBulk()}/undo?cursor=${body.cursor}`;
    expectInvalid(await ask('POST', foreign), 'query:cursor');
  });

  once('refuses an id that is not a ULID, and an unknown application', async () => {
    expectInvalid(await ask('POST', '/bulks/mine/undo'), 'path:bulkId');
    expectProblem(await ask('POST', `/applications/nothing/bulks/${newBulk()}/undo`), 'application_not_found');
  });
});

describe('an operator of one application', () => {
  test('undoes only bulks of that application', async () => {
    const appId = await newApplication();
    const [userId = ''] = await newUsers(1);
    const bulkId = newBulk();
    const body = { userIds: [userId], bulkId, status: 'disabled' };
    await manage('iam', 'POST', `/applications/${appId}/access`, { body });
    const token = await service.login.mintToken({ 'cognito:groups': [`support:${appId}`] });
    const other = await service.login.mintToken({ 'cognito:groups': ['support:crm'] });
    const path = `/applications/${appId}/bulks/${bulkId}/undo`;
    expectProblem(await manage('jwt', 'POST', path, { token: other }), 'role_required', { requiredRole: 'support' });
    expectProblem(await manage('jwt', 'POST', `/bulks/${bulkId}/undo`, { token }), 'role_required', {
      requiredRole: 'support',
    });
    const undone = await manage('jwt', 'POST', path, { token });
    expect(briefly(undone.body.items)).toEqual({ [userId]: 'changed' });
  });
});

test('where an application requires reasons, the undo of a bulk needs one of its own', async () => {
  const [appId, userIds, bulkId] = [await newApplication(['editor']), await newUsers(2), newBulk()];
  await manage('iam', 'PATCH', `/applications/${appId}`, { body: { requireReason: 'operators' } });
  const users = { userIds, bulkId, reason: 'new team' };
  await manage('iam', 'POST', `/applications/${appId}/roles/editor/users`, { body: users });
  const undo = (body?: object) => manage('iam', 'POST', `/applications/${appId}/bulks/${bulkId}/undo`, { body });
  expect((await undo()).body.items).toMatchObject(Array(2).fill({ problem: { code: 'reason_required' } }));
  const undone = await undo({ reason: 'wrong list' });
  expect(await changesOf(service, undone)).toMatchObject(Array(2).fill({ reason: 'wrong list' }));
});
