import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DynamodbProcess, startDynamodb } from '../../local/dynamodb-process.ts';
import { type RunningStack, runStack } from '../../local/run-stack.ts';
import { synthesizeAssembly } from '../stack/synthesized-stack.ts';
import { createManageClient } from '../support/ask-manage.ts';
import { describeService } from '../support/describe-service.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { type Key, sendSigned } from '../support/send-request.ts';

const why = { reason: 'left the team', ticket: 'INC-1234' };
const access = ['access:read', 'access:write', 'roles:write'] as const;
const service = describeService();
const manage = manageClient(() => service);

const operate = (method: string, path: string, body?: object) => manage('iam', method, path, { body });

/** An application that requires reasons, with the role editor, a user, and a key. */
async function demanding(requireReason: 'operators' | 'all' | null) {
  const [appId, userId] = [await newApplication(['editor']), await newUser()];
  await operate('PATCH', `/applications/${appId}`, { requireReason });
  const key = await service.issueKey(appId, [...access]);
  const writes = {
    set: (body: object) => operate('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled', ...body }),
    assign: (body?: object) => operate('PUT', `/users/${userId}/roles/${appId}/editor`, body),
    revoke: (body?: object) => operate('DELETE', `/users/${userId}/roles/${appId}/editor`, body),
  };
  const sign =
    (...request: [method: string, path: string]) =>
    (body: object) =>
      service.request(request, { key, body });
  const signed = {
    set: (body: object) => sign('PUT', `/api/service/users/${userId}/access`)({ status: 'enabled', ...body }),
    assign: (body: object) => sign('POST', `/api/service/roles/${userId}/assign`)({ role: 'editor', ...body }),
    revoke: (body: object) => sign('DELETE', `/api/service/users/${userId}/revoke`)({ role: 'editor', ...body }),
  };
  return { appId, userId, key, writes, signed };
}

describe('where an application requires reasons of operators', () => {
  test('an operator blocks, assigns, revokes and undoes with a reason only, and each change records it with the ticket', async () => {
    const { writes, userId } = await demanding('operators');
    for (const write of [writes.set, writes.assign]) {
      const refused = await write({ ticket: 'INC-1234' });
      expectProblem(refused, 'reason_required');
      expect(refused.body.detail).toMatch(/^Changes in the application app-\d+ require a reason\. Add a "reason"/);
      const answer = await write(why);
      expect(answer.body.changed).toBe(true);
      expect(await changesOf(service, answer)).toMatchObject([why]);
    }
    expectProblem(await writes.revoke(), 'reason_required');
    const { changeId } = (await writes.revoke(why)).body;
    const undo = (body?: object) => operate('POST', `/users/${userId}/changes/${changeId}/undo`, body);
    expectProblem(await undo(), 'reason_required');
    const undone = await undo({ reason: 'revoked by mistake' });
    const [change] = await changesOf(service, undone);
    expect(change).toMatchObject({ action: 'role.assigned', undoOf: changeId, reason: 'revoked by mistake' });
    expect(change).not.toHaveProperty('ticket');
  });

  test('the rollout is changed, and its change undone, with a reason only; its name needs none', async () => {
    const { appId } = await demanding('operators');
    const set = (body: object) => operate('PATCH', `/applications/${appId}`, body);
    expectProblem(await set({ rolloutPercent: 10 }), 'reason_required');
    expect((await set({ name: 'Invoices' })).body).toMatchObject({ changed: true });
    const lowered = await set({ rolloutPercent: 10, ...why });
    const undo = (body?: object) =>
      operate('POST', `/applications/${appId}/changes/${lowered.body.changeId}/undo`, body);
    expectProblem(await undo(), 'reason_required');
    expect((await undo({ reason: 'too early' })).body).toMatchObject({ rolloutPercent: 100 });
    const { body } = await operate('GET', `/applications/${appId}/changes`);
    expect(body.items.slice(0, 2)).toMatchObject([{ reason: 'too early', undoOf: lowered.body.changeId }, why]);
  });

  test('a request that changes nothing needs none', async () => {
    const { writes } = await demanding('operators');
    await writes.set(why);
    expect((await writes.revoke()).body).toMatchObject({ changed: false });
    expect((await writes.set(why)).body).toMatchObject({ changed: false });
  });

  test('the one reason of a bulk is that of each change', async () => {
    const { appId, userId } = await demanding('operators');
    const [other, bulkId] = [await newUser(), (await import('#shared/core/ids.ts')).createUlid(new Date())];
    const users = { userIds: [userId, other], bulkId };
    const path = `/applications/${appId}/roles/editor/users`;
    const refused = await operate('POST', path, users);
    expect(refused.body.items).toMatchObject(Array(2).fill({ problem: { code: 'reason_required' } }));
    const assigned = await operate('POST', path, { ...users, ...why });
    expect(await changesOf(service, assigned)).toMatchObject(Array(2).fill({ bulkId, ...why }));
  });

  test('its own backend needs none, and neither does the deletion of a role, which revokes it from all users', async () => {
    const { appId, userId, writes, signed } = await demanding('operators');
    expect((await signed.assign({})).body).toMatchObject({ changed: true });
    expect((await signed.set({})).body).toMatchObject({ changed: true });
    const deleted = await operate('DELETE', `/applications/${appId}/roles/editor?force=true`);
    expect(deleted.status).toBeLessThan(300);
    const { body } = await operate('GET', `/users/${userId}/changes`);
    expect(body.items[0]).toMatchObject({ action: 'role.revoked', reason: null });
    expect((await writes.revoke()).body).toMatchObject({ changed: false });
  });

  test('a user as a whole is changed without one, because that is no change of the application', async () => {
    const { userId } = await demanding('operators');
    expect((await operate('PUT', `/users/${userId}/status`, { status: 'inactive' })).status).toBe(200);
  });
});

