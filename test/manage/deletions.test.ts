import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { alterItem, putItems } from '../support/alter-item.ts';
import { applicationOperations } from '../support/application-operations.ts';
import { describeService } from '../support/describe-service.ts';
import type { Ask } from '../support/each-entry-point.ts';
import { expectInvalid, expectProblem } from '../support/expect-problem.ts';
import { entryPoints, manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '../support/new-application.ts';
import { newUser, newUsers } from '../support/new-user.ts';
import { changesOf } from '../support/read-changes.ts';
import { readPages } from '../support/read-pages.ts';
import type { Answer, Key } from '../support/send-request.ts';
import { fromNow } from '../support/timestamps.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  sdk = await watchServiceTable();
});
afterEach(() => {
  sdk.fault = undefined;
  jest.useRealTimers();
});

/** Advances the clock between deleting and looking for more, so that the deletion has no time left. */
function runOutOfTime(): void {
  let hasDeleted = false;
  sdk.fault = async ({ command, input }, send) => {
    if (command === 'QueryCommand' && hasDeleted) {
      hasDeleted = false;
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'],
        now: Date.now() + 25_000,
      });
    }
    hasDeleted ||= input.TransactItems?.some((entry: object) => 'Delete' in entry) ?? false;
    return send();
  };
}

function restoreClock(): void {
  sdk.fault = undefined;
  jest.useRealTimers();
}

/** More items of a user's history than two pages of erasing delete. */
async function putHistory(userId: string): Promise<void> {
  const itemOf = (n: number) => ({ pk: `USER#${userId}`, sk: `CHANGE#${n}`, userId });
  await putItems(service, ...Array.from({ length: 300 }, (_, n) => itemOf(n)));
}

const access = '/api/service/users/ada/access';
const left = async (prefix: string) => [...(await service.items()).keys()].filter((key) => key.startsWith(prefix));

const unfinished = { status: 202, body: { changed: true, complete: false }, headers: { 'retry-after': '1' } };

describe.each(entryPoints)(
  'through the entry point %s: a deletion that runs out of time answers 202, and a retry resumes it',
  (entryPoint) => {
    test('erasing a user answers 202 when it runs out of time, and a retry resumes it', async () => {
      const userId = await newUser();
      await putHistory(userId);
      runOutOfTime();
      const first = await manage(entryPoint, 'DELETE', `/users/${userId}`);
      restoreClock();
      expect(first).toMatchObject(unfinished);
      expect((await left(`USER#${userId} `)).length).toBeGreaterThan(1);
      expectProblem(await manage(entryPoint, 'GET', `/users/${userId}`), 'user_not_found');
      expectProblem(await manage(entryPoint, 'PUT', `/users/${userId}`), 'already_exists');
      const second = await manage(entryPoint, 'DELETE', `/users/${userId}`);
      expect(second).toMatchObject({ status: 200, body: { complete: true } });
      const erasure = expect.stringMatching(`^USER#${userId} CHANGE#ERASED#`);
      expect(await left(`USER#${userId} `)).toEqual([erasure, `USER#${userId} USER`]);
      expect((await manage(entryPoint, 'PUT', `/users/${userId}`)).status).toBe(201);
    });

    test('deleting a role answers 202 when it runs out of time, and a retry resumes it', async () => {
      const appId = await newApplication(['editor']);
      const userIds = await newUsers(25);
      await Promise.all(userIds.map((userId) => grantRole(userId, appId, 'editor')));
      const remove = () => manage(entryPoint, 'DELETE', `/applications/${appId}/roles/editor?force=true`);
      runOutOfTime();
      const first = await remove();
      restoreClock();
      expect(first).toMatchObject(unfinished);
      const remaining = (await left(`APP#${appId}#ROLE#editor `)).length;
      expect([remaining > 0, remaining < 25]).toEqual([true, true]);
      expectProblem(await manage(entryPoint, 'PUT', `/users/ada/roles/${appId}/editor`), 'role_not_found');
      expect(await remove()).toMatchObject({ status: 200, body: { changed: false, complete: true } });
      expect(await left(`APP#${appId}#ROLE#editor `)).toEqual([]);
    });
  },
);

test('deleting an application answers 202 when it runs out of time, and the application is no longer found', async () => {
  const appId = await newApplication(['editor', 'viewer']);
  await grantRole(await newUser(), appId, 'editor');
  const remove = () => manage('jwt', 'DELETE', `/applications/${appId}?force=true`);
  runOutOfTime();
  const first = await remove();
  restoreClock();
  expect(first).toMatchObject(unfinished);
  expect((await left(`APP#${appId} ROLE#`)).length).toBeGreaterThan(0);
  expectProblem(await manage('jwt', 'GET', `/applications/${appId}`), 'application_not_found');
  expect(await remove()).toMatchObject({ status: 200, body: { changed: false, complete: true } });
  expect((await left(`APP#${appId}`)).filter((key) => !key.includes(' CHANGE#'))).toEqual([`APP#${appId} APP`]);
});

