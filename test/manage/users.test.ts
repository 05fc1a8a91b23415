import { beforeAll, describe, expect, test } from '@jest/globals';
import { alterItem, removeItem } from '../support/alter-item.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { aTimestamp, aUser, recorded, unrecorded } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

let fresh = 0;
const freshId = () => `fresh-${++fresh}`;
const unusualIds = ['auth0|', 'a+b@c.de', 'urn:x:', 'x=y~z', "o'b", "!$&'()*+,;=", '...', 'A.B-C_', 'x'.repeat(120)];

const invalidNames = [
  ['empty', ''],
  ['of 101 characters', 'x'.repeat(101)],
  ['a number', 1],
  ['half a surrogate pair', '\udc00'],
  ['a list', ['Ada']],
] as const;
const invalidEmails = [
  ['empty', ''],
  ['a name', 'ada'],
  ['without a host', 'ada@'],
  ['without a name', '@example.com'],
  ['with two at signs', 'a@b@example.com'],
  ['with a line break', 'ada@example.com\n'],
  ['with a space', 'a da@example.com'],
  ['too long', `${'x'.repeat(250)}@example.com`],
  ['a number', 1],
] as const;

/** Every operation on one user. */
const userOperations: readonly [method: string, path: string, body: object | undefined][] = [
  ['GET', '', undefined],
  ['PATCH', '', { displayName: 'Ada' }],
  ['PUT', '/status', { status: 'inactive' }],
  ['GET', '/access', undefined],
  ['PUT', '/access/billing', { status: 'disabled' }],
  ['PUT', '/roles/billing/editor', {}],
  ['DELETE', '/roles/billing/editor', undefined],
  ['GET', '/changes', undefined],
];

