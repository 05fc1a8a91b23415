import { beforeAll, describe, expect, test } from '@jest/globals';
import { alterItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { type ListItem, readPages, withQuery } from '../support/read-pages.ts';
import { fromNow } from '../support/timestamps.ts';
import { anAccess, aTimestamp, aUser } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

const idsOf = (items: readonly ListItem[]): string[] => items.map(({ userId }) => userId);

describe('GET /users', () => {
  /** The ids of sixty users, in the order of their code units; every sixth user is inactive. */
  const ids = Array.from({ length: 60 }, (_, n) => `list-${String(n * 7).padStart(3, '0')}`);
  const inactive = ids.filter((_, n) => n % 6 === 5);
  const unusual = [
    'auth0|1',
    'auth0|12',
    'auth0|2',
    'a+b@c.de',
    'urn:x:1',
    "o'brien@example.org",
    "!$&'()*+,;=",
    'Zoe',
    '~last',
  ];
  beforeAll(async () => {
    for (const id of [...ids, 'auth0|12', 'auth0|1', 'auth0|2', 'Zoe', '~last']) await newUser(id);
    for (const id of inactive) await manage('iam', 'PUT', `/users/${id}/status`, { body: { status: 'inactive' } });
  });

  describeEachEntryPoint(manage, (ask, entryPoint, once) => {
    const listed = async (query: Record<string, string>, limit = 100) =>
      idsOf((await readPages(ask, withQuery('/users', query), limit)).flat());

    describe('200', () => {
      once('lists all users by id', async () => {
        const all = await listed({});
        expect(all).toEqual([...all].sort());
        expect(all).toEqual(expect.arrayContaining([...ids, ...unusual, 'ada', 'grace']));
      });

      once('lists each user with every member', async () => {
        const { body } = await ask('GET', '/users?prefix=list-00');
        expect(body).toEqual({ items: [aUser({ userId: 'list-000' }), aUser({ userId: 'list-007' })], cursor: null });
        const { body: gone } = await ask('GET', `/users?prefix=${inactive[0]}`);
        expect(gone.items).toEqual([
          aUser({ userId: inactive[0], status: 'inactive', version: 2, updatedAt: aTimestamp }),
        ]);
      });

      test.each(inTurns(entryPoint, [1, 7, 59, 60, 61]))(
        'lists users in pages of %s, without gaps or duplicates',
        async (limit) => {
          const pages = await readPages(ask, '/users?prefix=list-', limit);
          expect(pages.flat().map(({ userId }) => userId)).toEqual(ids);
          expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        },
      );

      test('a paginated list includes every user who existed throughout, while others are created and erased', async () => {
        const prefix = `flux-${entryPoint}-`;
        const there = Array.from({ length: 21 }, (_, n) => `${prefix}${10 + n}`);
        for (const id of there) await newUser(id);
        const seen: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const { body } = await ask('GET', withQuery('/users?limit=4', { prefix, ...(cursor && { cursor }) }));
          seen.push(...idsOf(body.items));
          cursor = body.cursor;
          // Creates users before and after those already read, and erases the user named by the cursor.
          await newUser(`${prefix}0-${seen.length}`);
          await newUser(`${prefix}9-${seen.length}`);
          await ask('DELETE', `/users/${seen.at(-1)}`);
        }
        expect(seen.filter((id) => there.includes(id))).toEqual(there);
        expect(new Set(seen).size).toBe(seen.length);
      });

      test.each(
        inTurns(entryPoint, [
          ['list-06', ids.filter((id) => id.startsWith('list-06'))],
          ['list-413', ['list-413']],
          ['list-9', []],
          ['auth0|', ['auth0|1', 'auth0|12', 'auth0|123', 'auth0|2']],
          ['auth0|1', ['auth0|1', 'auth0|12', 'auth0|123']],
          ['a+b@', ['a+b@c.de']],
          ['urn:', ['urn:x:1']],
          ['x=', ['x=y~z']],
          ["o'", ["o'brien@example.org"]],
          ["!$&'()*+,;", ["!$&'()*+,;="]],
          ['~', ['~last']],
          ['Z', ['Zoe']],
          ['LIST', []],
        ]),
      )('lists exactly the users whose id has the prefix %s, also in pages', async (prefix, expected) => {
        expect(await listed({ prefix })).toEqual(expected);
        expect(await listed({ prefix }, 2)).toEqual(expected);
      });

      once('an empty prefix lists all users', async () => {
        expect(await listed({ prefix: '' })).toEqual(await listed({}));
      });

      test.each([
        ['active', ids.filter((id) => !inactive.includes(id))],
        ['inactive', inactive],
      ])('lists exactly the users with the status %s, also in pages', async (status, expected) => {
        for (const limit of [3, 7, 100]) {
          expect(await listed({ prefix: 'list-', status }, limit)).toEqual(expected);
        }
      });

      once('a list of users shows a change of status immediately, and no longer shows an erased user', async () => {
        const userId = await newUser();
        await ask('PUT', `/users/${userId}/status`, { status: 'inactive' });
        expect(await listed({ prefix: userId, status: 'inactive' })).toEqual([userId]);
        expect(await listed({ prefix: userId, status: 'active' })).toEqual([]);
        await ask('DELETE', `/users/${userId}`);
        expect(await listed({ prefix: userId })).toEqual([]);
      });
    });

    describe('400', () => {
      test.each(inTurns(entryPoint, ['a b', 'a#', 'a/b', 'a%', 'é', 'a\nb', 'a\\', 'x'.repeat(129)]))(
        'refuses the prefix "%s", which no user id can have',
        async (prefix) => {
          expectInvalid(await ask('GET', withQuery('/users', { prefix })), 'query:prefix');
        },
      );

      once('reads a plus in a query as a space unless it is encoded', async () => {
        expectInvalid(await ask('GET', '/users?prefix=a+b'), 'query:prefix');
        expect((await ask('GET', '/users?prefix=a%2Bb')).body.items).toHaveLength(1);
      });

      test.each(inTurns(entryPoint, ['enabled', 'Active', '', 'all']))(
        'refuses to list users by the status "%s"',
        async (status) => {
          expectInvalid(await ask('GET', withQuery('/users', { status })), 'query:status');
        },
      );
    });
  });
});

