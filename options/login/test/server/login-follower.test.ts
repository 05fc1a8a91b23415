import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { newApplication, setStatus as setAccess } from '#test/support/new-application.ts';
import { operator } from '#test/support/start-service.ts';
import { setLogin } from '../../server/logins.ts';
import { create, invite, setEmail, setStatus } from './account-steps.ts';
import { deliver, newRecords, poolForEachTest } from './pool-world.ts';

const world = poolForEachTest();
const appId = 'billing' as AppId;

beforeEach(async () => {
  await newApplication([], appId);
  await create('ada');
  await create('mei');
  newRecords(world);
});

/** What a batch costs: requests to the table, and invocations. */
async function costOf(act: () => Promise<unknown>) {
  await act();
  const records = newRecords(world);
  world.memory.sdk.requests.length = 0;
  await deliver(world, records);
  return {
    records: records.length,
    requests: world.memory.sdk.requests.map(({ command }) => command),
    // Changes of one millisecond have no order.
    invocations: world.invocations.splice(0).map(({ userIds, appIds }) => ({ userIds: userIds.toSorted(), appIds })),
  };
}

const changes = async () => {
  await invite('ada');
  await setStatus('ada', 'inactive');
  await setEmail('mei', null);
  await setLogin({ appId, clientType: 'public', redirectUris: ['https://a.example.com/'], logoutUris: [] }, operator);
};

describe('a batch of the stream', () => {
  test('costs a write for each user and application that changed, and one invocation', async () => {
    expect(await costOf(changes)).toEqual({
      records: 4,
      requests: ['UpdateItemCommand', 'UpdateItemCommand', 'UpdateItemCommand'],
      invocations: [{ userIds: ['ada', 'mei'], appIds: [appId] }],
    });
  });

  test('costs nothing if it changes no account and no login', async () => {
    const cost = await costOf(async () => {
      await create('zoe');
      await setAccess('ada', appId, 'disabled');
    });
    expect(cost).toEqual({ records: 2, requests: [], invocations: [] });
  });

  test('costs nothing in a deployment without a login', async () => {
    const name = process.env.SYNC_LOGIN_FUNCTION;
    delete process.env.SYNC_LOGIN_FUNCTION;
    expect(await costOf(changes)).toEqual({ records: 4, requests: [], invocations: [] });
    process.env.SYNC_LOGIN_FUNCTION = name;
  });
});