describeEachEntryPoint(manage, (ask, entryPoint, once) => {
  describe('PUT /users/{userId}', () => {
    describe('201', () => {
      test.each(
        inTurns(entryPoint, [
          ['no body', undefined, {}],
          ['an empty body', {}, {}],
          ['null members', { displayName: null, email: null }, {}],
          ['a name', { displayName: 'Ада Лавлейс' }, { displayName: 'Ада Лавлейс' }],
          ['an e-mail address', { email: 'ada+x@mail.example.com' }, { email: 'ada+x@mail.example.com' }],
        ]),
      )('creates an active user with %s', async (_, body, known) => {
        const userId = freshId();
        const answer = await ask('PUT', `/users/${userId}`, body);
        expect([answer.status, answer.body]).toEqual([201, aUser({ userId, ...known })]);
        expect((await ask('GET', `/users/${userId}`)).body).toEqual({
          ...answer.body,
          statusSetBy: null,
          directory: null,
        });
      });

      test.each(inTurns(entryPoint, unusualIds))('creates a user with the id %s, encoded or not', async (id) => {
        const userId = `${id}${entryPoint}`;
        expect(await ask('PUT', `/users/${encodeURIComponent(userId)}`)).toMatchObject({
          status: 201,
          body: { userId },
        });
        for (const path of [userId, encodeURIComponent(userId)]) {
          expect(await ask('GET', `/users/${path}`)).toMatchObject({ status: 200, body: { userId } });
        }
        const status = await ask('PUT', `/users/${userId}/status`, { status: 'inactive' });
        expect(status.body).toMatchObject({ userId, changed: true });
      });

      once('of several concurrent requests, exactly one creates the user', async () => {
        const userId = freshId();
        const create = (displayName: string) => ask('PUT', `/users/${userId}`, { displayName });
        const answers = await Promise.all(['A', 'B', 'C', 'D'].map(create));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
        const created = answers.find(({ status }) => status === 201);
        expect((await ask('GET', `/users/${userId}`)).body).toEqual({
          ...created?.body,
          statusSetBy: null,
          directory: null,
        });
      });
    });

    describe('409', () => {
      once('refuses an existing user id, and changes nothing', async () => {
        const userId = await newUser();
        const answer = await ask('PUT', `/users/${userId}`, { displayName: 'Another' });
        expectProblem(answer, 'already_exists');
        expect(await changesOf(service, answer)).toEqual([]);
        expect((await ask('GET', `/users/${userId}`)).body).toEqual({
          ...aUser({ userId }),
          statusSetBy: null,
          directory: null,
        });
      });

      once('refuses to create a user while one with that id is being erased', async () => {
        const userId = await newUser();
        await alterItem(service, [`USER#${userId}`, 'USER'], ['deleting'], true);
        expectProblem(await ask('PUT', `/users/${userId}`), 'already_exists');
      });
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          'a%20b',
          'a%00b',
          'a%0Ab',
          'a%22b',
          'a%23b',
          'a%5Cb',
          'a%2525b',
          '%C3%A4',
          'a'.repeat(129),
        ]),
      )('refuses the user id %s in every operation', async (id) => {
        for (const [method, path, body] of [['PUT', '', {}], ['DELETE', '', undefined], ...userOperations] as const) {
          expectInvalid(await ask(method, `/users/${id}${path}`, body), 'path:userId');
        }
      });

      test.each(inTurns(entryPoint, ['.', '..', '%2E', '%2e%2E']))(
        'refuses the user id %s, which URL parsers remove',
        async (id) => {
          expectInvalid(await ask('PUT', `/users/${id}`), 'path:userId');
        },
      );

      test.each(inTurns(entryPoint, invalidNames))('refuses a display name that is %s', async (_, displayName) => {
        expectInvalid(await ask('PUT', `/users/${freshId()}`, { displayName }), '#/displayName');
        expectInvalid(await ask('PATCH', '/users/ada', { displayName }), '#/displayName');
      });

      test.each(inTurns(entryPoint, invalidEmails))('refuses an e-mail address that is %s', async (_, email) => {
        expectInvalid(await ask('PUT', `/users/${freshId()}`, { email }), '#/email');
        expectInvalid(await ask('PATCH', '/users/ada', { email }), '#/email');
      });

      once('names all invalid parts of a request', async () => {
        const answer = await ask('PUT', '/users/a%20b', { displayName: '', email: 'x', status: 'inactive' });
        expectInvalid(answer, 'path:userId', '#/displayName', '#/email', '#/status');
      });
    });
  });

  describe('GET /users/{userId}', () => {
    once('returns a user with the version as its ETag', async () => {
      const { headers, body } = await ask('GET', `/users/${await newUser()}`);
      expect([headers.etag, body.version]).toEqual(['"1"', 1]);
    });
  });

  describe('PATCH /users/{userId}', () => {
    const known = { displayName: 'Ada', email: 'ada@example.com' };
    const newKnown = async () => {
      const userId = freshId();
      await ask('PUT', `/users/${userId}`, known);
      return userId;
    };

    describe('200', () => {
      test.each(
        inTurns(entryPoint, [
          [{ displayName: 'Countess' }, { ...known, displayName: 'Countess' }],
          [{ displayName: null }, { ...known, displayName: null }],
          [{ email: 'countess@example.com' }, { ...known, email: 'countess@example.com' }],
          [{ email: null }, { ...known, email: null }],
          [
            { displayName: null, email: null },
            { displayName: null, email: null },
          ],
        ]),
      )('changing a user with %j keeps the other members', async (change, after) => {
        const userId = await newKnown();
        const { status, headers, body } = await ask('PATCH', `/users/${userId}`, change);
        expect([status, body]).toEqual([200, { ...aUser({ userId, ...after, version: 2 }), ...recorded }]);
        expect([headers.etag, body.updatedAt > body.createdAt]).toEqual(['"2"', true]);
        expect((await ask('GET', `/users/${userId}`)).body).toEqual({
          ...aUser({ userId, ...after, version: 2 }),
          statusSetBy: null,
          directory: null,
        });
      });

      test.each(inTurns(entryPoint, [{}, known, { email: known.email }]))(
        'changing a user with %j changes and records nothing',
        async (change) => {
          const userId = await newKnown();
          const answer = await ask('PATCH', `/users/${userId}`, change);
          expect([answer.status, answer.body]).toEqual([200, { ...aUser({ userId, ...known }), ...unrecorded }]);
          expect(await changesOf(service, answer)).toEqual([]);
        },
      );
    });

    describe('400', () => {
      once('refuses to change the id or the status of a user together with its profile', async () => {
        expectInvalid(await ask('PATCH', '/users/ada', { userId: 'eve' }), '#/userId');
        expectInvalid(await ask('PATCH', '/users/ada', { status: 'inactive' }), '#/status');
      });

      test.each(inTurns(entryPoint, [undefined, 'null', '1']))(
        'refuses to change a user with %s instead of an object',
        async (body) => {
          expectInvalid(await ask('PATCH', '/users/ada', body), '#');
        },
      );
    });

    describe('412', () => {
      once('refuses a wrong version of a user even if nothing would change', async () => {
        const answer = await ask('PATCH', `/users/${await newUser()}`, {}, { 'if-match': '"2"' });
        expectProblem(answer, 'version_mismatch', { version: 1 });
      });
    });
  });

  describe('PUT /users/{userId}/status', () => {
    const effective = async (userId: string) =>
      (await service.request(['GET', `/api/service/users/${userId}/access`])).body.effectiveStatus;

    describe('200', () => {
      once(
        'an inactive user is disabled in every application and enabled again when active, with reasons in the history',
        async () => {
          const userId = await newUser();
          await setStatus(userId, 'wiki', 'disabled');
          const { body: before } = await ask('GET', `/users/${userId}/access?limit=100`);
          const out = await ask('PUT', `/users/${userId}/status`, { status: 'inactive', reason: 'left' });
          const inactive = aUser({ userId, status: 'inactive', version: 2 });
          expect([out.status, out.body]).toEqual([200, { ...inactive, ...recorded }]);
          expect(await effective(userId)).toBe('disabled');
          const back = await ask('PUT', `/users/${userId}/status`, { status: 'active', reason: 'came back' });
          expect(back.body).toEqual({ ...aUser({ userId, version: 3 }), ...recorded });
          expect(await effective(userId)).toBe('enabled');
          expect((await ask('GET', `/users/${userId}/access?limit=100`)).body).toEqual(before);
          const { body: history } = await ask('GET', `/users/${userId}/changes?limit=2`);
          expect(history.items).toMatchObject([
            {
              action: 'user.status.changed',
              before: { status: 'inactive', version: 2 },
              after: { status: 'active', version: 3 },
              reason: 'came back',
            },
            {
              action: 'user.status.changed',
              before: { status: 'active', version: 1 },
              after: { status: 'inactive', version: 2 },
              reason: 'left',
            },
          ]);
        },
      );

      test.each(
        inTurns(entryPoint, [
          ['active', undefined],
          ['active', 'no news'],
        ]),
      )('changes and records nothing if a user is already %s, whatever the reason: %s', async (status, reason) => {
        const userId = await newUser();
        const answer = await ask('PUT', `/users/${userId}/status`, { status, reason });
        expect([answer.status, answer.body]).toEqual([200, { ...aUser({ userId }), ...unrecorded }]);
        expect(await changesOf(service, answer)).toEqual([]);
      });
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          ['no status', { reason: 'left' }, '#/status'],
          ['the status of an access', { status: 'disabled' }, '#/status'],
          ['a status in capitals', { status: 'Active' }, '#/status'],
          ['an empty reason', { status: 'active', reason: '' }, '#/reason'],
          ['a reason of 257 characters', { status: 'active', reason: 'x'.repeat(257) }, '#/reason'],
          ['an expiry', { status: 'inactive', until: '2099-01-01T00:00:00Z' }, '#/until'],
        ]),
      )('refuses to set the status of a user with %s', async (_, body, pointer) => {
        expectInvalid(await ask('PUT', '/users/ada/status', body), pointer);
      });
    });
  });

  describe('DELETE /users/{userId}', () => {
    /** Returns the keys of all items that name the user. */
    const tracesOf = async (userId: string) =>
      [...(await service.items())]
        .filter(([key, item]) => !key.startsWith('NONCE#') && JSON.stringify(item).includes(`${userId}"`))
        .map(([key]) => key);

    describe('200', () => {
      once('erases a user with every trace, and a repetition changes nothing', async () => {
        const userId = freshId();
        await ask('PUT', `/users/${userId}`, { displayName: 'Ada Lovelace', email: `${userId}@example.com` });
        const appId = await newApplication(['editor']);
        await grantRole(userId, appId, 'editor');
        await setStatus(userId, 'wiki', 'disabled', `because of ${userId}`);
        expect((await tracesOf(userId)).length).toBeGreaterThan(5);
        const answer = await ask('DELETE', `/users/${userId}`);
        expect([answer.status, answer.body]).toEqual([200, { changed: true, complete: true }]);
        expect(await tracesOf(userId)).toEqual([
          expect.stringMatching(`^USER#${userId} CHANGE#ERASED#`),
          `USER#${userId} USER`,
          `USERS#ERASED ${userId}`,
        ]);
        const again = await ask('DELETE', `/users/${userId}`);
        expect([again.status, again.body]).toEqual([200, { changed: false, complete: true }]);
        expect(await changesOf(service, again)).toEqual([]);
      });

      once('a new user with the id of an erased one inherits nothing', async () => {
        const userId = await newUser(freshId());
        const appId = await newApplication(['editor']);
        await grantRole(userId, appId, 'editor');
        await setStatus(userId, 'billing', 'disabled');
        await ask('DELETE', `/users/${userId}`);
        expect((await ask('PUT', `/users/${userId}`)).body).toEqual(aUser({ userId }));
        const { body: accesses } = await ask('GET', `/users/${userId}/access?limit=100`);
        expect(accesses.items.filter(({ version }: { version: number }) => version > 0)).toEqual([]);
        const { body: history } = await ask('GET', `/users/${userId}/changes`);
        expect(history.items).toMatchObject([{ action: 'user.created', at: aTimestamp }]);
        expect((await ask('GET', `/applications/${appId}/roles/editor/users`)).body.items).toEqual([]);
      });

      once('resumes an interrupted erasure of a user', async () => {
        const userId = await newUser();
        await alterItem(service, [`USER#${userId}`, 'USER'], ['deleting'], true);
        await removeItem(service, ['USERS', userId]);
        const { body } = await ask('DELETE', `/users/${userId}`);
        expect(body).toEqual({ changed: true, complete: true });
        expect(await tracesOf(userId)).toEqual([`USER#${userId} USER`, `USERS#ERASED ${userId}`]);
      });
    });
  });

  describe('an unknown user, or one being erased: 404', () => {
    let erased: string;
    beforeAll(async () => {
      erased = await newUser();
      await alterItem(service, [`USER#${erased}`, 'USER'], ['deleting'], true);
    });

    test.each(inTurns(entryPoint, userOperations))(
      '404 for an unknown user or one being erased: %s /users/{userId}%s',
      async (method, path, body) => {
        for (const userId of ['nobody', erased]) {
          const answer = await ask(method, `/users/${userId}${path}`, body);
          expectProblem(answer, 'user_not_found');
          expect(await changesOf(service, answer)).toEqual([]);
        }
      },
    );
  });
});
