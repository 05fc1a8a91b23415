import { describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { readPages } from '../support/read-pages.ts';
import { fromNow } from '../support/timestamps.ts';
import { aRole, aTimestamp } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

/** Sets the expiry of a user's grant to a past time. */
async function expireGrant(userId: string, appId: string, role: string): Promise<void> {
  const past = fromNow(-1000);
  await alterItem(service, [`USER#${userId}`, `ACCESS#${appId}`], ['roles', role, 'expiresAt'], past);
  await alterItem(service, [`APP#${appId}#ROLE#${role}`, `USER#${userId}`], ['expiresAt'], past);
}

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  const rolesOf = async (userId: string, appId: string) => {
    const { body } = await ask('GET', `/users/${userId}/access?limit=100`);
    return body.items.find((access: { appId: string }) => access.appId === appId).roles;
  };

  describe('PUT /applications/{appId}/roles/{role}', () => {
    describe('201', () => {
      test.each(
        inTurns(entryPoint, [
          ['no body', undefined, null],
          ['an empty body', {}, null],
          ['a description of null', { description: null }, null],
          ['a description', { description: 'May write, 世界' }, 'May write, 世界'],
          ['a description of 256 characters', { description: '😀'.repeat(256) }, '😀'.repeat(256)],
        ]),
      )('defines a role with %s, which can be assigned immediately', async (_, body, description) => {
        const appId = await newApplication();
        const answer = await ask('PUT', `/applications/${appId}/roles/editor`, body);
        const role = aRole({ appId, role: 'editor', description });
        expect([answer.status, answer.body]).toEqual([201, { ...role, changed: true }]);
        expect((await ask('GET', `/applications/${appId}/roles/editor`)).body).toEqual(role);
        expect((await ask('PUT', `/users/ada/roles/${appId}/editor`)).status).toBe(200);
      });

      test.each(
        inTurns(entryPoint, ['a', 'A', 'a'.repeat(64), 'A.b_c:d-e9', 'constructor', 'toString', 'hasOwnProperty']),
      )('defines a role with the name %s', async (name) => {
        const appId = await newApplication();
        expect((await ask('PUT', `/applications/${appId}/roles/${name}`)).status).toBe(201);
        expect((await ask('GET', `/applications/${appId}/roles`)).body.items).toEqual([aRole({ appId, role: name })]);
        expect((await ask('PUT', `/users/ada/roles/${appId}/${name}`)).body.roles).toEqual([{ name, expiresAt: null }]);
        expect((await ask('GET', `/applications/${appId}/roles/${name}/users`)).body.items).toEqual([
          { userId: 'ada', displayName: null, email: 'ada@example.com', expiresAt: null },
        ]);
      });

      once('treats role names as case-sensitive', async () => {
        const appId = await newApplication(['editor']);
        const { status, body } = await ask('PUT', `/applications/${appId}/roles/Editor`, { description: 'Another' });
        expect([status, body.role]).toEqual([201, 'Editor']);
        expect((await ask('GET', `/applications/${appId}/roles/editor`)).body.description).toBeNull();
      });

      once('a deleted role can be redefined as a new one', async () => {
        const appId = await newApplication(['editor']);
        await ask('DELETE', `/applications/${appId}/roles/editor`);
        const { status, body } = await ask('PUT', `/applications/${appId}/roles/editor`, {});
        expect([status, body.changed, body.version, body.createdAt]).toEqual([201, true, 3, body.updatedAt]);
      });

      once('of several concurrent requests, exactly one creates the role', async () => {
        const appId = await newApplication();
        const define = () => ask('PUT', `/applications/${appId}/roles/editor`, {});
        const answers = await Promise.all([1, 2, 3, 4].map(define));
        expect(answers.map(({ status, body }) => [status, body.changed]).sort()).toEqual([
          [200, false],
          [200, false],
          [200, false],
          [201, true],
        ]);
      });
    });

    describe('200', () => {
      test.each(
        inTurns(entryPoint, [
          ['none', undefined],
          ['a text', 'A text'],
        ]),
      )('changes and records nothing if the role already has the description: %s', async (_, description) => {
        const appId = await newApplication();
        const define = () => ask('PUT', `/applications/${appId}/roles/editor`, { description });
        const first = await define();
        const again = await define();
        expect([again.status, again.body]).toEqual([200, { ...first.body, changed: false }]);
        expect(await changesOf(service, again)).toEqual([]);
      });

      test.each(
        inTurns(entryPoint, [
          ['another text', { description: 'Another' }, 'Another'],
          ['nothing, if it is omitted', {}, null],
          ['nothing, without a body', undefined, null],
        ]),
      )('replaces the description of a role with %s, and keeps its members', async (_, body, description) => {
        const appId = await newApplication();
        const { body: first } = await ask('PUT', `/applications/${appId}/roles/editor`, { description: 'A text' });
        await grantRole('ada', appId, 'editor');
        const { status, body: role } = await ask('PUT', `/applications/${appId}/roles/editor`, body);
        const { createdAt } = first;
        expect([status, role]).toEqual([
          200,
          { ...aRole({ appId, role: 'editor', description, version: 2, createdAt }), changed: true },
        ]);
        expect(await rolesOf('ada', appId)).toEqual([{ name: 'editor', expiresAt: null }]);
      });
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          '1editor',
          '_editor',
          '-editor',
          'edit%20or',
          'edit,or',
          'edit%23or',
          'editor%0A',
          '%C3%A9',
          'a'.repeat(65),
        ]),
      )('refuses the role name %s', async (name) => {
        for (const [method, path] of [
          ['PUT', `/applications/wiki/roles/${name}`],
          ['GET', `/applications/wiki/roles/${name}`],
          ['DELETE', `/applications/wiki/roles/${name}`],
          ['GET', `/applications/wiki/roles/${name}/users`],
        ] as const) {
          expectInvalid(await ask(method, path), 'path:role');
        }
      });

      test.each(
        inTurns(entryPoint, [
          ['an empty description', { description: '' }, '#/description'],
          ['a description of 257 characters', { description: 'x'.repeat(257) }, '#/description'],
          ['a number as its description', { description: 1 }, '#/description'],
          ['a role name in its body', { role: 'viewer' }, '#/role'],
          ['null as its body', 'null', '#'],
        ]),
      )('refuses to define a role with %s', async (_, body, pointer) => {
        expectInvalid(await ask('PUT', '/applications/wiki/roles/new', body), pointer);
      });
    });
  });

  describe('GET /applications/{appId}/roles', () => {
    once('lists all roles by name, identical in pages of any size', async () => {
      const names = ['viewer', 'Admin', 'editor', 'a:b', 'zebra'];
      const appId = await newApplication(names);
      const [all = []] = await readPages(ask, `/applications/${appId}/roles`);
      expect(all).toEqual([...names].sort().map((role) => aRole({ appId, role })));
      for (const limit of [1, 2, 5]) {
        expect((await readPages(ask, `/applications/${appId}/roles`, limit)).flat()).toEqual(all);
      }
    });

    once('lists nothing for an application without roles', async () => {
      const { body } = await ask('GET', `/applications/${await newApplication()}/roles`);
      expect(body).toEqual({ items: [], cursor: null });
    });
  });

  describe('GET /applications/{appId}/roles/{role}', () => {
    once('answers 404 for an unknown role, or one of another application', async () => {
      expectProblem(await ask('GET', '/applications/billing/roles/nothing'), 'role_not_found');
      expectProblem(await ask('GET', '/applications/wiki/roles/viewer'), 'role_not_found');
    });
  });

  describe('GET /applications/{appId}/roles/{role}/users', () => {
    once('lists the members of a role by user id, with their expiry, identical in pages of any size', async () => {
      const appId = await newApplication(['editor', 'viewer']);
      const ids = [await newUser(), await newUser(), await newUser(), await newUser()];
      const until = fromNow(60_000);
      for (const userId of ids) await grantRole(userId, appId, 'editor', userId === ids[1] ? until : null);
      await grantRole('ada', appId, 'viewer');
      const path = `/applications/${appId}/roles/editor/users`;
      const [all = []] = await readPages(ask, path);
      const unnamed = { displayName: null, email: null };
      const expected = ids.map((userId) => ({ userId, ...unnamed, expiresAt: userId === ids[1] ? until : null }));
      expect(all).toEqual(expected.sort((one, other) => (one.userId < other.userId ? -1 : 1)));
      for (const limit of [1, 3, 4]) expect((await readPages(ask, path, limit)).flat()).toEqual(all);
    });

    once('does not list members of a role whose grant has expired or who were erased', async () => {
      const appId = await newApplication(['editor']);
      const [kept, ended, erased] = [await newUser(), await newUser(), await newUser()];
      for (const userId of [kept, ended, erased]) await grantRole(userId, appId, 'editor', fromNow(60_000));
      await expireGrant(ended, appId, 'editor');
      await ask('DELETE', `/users/${erased}`);
      const { body } = await ask('GET', `/applications/${appId}/roles/editor/users`);
      expect(body).toEqual({
        items: [{ userId: kept, displayName: null, email: null, expiresAt: aTimestamp }],
        cursor: null,
      });
    });

    once('answers 404 for the members of an unknown role', async () => {
      expectProblem(await ask('GET', '/applications/wiki/roles/nothing/users'), 'role_not_found');
    });
  });

  describe('DELETE /applications/{appId}/roles/{role}', () => {
    describe('200', () => {
      once('deletes a role without members, and a repetition changes nothing', async () => {
        const appId = await newApplication(['editor', 'viewer']);
        const answer = await ask('DELETE', `/applications/${appId}/roles/editor`);
        expect([answer.status, answer.body]).toEqual([200, { changed: true, complete: true }]);
        expectProblem(await ask('GET', `/applications/${appId}/roles/editor`), 'role_not_found');
        expectProblem(await ask('GET', `/applications/${appId}/roles/editor/users`), 'role_not_found');
        expectProblem(await ask('PUT', `/users/ada/roles/${appId}/editor`), 'role_not_found');
        expect((await ask('GET', `/applications/${appId}/roles`)).body.items).toEqual([
          aRole({ appId, role: 'viewer' }),
        ]);
        const again = await ask('DELETE', `/applications/${appId}/roles/editor`);
        expect([again.status, again.body]).toEqual([200, { changed: false, complete: true }]);
        expect(await changesOf(service, again)).toEqual([]);
      });

      once('deleting a role that never existed changes nothing', async () => {
        const answer = await ask('DELETE', '/applications/wiki/roles/never-was');
        expect([answer.status, answer.body]).toEqual([200, { changed: false, complete: true }]);
      });

      once('deletes a role whose last grant has expired, without force', async () => {
        const appId = await newApplication(['editor']);
        const userId = await newUser();
        await grantRole(userId, appId, 'editor', fromNow(60_000));
        await expireGrant(userId, appId, 'editor');
        const { body } = await ask('DELETE', `/applications/${appId}/roles/editor`);
        expect(body).toEqual({ changed: true, complete: true });
        const members = [...(await service.items()).keys()].filter((key) => key.startsWith(`APP#${appId}#ROLE#`));
        expect(members).toEqual([]);
      });

      once(
        'deletes a role in use with force=true, and revokes it from exactly its members, each with a record',
        async () => {
          const appId = await newApplication(['editor', 'viewer']);
          const ids = [await newUser(), await newUser()];
          for (const userId of ids) await grantRole(userId, appId, 'editor');
          await grantRole(ids[0] ?? '', appId, 'viewer');
          const answer = await ask('DELETE', `/applications/${appId}/roles/editor?force=true`);
          expect(answer.body).toEqual({ changed: true, complete: true });
          expect(await rolesOf(ids[0] ?? '', appId)).toEqual([{ name: 'viewer', expiresAt: null }]);
          expect(await rolesOf(ids[1] ?? '', appId)).toEqual([]);
          const changes = await changesOf(service, answer);
          const expected = ids.map((userId) =>
            expect.objectContaining({ action: 'role.revoked', userId, role: 'editor' }),
          );
          expect(changes).toHaveLength(3);
          expect(changes).toEqual(expect.arrayContaining(expected));
          expect(changes[0]).toMatchObject({ action: 'role.deleted', role: 'editor' });
        },
      );
    });

    describe('409', () => {
      test.each(['', '?force=false'])(
        'refuses to delete a role with members, and changes nothing, with the query "%s"',
        async (query) => {
          const appId = await newApplication(['editor']);
          const userId = await newUser();
          await grantRole(userId, appId, 'editor');
          const answer = await ask('DELETE', `/applications/${appId}/roles/editor${query}`);
          expectProblem(answer, 'role_in_use');
          expect(await changesOf(service, answer)).toEqual([]);
          expect(await rolesOf(userId, appId)).toEqual([{ name: 'editor', expiresAt: null }]);
          expect((await ask('GET', `/applications/${appId}/roles/editor`)).status).toBe(200);
        },
      );
    });

    describe('400', () => {
      test.each(['force=maybe', 'force='])('refuses to delete a role with ?%s', async (query) => {
        expectInvalid(await ask('DELETE', `/applications/wiki/roles/editor?${query}`), 'query:force');
      });
    });
  });
});
