import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { describeService } from '../support/describe-service.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import type { Key } from '../support/send-request.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
beforeAll(async () => {
  sdk = await watchServiceTable();
});
afterEach(() => {
  sdk.fault = undefined;
});

/** Hides everything written since the table was created from the index. */
function hideIndex(): void {
  sdk.fault = async ({ input }, send) => {
    if (input.IndexName === undefined) return send();
    return { response: { statusCode: 200 }, output: { $metadata: {}, Items: [], Count: 0 } };
  };
}

const remove = (path: string) => manage('iam', 'DELETE', `/applications/${path}`);

async function itemsOf(appId: string): Promise<string[]> {
  const keys = [...(await service.items()).keys()];
  return keys.filter((key) => key.includes(appId) && !/CHANGE#|IDEMPOTENCY#/.test(key));
}

describe('while the index is empty', () => {
  test('an application in which a user is blocked is in use, and is deleted with all its items', async () => {
    const [appId, userId] = [await newApplication(), await newUser()];
    await manage('iam', 'PUT', `/users/${userId}/access/${appId}`, { body: { status: 'disabled' } });
    hideIndex();
    expectProblem(await remove(appId), 'application_in_use');
    expect((await remove(`${appId}?force=true`)).body).toEqual({ changed: true, complete: true });
    expect(await itemsOf(appId)).toEqual([expect.stringMatching(/APP$/)]);
  });

  test('a role that a user holds is in use, and is deleted with all its items', async () => {
    const [appId, userId] = [await newApplication(), await newUser()];
    await manage('iam', 'PUT', `/applications/${appId}/roles/editor`, { body: {} });
    await manage('iam', 'PUT', `/users/${userId}/roles/${appId}/editor`, { body: {} });
    hideIndex();
    expectProblem(await remove(`${appId}/roles/editor`), 'role_in_use');
    expect((await remove(`${appId}/roles/editor?force=true`)).body).toEqual({ changed: true, complete: true });
    expect((await itemsOf(appId)).filter((key) => key.includes('ROLE#editor USER#'))).toEqual([]);
  });

  test('an erased user does not count as using anything', async () => {
    const [appId, userId] = [await newApplication(), await newUser()];
    await manage('iam', 'PUT', `/users/${userId}/access/${appId}`, { body: { status: 'disabled' } });
    hideIndex();
    expect((await manage('iam', 'DELETE', `/users/${userId}`)).body).toEqual({ changed: true, complete: true });
    expect(await itemsOf(appId)).toEqual([expect.stringMatching(/APP$/)]);
    expect((await remove(appId)).body).toEqual({ changed: true, complete: true });
  });

  /** Everything that an application is told, by the requests of a replica. */
  const read = async (key: Key, path: string) => {
    const { status, body } = await service.request(['GET', `/api/service/${path}`], { key });
    expect(status).toBe(200);
    return body;
  };
  const snapshotOf = async (key: Key) => {
    const { items, changesCursor } = await read(key, 'access?limit=2500');
    const entries: readonly (readonly [string, string])[] = items.map(
      ({ kind, userId }: { kind: string; userId: string }) => [kind, userId],
    );
    return { entries, changesCursor };
  };

  test('the snapshot has every access, inactive and erased user', async () => {
    const appId = await newApplication();
    const key = await service.issueKey(appId, ['access:read']);
    const [blocked, inactive, erased] = [await newUser(), await newUser(), await newUser()];
    hideIndex();
    await manage('iam', 'PUT', `/users/${blocked}/access/${appId}`, { body: { status: 'disabled' } });
    await manage('iam', 'PUT', `/users/${inactive}/status`, { body: { status: 'inactive' } });
    await manage('iam', 'DELETE', `/users/${erased}`);
    expect((await snapshotOf(key)).entries).toEqual(
      expect.arrayContaining([
        ['access', blocked],
        ['inactive', inactive],
        ['erased', erased],
      ]),
    );
  });

  test('a follower gets each change at once, and again until it has a number', async () => {
    const { numberFeed } = await import('#shared/domain/history/feed-numbers.ts');
    const appId = await newApplication();
    const key = await service.issueKey(appId, ['access:read']);
    const [blocked, inactive] = [await newUser(), await newUser()];
    const number = async () => {
      for (const feed of [appId as AppId, 'USERS'] as const) await numberFeed(feed);
    };
    await number();
    hideIndex();
    const { changesCursor } = await snapshotOf(key);
    const told = async (after: string) => {
      const { items, cursor } = await read(
        key,
        `changes?actions=access.changed,user.status.changed&limit=100&after=${after}`,
      );
      return { users: items.map(({ userId }: { userId: string }) => userId), cursor };
    };
    await manage('iam', 'PUT', `/users/${blocked}/access/${appId}`, { body: { status: 'disabled' } });
    await manage('iam', 'PUT', `/users/${inactive}/status`, { body: { status: 'inactive' } });
    for (let n = 0; n < 2; n++) expect((await told(changesCursor)).users.sort()).toEqual([blocked, inactive].sort());
    await number();
    const numbered = await told(changesCursor);
    expect(numbered.users.sort()).toEqual([blocked, inactive].sort());
    expect((await told(numbered.cursor)).users).toEqual([]);
  });
});
