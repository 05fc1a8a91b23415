import { describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { fromNow } from '../support/timestamps.ts';
import { recorded, unrecorded } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

const soon = fromNow(3_600_000);
const later = fromNow(7_200_000);

describeEachEntryPoint(manage, (ask, _, once) => {
  const undo = (userId: string, changeId: string, headers: Record<string, string> = {}) =>
    ask('POST', `/users/${userId}/changes/${changeId}/undo`, undefined, headers);

  /** Creates a user in a new application; `set` and `read` concern the user's access in it. */
  async function newAccess(roles: readonly string[] = []) {
    const [userId, appId] = [await newUser(), await newApplication(roles)];
    const path = `/users/${userId}/access/${appId}`;
    const read = async () => {
      const { body } = await ask('GET', `/users/${userId}/access?limit=100`);
      return body.items.find((access: { appId: string }) => access.appId === appId);
    };
    return { userId, appId, read, set: async (setting: object) => (await ask('PUT', path, setting)).body };
  }

  describe('POST /users/{userId}/changes/{changeId}/undo', () => {
    describe('200', () => {
      once('removes the first status of an access, so that the rollout decides again', async () => {
        const { userId, appId, read, set } = await newAccess();
        const { changeId } = await set({ status: 'disabled', reason: 'mistaken' });
        const answer = await undo(userId, changeId);
        expect([answer.status, answer.body]).toEqual([200, { userId, appId, ...recorded, version: 2 }]);
        expect(answer.headers.etag).toBe('"2"');
        expect(await read()).toMatchObject({ status: 'enabled', explicit: false, reason: null, decidedBy: 'default' });
        await ask('PATCH', `/applications/${appId}`, { rolloutPercent: 0 });
        expect(await read()).toMatchObject({ effectiveStatus: 'disabled', decidedBy: 'rollout' });
        expect(await changesOf(service, answer)).toMatchObject([
          {
            id: answer.body.changeId,
            action: 'access.changed',
            undoOf: changeId,
            before: { status: 'disabled', explicit: true, until: null, reason: 'mistaken', version: 1 },
            after: { status: 'enabled', explicit: false, until: null, reason: null, version: 2 },
            reason: null,
          },
        ]);
      });

      once('restores a block with its expiry and reason', async () => {
        const { userId, read, set } = await newAccess();
        await set({ status: 'disabled', reason: 'unpaid', until: later });
        const { changeId } = await set({ status: 'enabled', reason: 'mistaken' });
        await undo(userId, changeId);
        expect(await read()).toMatchObject({ status: 'disabled', reason: 'unpaid', until: later, version: 3 });
      });

      once('restores a block that had expired before the change, as an expired one', async () => {
        const { userId, appId, read, set } = await newAccess();
        await set({ status: 'disabled', until: later });
        const past = fromNow(-60_000);
        await alterItem(service, [`USER#${userId}`, `ACCESS#${appId}`], ['until'], past);
        const { changeId } = await set({ status: 'disabled', reason: 'mistaken' });
        await undo(userId, changeId);
        expect(await read()).toMatchObject({ status: 'disabled', until: past, decidedBy: 'lapsed' });
      });

      once('restores a revoked role with its expiry, and revokes an assigned one', async () => {
        const { userId, appId, read } = await newAccess(['editor', 'viewer']);
        await grantRole(userId, appId, 'viewer');
        await grantRole(userId, appId, 'editor', later);
        const revoked = await ask('DELETE', `/users/${userId}/roles/${appId}/editor`);
        await undo(userId, revoked.body.changeId);
        const viewer = { name: 'viewer', expiresAt: null };
        expect((await read()).roles).toEqual([{ name: 'editor', expiresAt: later }, viewer]);
        const members = (await ask('GET', `/applications/${appId}/roles/editor/users`)).body.items;
        expect(members).toMatchObject([{ userId, expiresAt: later }]);

        const assigned = await ask('PUT', `/users/${userId}/roles/${appId}/editor`);
        await undo(userId, assigned.body.changeId);
        expect((await read()).roles).toEqual([{ name: 'editor', expiresAt: later }, viewer]);
      });

      once('revokes a role that was assigned for the first time', async () => {
        const { userId, appId, read } = await newAccess(['editor']);
        const { body } = await ask('PUT', `/users/${userId}/roles/${appId}/editor`);
        await undo(userId, body.changeId);
        expect((await read()).roles).toEqual([]);
      });

      once('activates a deactivated user, and keeps the settings in the applications', async () => {
        const { userId, read, set } = await newAccess();
        await set({ status: 'disabled' });
        const { body } = await ask('PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'mistaken' });
        const answer = await undo(userId, body.changeId);
        expect([answer.status, answer.body]).toEqual([200, { userId, ...recorded, version: 3 }]);
        expect(await read()).toMatchObject({ userStatus: 'active', status: 'disabled', version: 1 });
        expect(await changesOf(service, answer)).toMatchObject([
          { action: 'user.status.changed', undoOf: body.changeId, after: { status: 'active' } },
        ]);
      });

      once('undoes an undo, repeatedly', async () => {
        const { userId, read, set } = await newAccess();
        const setting = { status: 'disabled', reason: 'unpaid', until: later };
        let { changeId } = await set(setting);
        for (const expected of [{ explicit: false }, setting, { explicit: false }]) {
          changeId = (await undo(userId, changeId)).body.changeId;
          expect(await read()).toMatchObject(expected);
        }
      });

      once('changes nothing if the assigned role has expired', async () => {
        const { userId, appId } = await newAccess(['editor']);
        const { body } = await ask('PUT', `/users/${userId}/roles/${appId}/editor`, { expiresAt: later });
        const end = ['roles', 'editor', 'expiresAt'];
        await alterItem(service, [`USER#${userId}`, `ACCESS#${appId}`], end, fromNow(-1000));
        const answer = await undo(userId, body.changeId);
        expect([answer.status, answer.body]).toEqual([200, { userId, appId, ...unrecorded, version: 1 }]);
        expect(await changesOf(service, answer)).toEqual([]);
      });

      once('takes effect once, however often it is requested with one Idempotency-Key', async () => {
        const { userId, set, read } = await newAccess();
        const { changeId } = await set({ status: 'disabled' });
        const headers = { 'idempotency-key': `"undo-${changeId}"` };
        const first = await undo(userId, changeId, headers);
        const again = await undo(userId, changeId, headers);
        expect([again.status, again.body]).toEqual([200, first.body]);
        await set({ status: 'disabled', reason: 'later' });
        expect((await undo(userId, changeId, headers)).body).toEqual(first.body);
        expect(await read()).toMatchObject({ status: 'disabled', version: 3 });
      });
    });

    describe('400', () => {
      test.each(['latest', '0', `${'0'.repeat(25)}a`, '9'.repeat(26)])('refuses the change id %s', async (changeId) => {
        expectInvalid(await undo(await newUser(), changeId), 'path:changeId');
      });
    });

    describe('404', () => {
      once("refuses a change that is not in the user's history", async () => {
        const { userId, set } = await newAccess();
        const { changeId } = await set({ status: 'disabled' });
        expectProblem(await undo(await newUser(), changeId), 'change_not_found');
        expectProblem(await undo(userId, '0'.repeat(26)), 'change_not_found');
      });

      once('refuses to restore a role that was deleted or redefined since', async () => {
        const { userId, appId, read } = await newAccess(['editor']);
        await grantRole(userId, appId, 'editor');
        const { body } = await ask('DELETE', `/users/${userId}/roles/${appId}/editor`);
        await ask('DELETE', `/applications/${appId}/roles/editor`);
        expectProblem(await undo(userId, body.changeId), 'role_not_found');
        await ask('PUT', `/applications/${appId}/roles/editor`);
        expectProblem(await undo(userId, body.changeId), 'role_not_found');
        expect((await read()).roles).toEqual([]);
      });
    });

    describe('409', () => {
      once('refuses to undo a change other than of a status, an access or a role', async () => {
        const userId = await newUser();
        await ask('PATCH', `/users/${userId}`, { displayName: 'Ada' });
        const { body } = await ask('GET', `/users/${userId}/changes`);
        expect(body.items.map(({ action }: { action: string }) => action)).toEqual(['user.updated', 'user.created']);
        for (const { id } of body.items) expectProblem(await undo(userId, id), 'not_undoable');
      });

      once('refuses to restore a block or a role that would have expired since', async () => {
        const { userId, appId, set, read } = await newAccess(['editor']);
        const shortly = fromNow(6000);
        await set({ status: 'disabled', until: shortly });
        const { changeId: lifted } = await set({ status: 'enabled' });
        const other = await newAccess(['editor']);
        await grantRole(other.userId, other.appId, 'editor', shortly);
        const { body: revoked } = await ask('DELETE', `/users/${other.userId}/roles/${other.appId}/editor`);
        await new Promise((resolve) => setTimeout(resolve, Date.parse(shortly) - Date.now() + 50));
        const answer = await undo(userId, lifted);
        expectProblem(answer, 'not_undoable');
        expect(answer.body.detail).toContain(shortly);
        expectProblem(await undo(other.userId, revoked.changeId), 'not_undoable');
        expect([await read(), await other.read()]).toMatchObject([{ status: 'enabled', appId }, { roles: [] }]);
      });
    });

    describe('412', () => {
      once('refuses to undo a change of an access that was changed since, even by another kind of change', async () => {
        const { userId, appId, set, read } = await newAccess(['editor']);
        const { changeId } = await set({ status: 'disabled', until: soon });
        await grantRole(userId, appId, 'editor');
        const answer = await undo(userId, changeId);
        expectProblem(answer, 'version_mismatch', { version: 2 });
        expect(await read()).toMatchObject({ status: 'disabled', until: soon, version: 2 });
      });

      once('refuses to undo a change of a user who was changed since', async () => {
        const userId = await newUser();
        const { body } = await ask('PUT', `/users/${userId}/status`, { status: 'inactive' });
        await ask('PATCH', `/users/${userId}`, { displayName: 'Ada' });
        expectProblem(await undo(userId, body.changeId), 'version_mismatch', { version: 3 });
      });

      once('refuses to undo a change twice', async () => {
        const { userId, set } = await newAccess();
        const { changeId } = await set({ status: 'disabled' });
        await undo(userId, changeId);
        expectProblem(await undo(userId, changeId), 'version_mismatch', { version: 2 });
      });
    });
  });
});