/** Through one entry point, because each deletion takes a second; operations.test.ts covers the other. */
describe('DELETE /applications/{appId}', () => {
  const ask: Ask = (method, path, body) => manage('iam', method, path, { body });

  describe('409', () => {
    test.each([
      ['explicit access', (userId: string, appId: string) => setStatus(userId, appId, 'disabled')],
      ['explicit access that is the default', (userId: string, appId: string) => setStatus(userId, appId, 'enabled')],
      ['a role', (userId: string, appId: string) => grantRole(userId, appId, 'editor')],
      ['a role with an expiry', (userId: string, appId: string) => grantRole(userId, appId, 'editor', fromNow(60_000))],
    ])('refuses to delete an application in which a user has %s, and changes nothing', async (_, prepare) => {
      const appId = await newApplication(['editor']);
      await prepare(await newUser(), appId);
      for (const query of ['', '?force=false']) {
        const answer = await ask('DELETE', `/applications/${appId}${query}`);
        expectProblem(answer, 'application_in_use');
        expect(await changesOf(service, answer)).toEqual([]);
      }
      expect((await ask('GET', `/applications/${appId}`)).status).toBe(200);
      expect((await ask('GET', `/applications/${appId}/users`)).body.items).toHaveLength(1);
    });
  });

  describe('400', () => {
    test.each(['', '1', 'yes', 'TRUE'])(
      'refuses to delete an application with force=%s, as only true and false are values',
      async (force) => {
        expectInvalid(await ask('DELETE', `/applications/wiki?force=${force}`), 'query:force');
      },
    );
  });

  describe('200', () => {
    const gone = { status: 200, body: { changed: true, complete: true } };
    const same = { status: 200, body: { changed: false, complete: true } };
    const paths = ['/applications/unused', '/applications/all-ended', '/applications/forced?force=true'];
    let key: Key;
    let inForced: string;
    let first: Answer[];
    let again: Answer[];

    // A deletion reads twice, a second apart, so all run concurrently before the tests check each.
    beforeAll(async () => {
      for (const appId of ['unused', 'all-ended', 'forced']) await newApplication(['editor', 'viewer'], appId);
      key = await service.issueKey('unused', ['access:read']);
      await service.request(['GET', access], { key });
      const ended = await newUser();
      await grantRole(ended, 'all-ended', 'editor', fromNow(60_000));
      const past = fromNow(-1000);
      await alterItem(service, [`USER#${ended}`, 'ACCESS#all-ended'], ['roles', 'editor', 'expiresAt'], past);
      await alterItem(service, ['APP#all-ended#ROLE#editor', `USER#${ended}`], ['expiresAt'], past);
      inForced = await newUser();
      await grantRole(inForced, 'forced', 'editor');
      await setStatus(inForced, 'forced', 'disabled');
      first = await Promise.all(paths.map((path) => ask('DELETE', path)));
      again = await Promise.all(paths.map((path) => ask('DELETE', path)));
    });

    test('deletes an application that is unused, or whose users have only expired settings and roles', () => {
      expect(first.slice(0, 2)).toMatchObject([gone, gone]);
    });

    test('deletes an application in use with force=true', () => {
      expect(first[2]).toMatchObject(gone);
    });

    test('deleting an application again changes and records nothing', async () => {
      expect(again).toMatchObject([same, same, same]);
      for (const answer of again) expect(await changesOf(service, answer)).toEqual([]);
    });

    test('the keys of a deleted application stop working immediately', async () => {
      const { status, body } = await service.request(['GET', access], { key });
      expect([status, body.code]).toEqual([401, 'key_revoked']);
    });

    test.each(['unused', 'all-ended', 'forced'])(
      'only the reserved id and the history of the deleted application %s remain',
      async (appId) => {
        const items = [...(await service.items({ keyUses: true })).keys()];
        const left = items.filter((item) => item.startsWith(`APP#${appId}`) || item.endsWith(` ACCESS#${appId}`));
        expect(left.filter((item) => !item.includes(' CHANGE#'))).toEqual([`APP#${appId} APP`]);
      },
    );

    test('a deleted application is in no list', async () => {
      const listed = (await readPages(ask, '/applications')).flat().map(({ appId }) => appId);
      expect(listed.filter((appId) => ['unused', 'all-ended', 'forced'].includes(appId))).toEqual([]);
      const accesses = (await readPages(ask, `/users/${inForced}/access`)).flat();
      expect(accesses.map(({ appId }) => appId)).toEqual(listed);
    });

    test.each(['unused', 'all-ended', 'forced'])(
      'the id of the deleted application %s cannot be used again',
      async (appId) => {
        expectProblem(await ask('POST', '/applications', { appId, name: 'Again' }), 'already_exists');
      },
    );

    test('deleting an application that never existed changes nothing', async () => {
      expect(await ask('DELETE', '/applications/never-was')).toMatchObject(same);
    });

    describe('404 for everything in a deleted application', () => {
      test.each(applicationOperations)(
        '404 for a deleted application: %s /applications/{appId}%s',
        async (method, path, body) => {
          expectProblem(await ask(method, `/applications/forced${path}`, body), 'application_not_found');
        },
      );

      test.each([
        ['PUT', '/users/ada/access/forced', { status: 'enabled' }],
        ['PUT', '/users/ada/roles/forced/editor', {}],
        ['DELETE', '/users/ada/roles/forced/editor', undefined],
      ])('404 for a deleted application in a path: %s %s', async (method, path, body) => {
        expectProblem(await ask(method, path, body), 'application_not_found');
      });
    });
  });
});
