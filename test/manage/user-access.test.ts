import { beforeAll, describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { type ListItem, readPages } from '../support/read-pages.ts';
import { fromNow, yearsFromNow } from '../support/timestamps.ts';
import { anAccess, aTimestamp, recorded, unrecorded } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);
beforeAll(async () => {
  for (const appId of ['list-a', 'list-b', 'list-c', 'list-d']) await newApplication(['editor', 'viewer'], appId);
});

const applications = ['billing', 'list-a', 'list-b', 'list-c', 'list-d', 'wiki'];
const readSigned = async (userId: string) =>
  (await service.request(['GET', `/api/service/users/${encodeURIComponent(userId)}/access`])).body;
const tomorrow = fromNow(86_400_000);
const inTheApplication = {
  disabled: { status: 'disabled', explicit: true, effectiveStatus: 'disabled', decidedBy: 'explicit' },
};

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  const access = async (userId: string, appId = 'billing') => {
    const { body } = await ask('GET', `/users/${encodeURIComponent(userId)}/access?limit=100`);
    const {
      appName: _,
      rolloutPercent: __,
      requireReason: _demand,
      statusSetBy: ___,
      ...found
    } = body.items.find((one: ListItem) => one.appId === appId);
    return found;
  };

  describe('GET /users/{userId}/access', () => {
    describe('200', () => {
      once('lists the access of a user to every application, by id and name, even if never set', async () => {
        const userId = await newUser();
        const { status, body } = await ask('GET', `/users/${userId}/access`);
        const nameOf = (appId: string) => (appId.startsWith('list-') ? `Application ${appId}` : appId);
        const untouched = applications.map((appId) => ({
          ...anAccess({ userId, appId }),
          appName: nameOf(appId),
          rolloutPercent: 100,
          requireReason: null,
          statusSetBy: null,
        }));
        expect([status, body]).toEqual([200, { items: untouched, cursor: null }]);
      });

      once('lists the effective access of a user to each application, explicit or not', async () => {
        const userId = await newUser();
        await setStatus(userId, 'list-a', 'disabled', 'unpaid');
        await setStatus(userId, 'list-b', 'enabled');
        await grantRole(userId, 'list-c', 'viewer', tomorrow);
        await grantRole(userId, 'list-c', 'editor');
        await setStatus(userId, 'list-d', 'disabled');
        await alterItem(service, [`USER#${userId}`, 'ACCESS#list-d'], ['until'], fromNow(-1000));
        const written = { updatedAt: aTimestamp, version: 1 };
        const { body } = await ask('GET', `/users/${userId}/access`);
        expect(body.items).toMatchObject([
          anAccess({ appId: 'billing' }),
          anAccess({ appId: 'list-a', ...inTheApplication.disabled, reason: 'unpaid', ...written }),
          anAccess({ appId: 'list-b', explicit: true, decidedBy: 'explicit', reason: 'a reason', ...written }),
          anAccess({
            appId: 'list-c',
            roles: [
              { name: 'editor', expiresAt: null },
              { name: 'viewer', expiresAt: tomorrow },
            ],
            ...written,
            version: 2,
          }),
          anAccess({
            appId: 'list-d',
            status: 'disabled',
            explicit: true,
            until: aTimestamp,
            decidedBy: 'lapsed',
            reason: 'a reason',
            ...written,
          }),
          anAccess({ appId: 'wiki' }),
        ]);
      });

      once('an inactive user is disabled in every application, whatever the settings', async () => {
        const userId = await newUser();
        await setStatus(userId, 'wiki', 'enabled');
        await ask('PUT', `/users/${userId}/status`, { status: 'inactive' });
        const { body } = await ask('GET', `/users/${userId}/access`);
        expect(body.items).toHaveLength(applications.length);
        for (const item of body.items) {
          expect(item).toMatchObject({ userStatus: 'inactive', effectiveStatus: 'disabled', decidedBy: 'user' });
        }
      });

      test.each(inTurns(entryPoint, [1, 2, 5, 6]))(
        'lists the access of a user, identical in pages of %s',
        async (limit) => {
          const userId = await newUser();
          await setStatus(userId, 'list-b', 'disabled');
          const [all = []] = await readPages(ask, `/users/${userId}/access`);
          const pages = await readPages(ask, `/users/${userId}/access`, limit);
          expect(pages.flat()).toEqual(all);
          expect(pages).toHaveLength(Math.ceil(applications.length / limit));
        },
      );

      once('lists the access of a user with an unusual id, encoded or not', async () => {
        for (const path of ['auth0|123', 'auth0%7C123']) {
          const { body } = await ask('GET', `/users/${path}/access?limit=1`);
          expect(body.items).toMatchObject([{ userId: 'auth0|123', appId: 'billing' }]);
        }
      });
    });
  });

  describe('PUT /users/{userId}/access/{appId}', () => {
    describe('200', () => {
      once('an operator sets an access like a signed request, and the application reads it immediately', async () => {
        const [one, other] = [await newUser(), await newUser()];
        const setting = { status: 'disabled', reason: 'unpaid', until: tomorrow };
        const { status, headers, body } = await ask('PUT', `/users/${one}/access/billing`, setting);
        const { changed, changeId, ...set } = body;
        expect([status, headers.etag, changed]).toEqual([200, '"1"', true]);
        expect(await readSigned(one)).toEqual(set);
        const signed = await service.request(['PUT', `/api/service/users/${other}/access`], { body: setting });
        expect({ ...signed.body, userId: one, updatedAt: set.updatedAt, changeId }).toEqual(body);
        expect(await access(other)).toEqual(await readSigned(other));
      });

      once('setting an access does not change the user, the roles and the other applications', async () => {
        const userId = await newUser();
        await grantRole(userId, 'billing', 'editor');
        await setStatus(userId, 'wiki', 'enabled');
        const before = await access(userId, 'wiki');
        const { body } = await ask('PUT', `/users/${userId}/access/billing`, { status: 'disabled' });
        expect(body.roles).toEqual([{ name: 'editor', expiresAt: null }]);
        expect(await access(userId, 'wiki')).toEqual(before);
        expect((await ask('GET', `/users/${userId}`)).body.version).toBe(1);
      });

      test.each(
        inTurns(entryPoint, [{ status: 'enabled' }, { status: 'disabled', reason: 'unpaid', until: tomorrow }]),
      )('changes and records nothing when the access is already %j', async (setting) => {
        const userId = await newUser();
        const first = await ask('PUT', `/users/${userId}/access/billing`, setting);
        const again = await ask('PUT', `/users/${userId}/access/billing`, setting);
        expect([again.status, again.body]).toEqual([200, { ...first.body, ...unrecorded }]);
        expect([(await changesOf(service, first)).length, await changesOf(service, again)]).toEqual([1, []]);
      });

      once('replaces the whole setting of an access, and accepts an expiry almost five years ahead', async () => {
        const userId = await newUser();
        const until = yearsFromNow(5, -60_000);
        await ask('PUT', `/users/${userId}/access/billing`, { status: 'disabled', reason: 'unpaid', until });
        expect(await access(userId)).toMatchObject({ reason: 'unpaid', until });
        const { body } = await ask('PUT', `/users/${userId}/access/billing`, { status: 'disabled' });
        expect(body).toMatchObject({ changed: true, reason: null, until: null });
      });

      once('sets the access of an inactive user, who remains disabled', async () => {
        const userId = await newUser();
        await ask('PUT', `/users/${userId}/status`, { status: 'inactive' });
        const { body } = await ask('PUT', `/users/${userId}/access/billing`, { status: 'enabled' });
        expect(body).toMatchObject({
          changed: true,
          status: 'enabled',
          effectiveStatus: 'disabled',
          decidedBy: 'user',
        });
      });
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          ['an expiry for the status enabled', { status: 'enabled', until: tomorrow }, ['#/until']],
          ['no status', { reason: 'unpaid' }, ['#/status']],
          ['the status of a user', { status: 'inactive' }, ['#/status']],
          ['a reason that reverses what follows', { status: 'disabled', reason: 'unpaid\u202e' }, ['#/reason']],
          ['a reason with NUL', { status: 'disabled', reason: 'unpaid\0' }, ['#/reason']],
          ['an empty reason', { status: 'disabled', reason: '' }, ['#/reason']],
          ['a reason of 257 characters', { status: 'disabled', reason: 'x'.repeat(257) }, ['#/reason']],
          ['roles', { status: 'disabled', roles: [] }, ['#/roles']],
          ['several invalid members', { status: 'off', reason: 1 }, ['#/status', '#/reason']],
        ]),
      )('refuses to set an access with %s', async (_, body, pointers) => {
        expectInvalid(await ask('PUT', '/users/ada/access/billing', body), ...pointers);
      });

      once('names each invalid part of an access path', async () => {
        const body = { status: 'disabled' };
        expectInvalid(await ask('PUT', '/users/a%20b/access/billing', body), 'path:userId');
        expectInvalid(await ask('PUT', '/users/ada/access/Billing', body), 'path:appId');
        expectInvalid(
          await ask('PUT', '/users/a%20b/access/1', { status: 'off' }),
          'path:userId',
          'path:appId',
          '#/status',
        );
      });
    });

    describe('404', () => {
      test.each(
        inTurns(entryPoint, [
          ['nobody', 'billing', 'user_not_found'],
          ['ada', 'nothing', 'application_not_found'],
          ['nobody', 'nothing', 'application_not_found'],
        ] as const),
      )('answers 404 to setting the access of %s in %s', async (userId, appId, code) => {
        const answer = await ask('PUT', `/users/${userId}/access/${appId}`, { status: 'disabled' });
        expectProblem(answer, code);
        expect(await changesOf(service, answer)).toEqual([]);
      });
    });

    describe('412', () => {
      once('refuses to set an access that the application has changed since', async () => {
        const userId = await newUser();
        await service.request(['PUT', `/api/service/users/${userId}/access`], { body: { status: 'disabled' } });
        const answer = await ask(
          'PUT',
          `/users/${userId}/access/billing`,
          { status: 'enabled' },
          { 'if-match': '"0"' },
        );
        expectProblem(answer, 'version_mismatch', { version: 1 });
        expect(await readSigned(userId)).toMatchObject({ status: 'disabled', version: 1 });
      });
    });
  });

  describe('PUT /users/{userId}/roles/{appId}/{role}', () => {
    describe('200', () => {
      test.each(
        inTurns(entryPoint, [
          ['no body', undefined, null],
          ['an empty body', {}, null],
          ['no expiry', { expiresAt: null }, null],
          ['an expiry', { expiresAt: tomorrow }, tomorrow],
          ['an expiry almost five years ahead', { expiresAt: yearsFromNow(5, -60_000) }, expect.any(String)],
        ]),
      )('assigns a role with %s, which a signed request reads immediately', async (_, body, expiresAt) => {
        const userId = await newUser();
        const answer = await ask('PUT', `/users/${userId}/roles/billing/editor`, body);
        const roles = [{ name: 'editor', expiresAt }];
        const granted = anAccess({ userId, appId: 'billing', roles, version: 1, updatedAt: aTimestamp });
        expect([answer.status, answer.body]).toEqual([200, { ...granted, ...recorded }]);
        expect(answer.headers.etag).toBe('"1"');
        expect(await readSigned(userId)).toEqual(granted);
        expect((await ask('GET', '/applications/billing/roles/editor/users?limit=100')).body.items).toContainEqual({
          userId,
          displayName: null,
          email: null,
          expiresAt,
        });
      });

      once(
        'changes and records nothing if the role is already held with this expiry, but a different expiry is a change',
        async () => {
          const userId = await newUser();
          const path = `/users/${userId}/roles/billing/editor`;
          const first = await ask('PUT', path, { expiresAt: tomorrow });
          const again = await ask('PUT', path, { expiresAt: tomorrow });
          expect([again.status, again.body]).toEqual([200, { ...first.body, ...unrecorded }]);
          expect(await changesOf(service, again)).toEqual([]);
          const { body } = await ask('PUT', path);
          expect(body).toMatchObject({ changed: true, version: 2, roles: [{ name: 'editor', expiresAt: null }] });
        },
      );

      once('assigns a role again after its grant has expired', async () => {
        const userId = await newUser();
        await grantRole(userId, 'billing', 'editor', tomorrow);
        const place = ['roles', 'editor', 'expiresAt'];
        await alterItem(service, [`USER#${userId}`, 'ACCESS#billing'], place, fromNow(-1000));
        expect(await access(userId)).toMatchObject({ roles: [] });
        const { body } = await ask('PUT', `/users/${userId}/roles/billing/editor`, { expiresAt: tomorrow });
        expect(body).toMatchObject({ changed: true, roles: [{ name: 'editor', expiresAt: tomorrow }] });
      });
    });

    describe('400', () => {
      once('names each invalid part of a role path, and an unknown member', async () => {
        expectInvalid(await ask('PUT', '/users/a%20b/roles/b_/1'), 'path:userId', 'path:appId', 'path:role');
        expectInvalid(await ask('PUT', '/users/ada/roles/billing/editor', { role: 'viewer' }), '#/role');
      });

      once('refuses the 501st role of a user, and names the path parameter', async () => {
        const userId = await newUser();
        await ask('PUT', `/users/${userId}/roles/billing/editor`);
        const grant = { grantedAt: fromNow(0), expiresAt: null };
        const grants = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`r${n}`, grant]));
        await alterItem(service, [`USER#${userId}`, 'ACCESS#billing'], ['roles'], grants);
        expectInvalid(await ask('PUT', `/users/${userId}/roles/billing/editor`), 'path:role');
      });
    });

    describe('404', () => {
      test.each(
        inTurns(entryPoint, [
          ['nobody', 'billing', 'editor', 'user_not_found'],
          ['ada', 'nothing', 'editor', 'application_not_found'],
          ['ada', 'billing', 'nothing', 'role_not_found'],
          ['ada', 'wiki', 'viewer', 'role_not_found'],
        ] as const),
      )('answers 404 to assigning to %s in %s the role %s', async (userId, appId, role, code) => {
        const answer = await ask('PUT', `/users/${userId}/roles/${appId}/${role}`);
        expectProblem(answer, code);
        expect(await changesOf(service, answer)).toEqual([]);
      });
    });
  });

  describe('DELETE /users/{userId}/roles/{appId}/{role}', () => {
    describe('200', () => {
      once('revokes only one role, which a signed request no longer reads', async () => {
        const userId = await newUser();
        for (const role of ['editor', 'viewer']) await grantRole(userId, 'billing', role);
        await grantRole(userId, 'wiki', 'editor');
        const { status, body } = await ask('DELETE', `/users/${userId}/roles/billing/editor`);
        expect([status, body.changed, body.roles]).toEqual([200, true, [{ name: 'viewer', expiresAt: null }]]);
        expect((await readSigned(userId)).roles).toEqual(body.roles);
        expect((await access(userId, 'wiki')).roles).toEqual([{ name: 'editor', expiresAt: null }]);
        const { items } = (await ask('GET', '/applications/billing/roles/editor/users?limit=100')).body;
        expect(items.map((member: ListItem) => member.userId)).not.toContain(userId);
      });

      test.each(inTurns(entryPoint, ['editor', 'nothing', 'constructor']))(
        'changes and records nothing if the revoked role %s is not held',
        async (role) => {
          const userId = await newUser();
          const answer = await ask('DELETE', `/users/${userId}/roles/wiki/${role}`);
          expect([answer.status, answer.body]).toEqual([
            200,
            { ...anAccess({ userId, appId: 'wiki' }), ...unrecorded },
          ]);
          expect(await changesOf(service, answer)).toEqual([]);
        },
      );
    });

    describe('400', () => {
      once('names each invalid part of the path when revoking a role, and refuses a role in the body', async () => {
        expectInvalid(await ask('DELETE', '/users/a%20b/roles/B/1'), 'path:userId', 'path:appId', 'path:role');
        expectInvalid(await ask('DELETE', '/users/ada/roles/billing/editor', { role: 'editor' }), '#/role');
      });
    });

    describe('404', () => {
      test.each(
        inTurns(entryPoint, [
          ['nobody', 'billing', 'user_not_found'],
          ['ada', 'nothing', 'application_not_found'],
        ] as const),
      )('answers 404 to revoking a role of %s in %s', async (userId, appId, code) => {
        expectProblem(await ask('DELETE', `/users/${userId}/roles/${appId}/editor`), code);
      });
    });
  });
});
