import { describe, expect, test } from '@jest/globals';
import { applicationOperations } from '../support/application-operations.ts';
import { describeService } from '../support/describe-service.ts';
import { describeEachEntryPoint, inTurns } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { changesOf } from '../support/read-changes.ts';
import { readPages } from '../support/read-pages.ts';
import { anApplication, aTimestamp } from '../support/view-shapes.ts';

const service = describeService();
const manage = manageClient(() => service);

let fresh = 0;
const freshId = () => `fresh-${++fresh}`;
const access = '/api/service/users/ada/access';

/** Invalid percentages, with the error for each. */
const wrongPercents: readonly [unknown, string][] = [
  [-0.01, 'must be at least 0'],
  [100.01, 'must be at most 100'],
  [0.001, 'must have at most two decimals'],
  [33.333, 'must have at most two decimals'],
  ['25', 'must be a number'],
  [null, 'must be a number'],
];

describeEachEntryPoint(manage, (ask, entryPoint) => {
  describe('POST /applications', () => {
    describe('201', () => {
      test.each([
        ['an id of two characters', () => entryPoint.slice(0, 2), 'x'],
        ['an id of forty characters', () => `${freshId()}-`.padEnd(40, '0'), 'x'.repeat(100)],
        ['an id with hyphens', () => `a--${freshId()}-`, 'Grüße, 世界'],
        ['a name of 100 surrogate pairs', freshId, '😀'.repeat(100)],
      ])('creates an application with %s', async (_, idOf, name) => {
        const appId = idOf();
        const answer = await ask('POST', '/applications', { appId, name });
        expect([answer.status, answer.body]).toEqual([201, anApplication({ appId, name })]);
        expect((await ask('GET', `/applications/${appId}`)).body).toEqual(answer.body);
      });

      test.each(inTurns(entryPoint, [0, 0.01, 33.33, 99.99, 100, 1e1]))(
        'creates an application with a rollout of %s percent',
        async (rolloutPercent) => {
          const appId = freshId();
          const answer = await ask('POST', '/applications', { appId, name: 'x', rolloutPercent });
          expect([answer.status, answer.body]).toEqual([201, anApplication({ appId, name: 'x', rolloutPercent })]);
          expect((await ask('GET', `/applications/${appId}`)).body).toEqual(answer.body);
        },
      );

      test('of several concurrent requests, exactly one creates the application', async () => {
        const appId = freshId();
        const names = Array.from({ length: 6 }, (_, n) => `${n}`);
        const answers = await Promise.all(names.map((name) => ask('POST', '/applications', { appId, name })));
        expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
        const [created] = answers.filter(({ status }) => status === 201);
        expect((await ask('GET', `/applications/${appId}`)).body).toEqual(created?.body);
      });
    });

    describe('409', () => {
      test('refuses an existing application id, even with the same name, and changes nothing', async () => {
        const appId = await newApplication();
        const { body: before } = await ask('GET', `/applications/${appId}`);
        const answer = await ask('POST', '/applications', { appId, name: before.name });
        expectProblem(answer, 'already_exists');
        expect(await changesOf(service, answer)).toEqual([]);
        expect((await ask('GET', `/applications/${appId}`)).body).toEqual(before);
      });
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          ['absent', undefined],
          ['null', null],
          ['a number', 42],
          ['empty', ''],
          ['of one character', 'a'],
          ['of 41 characters', 'a'.repeat(41)],
          ['in capitals', 'Billing'],
          ['beginning with a digit', '1billing'],
          ['beginning with a hyphen', '-billing'],
          ['with an underscore', 'bil_ling'],
          ['with a hash', 'bil#ling'],
          ['with a line break', 'billing\n'],
          ['not ASCII', 'bílling'],
          ['a list', ['billing']],
        ]),
      )('refuses an application id that is %s', async (_, appId) => {
        expectInvalid(await ask('POST', '/applications', { appId, name: 'Billing' }), '#/appId');
      });

      test.each(
        inTurns(entryPoint, [
          ['absent', undefined],
          ['null', null],
          ['a number', 42],
          ['empty', ''],
          ['of 101 characters', 'x'.repeat(101)],
          ['half a surrogate pair', '\ud800'],
          ['an object', {}],
        ]),
      )('refuses an application name that is %s', async (_, name) => {
        expectInvalid(await ask('POST', '/applications', { appId: freshId(), name }), '#/name');
      });

      test.each(inTurns(entryPoint, wrongPercents))(
        'refuses to create an application with a rollout of %p percent, which %s',
        async (rolloutPercent, detail) => {
          const answer = await ask('POST', '/applications', { appId: freshId(), name: 'x', rolloutPercent });
          expectInvalid(answer, '#/rolloutPercent');
          expect(answer.body.errors).toMatchObject([{ detail }]);
        },
      );

      test('names all invalid and unknown fields of a new application', async () => {
        expectInvalid(await ask('POST', '/applications', { appId: 'A', name: '' }), '#/appId', '#/name');
        expectInvalid(await ask('POST', '/applications', { appId: freshId(), name: 'x', keys: {} }), '#/keys');
      });

      test.each(inTurns(entryPoint, [undefined, 'null', '[]', '"billing"']))(
        'refuses to create an application from %s instead of an object',
        async (body) => {
          const { status, body: problem } = await ask('POST', '/applications', body);
          expect([status, problem.code]).toEqual([400, 'invalid_request']);
        },
      );
    });
  });

  describe('GET /applications', () => {
    describe('200', () => {
      test('lists all applications by id, identical in pages of any size, without gaps or duplicates', async () => {
        for (let n = 0; n < 3; n++) await newApplication([], freshId());
        const [all = []] = await readPages(ask, '/applications');
        const ids = all.map(({ appId }) => appId);
        expect(ids).toEqual([...new Set(ids)].sort());
        expect(ids).toEqual(expect.arrayContaining(['billing', 'wiki']));
        for (const limit of [1, 2, ids.length]) {
          const pages = await readPages(ask, '/applications', limit);
          expect(pages.flat()).toEqual(all);
          expect(pages.map((page) => page.length).slice(0, -1)).toEqual(Array(pages.length - 1).fill(limit));
        }
      });

      test('a list has no cursor after its last item, even if the page is full', async () => {
        const [all = []] = await readPages(ask, '/applications');
        const { body } = await ask('GET', `/applications?limit=${all.length}`);
        expect([body.items.length, body.cursor]).toEqual([all.length, null]);
      });

      test('a page of a list has 25 items by default', async () => {
        for (let n = 0; n < 25; n++) await newApplication([], freshId());
        const { body } = await ask('GET', '/applications');
        expect([body.items.length, typeof body.cursor]).toEqual([25, 'string']);
      });
    });
  });

  describe('GET /applications/{appId}', () => {
    test('answers 404 for an application that does not exist', async () => {
      expectProblem(await ask('GET', '/applications/nothing'), 'application_not_found');
    });
  });

  describe('PATCH /applications/{appId}', () => {
    describe('200', () => {
      test('renames an application', async () => {
        const appId = await newApplication();
        const { body: before } = await ask('GET', `/applications/${appId}`);
        const { status, headers: answered, body } = await ask('PATCH', `/applications/${appId}`, { name: 'New' });
        const after = { ...before, name: 'New', version: 2, updatedAt: aTimestamp };
        expect([status, body, answered.etag]).toEqual([
          200,
          { ...after, changed: true, changeId: expect.any(String) },
          '"2"',
        ]);
        expect(body.updatedAt > before.updatedAt).toBe(true);
        expect((await ask('GET', `/applications/${appId}`)).body).toEqual(after);
      });

      test('changes and records nothing if the application already has the name', async () => {
        const appId = await newApplication();
        const { body: before } = await ask('GET', `/applications/${appId}`);
        const answer = await ask('PATCH', `/applications/${appId}`, { name: before.name });
        expect([answer.status, answer.body]).toEqual([200, { ...before, changed: false, changeId: null }]);
        expect(await changesOf(service, answer)).toEqual([]);
      });

      test('changes the rollout of an application, with or without renaming it', async () => {
        const appId = await newApplication();
        const { body: before } = await ask('GET', `/applications/${appId}`);
        const open = await ask('PATCH', `/applications/${appId}`, { rolloutPercent: 2.5 });
        const opened = { ...before, rolloutPercent: 2.5, version: 2, updatedAt: aTimestamp };
        expect([open.status, open.body]).toEqual([200, { ...opened, changed: true, changeId: expect.any(String) }]);
        const rename = await ask('PATCH', `/applications/${appId}`, { name: 'New' });
        expect(rename.body).toMatchObject({ name: 'New', rolloutPercent: 2.5, version: 3, changed: true });
        const both = await ask('PATCH', `/applications/${appId}`, { name: 'Newer', rolloutPercent: 50 });
        expect(both.body).toMatchObject({ name: 'Newer', rolloutPercent: 50, version: 4, changed: true });
        const same = await ask('PATCH', `/applications/${appId}`, { rolloutPercent: 50 });
        expect(same.body).toEqual({ ...both.body, changed: false, changeId: null });
      });

      test('sets and removes the request limit of an application', async () => {
        const appId = await newApplication();
        const { body: before } = await ask('GET', `/applications/${appId}`);
        expect(before.requestsPerSecond).toBeNull();
        const limited = await ask('PATCH', `/applications/${appId}`, { requestsPerSecond: 200 });
        expect(limited.body).toMatchObject({ requestsPerSecond: 200, name: before.name, version: 2, changed: true });
        const renamed = await ask('PATCH', `/applications/${appId}`, { name: 'New' });
        expect(renamed.body).toMatchObject({ requestsPerSecond: 200, version: 3 });
        expect((await ask('GET', `/applications/${appId}`)).body.requestsPerSecond).toBe(200);
        const free = await ask('PATCH', `/applications/${appId}`, { requestsPerSecond: null });
        expect(free.body).toMatchObject({ requestsPerSecond: null, version: 4, changed: true });
        const again = await ask('PATCH', `/applications/${appId}`, { requestsPerSecond: null });
        expect(again.body).toMatchObject({ version: 4, changed: false });
      });

      test('an empty change leaves the application unchanged', async () => {
        const appId = await newApplication();
        const { body: before } = await ask('GET', `/applications/${appId}`);
        const answer = await ask('PATCH', `/applications/${appId}`, {});
        expect([answer.status, answer.body]).toEqual([200, { ...before, changed: false, changeId: null }]);
      });

      test('renaming an application keeps its keys and roles', async () => {
        const appId = await newApplication(['editor']);
        const key = await service.issueKey(appId, ['access:read']);
        await ask('PATCH', `/applications/${appId}`, { name: 'New' });
        expect((await service.request(['GET', access], { key })).status).toBe(200);
        expect((await ask('GET', `/applications/${appId}/roles`)).body.items).toHaveLength(1);
      });
    });

    describe('400', () => {
      test.each(
        inTurns(entryPoint, [
          [0, 'must be at least 1'],
          [1.5, 'must be a whole number'],
          [100_001, 'must be at most 100000'],
          ['200', 'must be a number or null'],
        ] as const),
      )('refuses to limit an application to %p requests per second, which %s', async (requestsPerSecond, detail) => {
        const appId = await newApplication();
        const answer = await ask('PATCH', `/applications/${appId}`, { requestsPerSecond });
        expectInvalid(answer, '#/requestsPerSecond');
        expect(answer.body.errors).toMatchObject([{ detail }]);
      });

      test.each(inTurns(entryPoint, wrongPercents))(
        'refuses to set a rollout of %p percent, which %s',
        async (rolloutPercent, detail) => {
          const appId = await newApplication();
          const answer = await ask('PATCH', `/applications/${appId}`, { rolloutPercent });
          expectInvalid(answer, '#/rolloutPercent');
          expect(answer.body.errors).toMatchObject([{ detail }]);
        },
      );

      test('refuses a new id and an empty name for an application', async () => {
        const appId = await newApplication();
        expectInvalid(await ask('PATCH', `/applications/${appId}`, { name: 'New', appId: 'other' }), '#/appId');
        expectInvalid(await ask('PATCH', `/applications/${appId}`, { name: '' }), '#/name');
      });
    });
  });

  describe('an unknown application: 404', () => {
    test.each(inTurns(entryPoint, applicationOperations))(
      '404 for an unknown application: %s /applications/{appId}%s',
      async (method, path, body) => {
        const answer = await ask(method, `/applications/nothing${path}`, body);
        expectProblem(answer, 'application_not_found');
      },
    );
  });
});
