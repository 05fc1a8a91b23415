import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { putItems } from '../support/alter-item.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { entryPoints, manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { startSources, type TestService } from '../support/start-service.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

let service: TestService;
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  service = await startSources();
  sdk = await watchServiceTable();
});
afterAll(() => service.stop());
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
      const userIds = await Promise.all(Array.from({ length: 25 }, () => newUser()));
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
