import { beforeAll, describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { type ListItem, readPages, withQuery } from '../support/read-pages.ts';
import { aTimestamp, aUser } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);
beforeAll(async () => {
  for (const [userId, displayName, email] of people) {
    const path = `/users/${encodeURIComponent(userId)}`;
    expect((await manage('iam', 'PUT', path, { body: { displayName, email } })).status).toBe(201);
  }
  await manage('iam', 'PUT', '/users/zoe-2/status', { body: { status: 'inactive' } });
});

const crowd = Array.from({ length: 30 }, (_, n) => [`crowd-${10 + n}`, 'Crowded Place', null] as const);
const people = [
  ['okta|4711', 'Zoë Ångström', 'zoe.a@example.net'],
  ['zoe-2', 'Zoe Adams', 'zoe@example.net'],
  ['zoe-3', 'Zoe Adamson', 'zoe@example.net.au'],
  ['zoe', 'Somebody Else', null],
  ["pat.o'neill@example.net", 'Pat O’Neill', null],
  ['yamada', '山田太郎', null],
  ['x', null, null],
  ...crowd,
] as const;

describe('GET /users?q=', () => {
  describeEachEntryPoint(manage, (ask, entryPoint, once) => {
    const found = async (q: string, query: Record<string, string> = {}, limit = 100): Promise<string[]> =>
      (await readPages(ask, withQuery('/users', { q, ...query }), limit)).flat().map(({ userId }: ListItem) => userId);

    test.each(
      inTurns(entryPoint, [
        ['zoe', ['zoe', 'zoe-2', 'okta|4711', 'zoe-3']],
        ['ZOË', ['okta|4711', 'zoe-2', 'zoe-3', 'zoe']],
        ['angstrom zoe', ['okta|4711']],
        ['adam zo', ['zoe-2', 'zoe-3']],
        ['adams', ['zoe-2', 'zoe-3']],
        ['zoe adamson', ['zoe-3']],
        ['zoe@example.net', ['zoe-2', 'zoe-3']],
        ['Zoe@Example.NET', ['zoe-2', 'zoe-3']],
        ['Zoe Adams <zoe@example.net>', ['zoe-2', 'zoe-3']],
        ['okta|4711', ['okta|4711']],
        ['okta', ['okta|4711']],
        ['4711', ['okta|4711']],
        ["o'neill", ["pat.o'neill@example.net"]],
        ['oneill pat', ["pat.o'neill@example.net"]],
        ["pat.o'neill@example.net", ["pat.o'neill@example.net"]],
        ['太郎', ['yamada']],
        ['山', ['yamada']],
        ['x', ['x']],
        ['z', []],
        ['example', []],
        ['@example.net', []],
        ['example.net', []],
        ['nobody', []],
        ['!?', []],
        ['   ', []],
        [Array.from({ length: 40 }, (_, n) => `w${n}`).join(' '), []],
      ]),
    )('a search for "%s" finds %j', async (q, expected) => {
      const ids = await found(q);
      expect([...ids].sort()).toEqual([...expected].sort());
      expect(new Set(ids).size).toBe(ids.length);
      expect((await found(q, {}, 1)).sort()).toEqual([...expected].sort());
    });

    once('an exact id match comes first, even in the smallest pages', async () => {
      expect((await found('zoe'))[0]).toBe('zoe');
      expect((await found('zoe', {}, 1))[0]).toBe('zoe');
      expect((await found('zoe', {}, 2))[0]).toBe('zoe');
      expect((await found(' crowd-17 '))[0]).toBe('crowd-17');
    });

    once('an exact e-mail address match comes before prefix matches', async () => {
      expect(await found('zoe@example.net')).toEqual(['zoe-2', 'zoe-3']);
    });

    once('a found user has every member', async () => {
      const { body } = await ask('GET', '/users?q=angstrom');
      const [userId, displayName, email] = people[0];
      expect(body).toEqual({ items: [aUser({ userId, displayName, email })], cursor: null });
    });

    test.each(inTurns(entryPoint, [1, 7, 29, 30, 31, 100]))(
      'a search in pages of %s finds each user once',
      async (limit) => {
        const ids = crowd.map(([id]) => id);
        for (const q of ['crowd', 'place crowded', 'pl']) {
          expect([...(await found(q, {}, limit))].sort()).toEqual(ids);
        }
        const pages = await readPages(ask, '/users?q=crowd-20', limit);
        expect(pages.flat().map(({ userId }) => userId)).toEqual(['crowd-20']);
      },
    );

    once('a search can be filtered by status', async () => {
      expect(await found('zoe', { status: 'inactive' })).toEqual(['zoe-2']);
      expect((await found('zoe', { status: 'active' })).sort()).toEqual(['okta|4711', 'zoe', 'zoe-3']);
      expect(await found('zoe-2', { status: 'active' })).toEqual([]);
    });

    test('a search reflects a new name, a new e-mail address and an erasure immediately', async () => {
      const userId = `moving-${entryPoint}`;
      await ask('PUT', `/users/${userId}`, { displayName: 'Quentin Quick', email: 'quick@example.net' });
      expect(await found(`quick moving`)).toContain(userId);
      const { body } = await ask('PATCH', `/users/${userId}`, { displayName: 'Rupert Slow' });
      expect(body).toMatchObject({ changed: true, version: 2, updatedAt: aTimestamp });
      expect(await found('quentin moving')).toEqual([]);
      expect(await found('rupert moving')).toContain(userId);
      expect(await found('quick@example.net')).toContain(userId);
      await ask('PATCH', `/users/${userId}`, { email: null });
      expect(await found('quick@example.net')).not.toContain(userId);
      await ask('DELETE', `/users/${userId}`);
      expect(await found('rupert')).not.toContain(userId);
      expect(await found(userId)).toEqual([]);
    });

    once('a cursor of a search is valid only for that search', async () => {
      const { body } = await ask('GET', '/users?q=crowd&limit=2');
      const next = (query: Record<string, string>) =>
        ask('GET', withQuery('/users', { ...query, cursor: body.cursor }));
      expect((await next({ q: 'crowd' })).status).toBe(200);
      for (const query of [{ q: 'crowde' }, { q: 'crowd', status: 'active' }, { q: 'x' }, { prefix: 'crowd' }, {}]) {
        expectInvalid(await next(query as Record<string, string>), 'query:cursor');
      }
    });

    test.each(inTurns(entryPoint, ['', 'x'.repeat(255), '\u0000', '\u202E']))('refuses to search for %j', async (q) =>
      expectInvalid(await ask('GET', withQuery('/users', { q })), 'query:q'),
    );

    once('refuses a search combined with a prefix', async () => {
      expectInvalid(await ask('GET', '/users?q=a&prefix=a'), 'query:q');
    });
  });
});
