import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../support/expect-problem.ts';
import { manageClient } from '../support/manage-client.ts';
import { newApplication } from '../support/new-application.ts';
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
  return keys.filter((key) => key.includes(appId) && !/CHANGE#|HISTORY#|IDEMPOTENCY#/.test(key));
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
});
