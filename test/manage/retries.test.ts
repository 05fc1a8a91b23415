import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createUlid } from '#shared/core/ids.ts';
import { describeService } from '../support/describe-service.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';

const service = describeService();
const manage = manageClient(() => service);

type Request = readonly [method: string, path: string, body?: object];

/** A call with an `Idempotency-Key`, which can be sent in several attempts. */
function callOf(...[method, path, body]: Request) {
  const send = retriedWith(method, path);
  return () => send(body);
}

/** The same for a call whose attempts may name other users. */
function retriedWith(method: string, path: string) {
  const headers = { 'idempotency-key': `"${randomUUID()}"` };
  return (body?: object) => manage('iam', method, path, { headers, ...(body && { body }) });
}

const deleteRole = (appId: string) => manage('iam', 'DELETE', `/applications/${appId}/roles/editor?force=true`);
const deleteApplication = (appId: string) => manage('iam', 'DELETE', `/applications/${appId}?force=true`);

describe('a retry gets the answer of the attempt that took effect', () => {
  test.each([
    ['changed', ['Editors', 'Writers']],
    ['did not change', ['Editors']],
  ])('if a role is deleted since that attempt %s the groups of a connection', async (_, groups) => {
    const appId = await newApplication(['editor']);
    const connectionId = `retried-${randomUUID().slice(0, 8)}`;
    const mapped = (names: readonly string[]) => names.map((group) => ({ group, appId, role: 'editor' }));
    const settings = { kind: 'scim', name: 'Directory', applications: [appId], userIdAttribute: 'userName' };
    const body = { connectionId, ...settings, groupRoles: mapped(['Editors']) };
    expect((await manage('iam', 'POST', '/connections', { body })).status).toBe(201);
    const update = callOf('PATCH', `/connections/${connectionId}`, { groupRoles: mapped(groups) });
    const first = await update();
    await deleteRole(appId);
    const again = await update();
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test.each<[string, string, object, (appId: string) => Promise<unknown>]>([
    ['an application is deleted since accesses were set', 'access', { status: 'disabled' }, deleteApplication],
    ['an application is deleted since a role was revoked', 'roles/editor/users/remove', {}, deleteApplication],
    ['a role is deleted since it was assigned', 'roles/editor/users', { expiresAt: null }, deleteRole],
  ])('if %s in bulk; others are refused', async (_, path, body, spoil) => {
    const appId = await newApplication(['editor']);
    const [ada, bob, eve] = [await newUser(), await newUser(), await newUser()];
    const call = retriedWith('POST', `/applications/${appId}/${path}`);
    const first = await call({ userIds: [ada, bob], ...body });
    await spoil(appId);
    const again = await call({ userIds: [ada, bob, eve], ...body });
    expect([again.status, again.body.items.slice(0, 2)]).toEqual([200, first.body.items]);
    expect(again.body.items[2]).toMatchObject({ userId: eve, outcome: 'failed' });
  });

  test('if an application is deleted since a bulk was undone', async () => {
    const [appId, bulkId] = [await newApplication(), createUlid(new Date())];
    const body = { userIds: [await newUser()], status: 'disabled', bulkId };
    await manage('iam', 'POST', `/applications/${appId}/access`, { body });
    const undo = callOf('POST', `/applications/${appId}/bulks/${bulkId}/undo`, {});
    const first = await undo();
    await deleteApplication(appId);
    const again = await undo();
    expect([again.status, again.body]).toEqual([200, first.body]);
  });
});

test('a bulk that is refused as a whole takes no effect later', async () => {
  const [appId, userId] = [await newApplication(), await newUser()];
  const assign = callOf('POST', `/applications/${appId}/roles/editor/users`, { userIds: [userId], expiresAt: null });
  expectProblem(await assign(), 'role_not_found');
  await manage('iam', 'PUT', `/applications/${appId}/roles/editor`, { body: { description: 'Edits' } });
  expect((await assign()).body.items).toMatchObject([{ outcome: 'failed', problem: { code: 'role_not_found' } }]);
  expect((await manage('iam', 'GET', `/applications/${appId}/roles/editor/users`)).body.items).toEqual([]);
});
