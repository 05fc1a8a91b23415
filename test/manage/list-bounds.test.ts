import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeService } from '../support/describe-service.ts';
import type { Ask } from '../support/each-entry-point.ts';
import { manageClient } from '../support/manage-client.ts';
import { grantRole, newApplication } from '../support/new-application.ts';
import { newUser } from '../support/new-user.ts';
import { readPages } from '../support/read-pages.ts';
import { type WatchedSdk, watchServiceTable } from '../support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
const manage = manageClient(() => service);
const ask: Ask = (method, path, body) => manage('iam', method, path, { body });
beforeAll(async () => {
  sdk = await watchServiceTable();
});
beforeEach(() => {
  sdk.requests.length = 0;
});

/** Reads all items of a list, and returns the maximum number of requests to the table for one page. */
async function readCountingRequests(path: string, limit: number): Promise<{ items: unknown[]; requests: number }> {
  let requests = 0;
  const counted: Ask = async (method, target) => {
    sdk.requests.length = 0;
    const answer = await ask(method, target);
    requests = Math.max(requests, sdk.requests.length);
    return answer;
  };
  const pages = await readPages(counted, path, limit);
  return { items: pages.flat(), requests };
}

describe('a page of a filtered list sends a bounded number of requests to the table, and its cursor continues:', () => {
  test('a page of users by their status sends at most twelve requests to the table', async () => {
    for (let n = 100; n < 160; n++) await newUser(`many-${n}`);
    for (const userId of ['many-130', 'many-159']) await ask('PUT', `/users/${userId}/status`, { status: 'inactive' });
    const { items, requests } = await readCountingRequests('/users?prefix=many-&status=inactive', 1);
    expect(items).toMatchObject([{ userId: 'many-130' }, { userId: 'many-159' }]);
    expect(requests).toBeLessThanOrEqual(12);
  });

  test("a page of an application's users sends at most twelve requests, even if most users no longer have anything", async () => {
    const appId = await newApplication(['editor']);
    const userIds: string[] = [];
    for (let n = 0; n < 40; n++) userIds.push(await newUser());
    for (const userId of userIds) await grantRole(userId, appId, 'editor');
    const [kept = ''] = userIds.toSorted().slice(-1);
    for (const userId of userIds.filter((one) => one !== kept)) {
      await ask('DELETE', `/users/${userId}/roles/${appId}/editor`);
    }
    const { items, requests } = await readCountingRequests(`/applications/${appId}/users`, 1);
    expect(items).toMatchObject([{ userId: kept }]);
    expect(requests).toBeLessThanOrEqual(12);
    const deletion = await ask('DELETE', `/applications/${appId}`);
    expect([deletion.status, deletion.body.code]).toEqual([409, 'application_in_use']);
  });
});