describe('GET /applications/{appId}/users', () => {
  /** Two disabled users, one whose block has lapsed, one enabled explicitly, two with roles, and an inactive one. */
  const appId = 'inhabited';
  beforeAll(async () => {
    await newApplication(['editor'], appId);
    for (const id of [
      'b-blocked',
      'a-blocked',
      'lapsed',
      'enabled',
      'z-editor',
      'editor',
      'inactive',
      'ended',
      'left',
    ]) {
      await newUser(id);
    }
    for (const id of ['b-blocked', 'a-blocked', 'lapsed', 'inactive']) await setStatus(id, appId, 'disabled');
    await setStatus('enabled', appId, 'enabled');
    for (const id of ['z-editor', 'editor', 'b-blocked', 'left']) await grantRole(id, appId, 'editor');
    await grantRole('ended', appId, 'editor', fromNow(60_000));
    await alterItem(service, ['USER#ended', `ACCESS#${appId}`], ['roles', 'editor', 'expiresAt'], fromNow(-1000));
    await alterItem(service, ['USER#lapsed', `ACCESS#${appId}`], ['until'], fromNow(-1000));
    await manage('iam', 'DELETE', `/users/left/roles/${appId}/editor`);
    await manage('iam', 'PUT', '/users/inactive/status', { body: { status: 'inactive' } });
  });

  const disabled = ['a-blocked', 'b-blocked', 'inactive', 'lapsed'];
  const enabled = ['editor', 'enabled', 'z-editor'];

  describeEachEntryPoint(manage, (ask, entryPoint, once) => {
    const listed = async (query: Record<string, string>, limit = 100): Promise<string[]> =>
      (await readPages(ask, withQuery(`/applications/${appId}/users`, query), limit))
        .flat()
        .map(({ userId }) => userId);

    describe('200', () => {
      test.each(inTurns(entryPoint, [1, 2, 3, 7, 100]))(
        'lists in pages of %s exactly the users of an application with explicit access or a role',
        async (limit) => {
          expect(await listed({}, limit)).toEqual([...disabled, ...enabled].sort());
        },
      );

      test.each([
        ['disabled', disabled],
        ['enabled', enabled],
      ])('lists exactly the users of an application with the status %s', async (status, expected) => {
        for (const limit of [1, 3, 100]) expect(await listed({ status }, limit)).toEqual(expected);
      });

      once('lists each user of an application with the same effective access as every other response', async () => {
        const [items = []] = await readPages(ask, `/applications/${appId}/users`);
        const of = (userId: string): ListItem => items.find((item) => item.userId === userId);
        const written = { updatedAt: aTimestamp, version: 1 };
        const blocked = { status: 'disabled', explicit: true, reason: 'a reason' };
        expect(of('a-blocked')).toEqual(
          anAccess({
            appId,
            userId: 'a-blocked',
            ...blocked,
            effectiveStatus: 'disabled',
            decidedBy: 'explicit',
            ...written,
            displayName: null,
            email: null,
            statusSetBy: expect.anything(),
            userStatusSetBy: null,
          }),
        );
        expect(of('lapsed')).toMatchObject({ status: 'disabled', effectiveStatus: 'enabled', decidedBy: 'lapsed' });
        expect(of('inactive')).toMatchObject({
          userStatus: 'inactive',
          effectiveStatus: 'disabled',
          decidedBy: 'user',
        });
        expect(of('editor')).toMatchObject({ explicit: false, roles: [{ name: 'editor', expiresAt: null }] });
        for (const item of items) {
          const { body } = await ask('GET', `/users/${item.userId}/access?limit=100`);
          const {
            appName: _,
            rolloutPercent: _percent,
            requireReason: _demand,
            ...same
          } = body.items.find((one: ListItem) => one.appId === appId);
          const { displayName, email, userStatusSetBy: __, ...access } = item;
          expect([access, displayName, email]).toEqual([same, null, null]);
        }
      });

      once('the list of the users of an application reflects every change immediately', async () => {
        const [userId, other] = [await newUser(), await newApplication(['editor'])];
        const listedIn = async () =>
          (await readPages(ask, `/applications/${other}/users`)).flat().map((item) => [item.userId, item.status]);
        await ask('PUT', `/users/${userId}/roles/${other}/editor`);
        expect(await listedIn()).toEqual([[userId, 'enabled']]);
        await ask('PUT', `/users/${userId}/access/${other}`, { status: 'disabled' });
        expect(await listedIn()).toEqual([[userId, 'disabled']]);
        await ask('DELETE', `/users/${userId}/roles/${other}/editor`);
        await ask('PUT', `/users/${userId}/access/${other}`, { status: 'enabled' });
        expect(await listedIn()).toEqual([[userId, 'enabled']]);
        await ask('DELETE', `/users/${userId}`);
        expect(await listedIn()).toEqual([]);
      });
    });

    test.each(inTurns(entryPoint, ['active', 'DISABLED', '', 'lapsed']))(
      'refuses to list the users of an application by the status "%s"',
      async (status) => {
        expectInvalid(await ask('GET', withQuery(`/applications/${appId}/users`, { status })), 'query:status');
      },
    );
  });
});