test('where an application requires reasons of all, its backend gives one too, and reads it with the ticket in its feed', async () => {
  const { userId, key, signed } = await demanding('all');
  for (const write of [signed.set, signed.assign, signed.revoke]) {
    expectProblem(await write({}), 'reason_required');
    expect((await write(why)).body).toMatchObject({ changed: true });
  }
  const feed = await service.request(['GET', '/api/service/changes?limit=100'], { key });
  const own = feed.body.items.filter((change: { userId?: string }) => change.userId === userId);
  expect(own).toMatchObject(Array(3).fill(why));
});

test('where an application requires none, none is needed', async () => {
  const { writes } = await demanding(null);
  expect((await writes.assign()).body).toMatchObject({ changed: true });
});

test.each(['', ' INC-1', 'INC 1', '=1+1', 'INC-1\n', `I${'1'.repeat(64)}`])('refuses the ticket %j', async (ticket) => {
  const { writes, signed } = await demanding(null);
  expectInvalid(await writes.assign({ ticket }), '#/ticket');
  expectInvalid(await signed.revoke({ ticket }), '#/ticket');
});

describe('where the deployment requires reasons of all', () => {
  let dynamodb: DynamodbProcess;
  let stack: RunningStack;
  let key: Key;
  const ask = (...[method, path, body]: Parameters<ReturnType<typeof createManageClient>>) =>
    createManageClient(stack.manageUrl, stack.accessKey)(method, path, body);

  beforeAll(async () => {
    dynamodb = await startDynamodb({ log: () => undefined, onGiveUp: () => undefined });
    const assembly = await synthesizeAssembly({ requireReason: 'all' });
    const root = Buffer.alloc(32, 7).toString('base64');
    stack = await runStack({ assembly, dynamodb: dynamodb.endpoint, tableName: 'reasons', root });
    await ask('POST', '/applications', { appId: 'crm', name: 'CRM' });
    await ask('PUT', '/users/ada', {});
    key = (await ask('POST', '/applications/crm/keys', { scopes: [...access] })).body as Key;
  });
  afterAll(async () => {
    await stack.close();
    await dynamodb.stop();
  });

  test('the status of a user and the access in any application need one, and operators can see so', async () => {
    expect((await ask('GET', '/operator')).body).toMatchObject({ reasonRequired: true });
    const status = (body: object) => ask('PUT', '/users/ada/status', { status: 'inactive', ...body });
    const refused = { code: 'reason_required', detail: 'Changes require a reason. Add a "reason" that says why.' };
    expect((await status({})).body).toMatchObject(refused);
    expect((await status(why)).body).toMatchObject({ changed: true });
    expect((await ask('PUT', '/users/ada/access/crm', { status: 'disabled' })).body).toMatchObject(refused);
  });

  test('the backends of applications need one', async () => {
    const set = (body: object) => sendSigned(stack.url, key, ['PUT', '/api/service/users/ada/access'], { body });
    expectProblem(await set({ status: 'disabled' }), 'reason_required');
    expect((await set({ status: 'disabled', ...why })).body).toMatchObject({ changed: true });
  });
});
