import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import type { Item } from '#shared/table/client.ts';
import { readItems } from '#shared/table/client.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import { accessOrDefault, readCurrentAccess, readCurrentAccesses } from '#shared/table/items/access-item.ts';
import { applicationOf } from '#shared/table/items/application-item.ts';
import { applicationKey } from '#shared/table/keys/application-item-keys.ts';
import { roleKey } from '#shared/table/keys/role-item-keys.ts';
import { storedAccess, storedApplication, storedUser } from '../../../support/stored-items.ts';
import { readFormatFirst, type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

const [table = ''] = [process.env.TABLE_NAME];
const [userId, appId] = ['ada' as UserId, 'billing' as AppId];
const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const later = '2026-02-01T00:00:00.000Z';

describe('the reads for a decision about an access', () => {
  let sdk: WatchedSdk;
  /** Items by key; each request removes one, and the last one stays. */
  let answers: ReadonlyMap<string, object>[] = [];
  const requested = () =>
    sdk.requests.map(({ input }) =>
      input.RequestItems[table].Keys.map((key: Parameters<typeof unmarshall>[0]) => {
        const { pk, sk } = unmarshall(key);
        return `${pk} ${sk}`;
      }),
    );

  beforeAll(async () => {
    sdk = watchSdk(dynamoDb);
    await readFormatFirst(sdk, { readItems });
    sdk.fault = async ({ input }) => {
      const items = answers.length > 1 ? answers.shift() : answers[0];
      const keys: Item[] = input.RequestItems[table].Keys.map((key: Parameters<typeof unmarshall>[0]) =>
        unmarshall(key),
      );
      const found = keys.flatMap((key) => {
        const item = items?.get(`${key.pk} ${key.sk}`);
        return item === undefined ? [] : [{ ...key, ...item }];
      });
      return { response: { statusCode: 200 }, output: { $metadata: {}, Responses: { [table]: found } } };
    };
  });
  beforeEach(() => {
    sdk.requests.length = 0;
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  const user = (createdAt: string) => ['USER#ada USER', storedUser({ createdAt })] as const;
  const access = (userCreatedAt: string) =>
    ['USER#ada ACCESS#billing', storedAccess({ status: 'disabled', version: 3, userCreatedAt })] as const;
  const application = ['APP#billing APP', storedApplication()] as const;
  const ofOneUser = new Map<string, object>([user(later), access(later), application]);
  const ofTwoUsers = new Map<string, object>([user(later), access(times.createdAt), application]);

  test('get the application, the user and the access in one request', async () => {
    answers = [ofOneUser];
    const current = await readCurrentAccess({ userId, appId });
    expect(current.application.unwrap()).toMatchObject({ appId, name: 'Billing' });
    expect(current).toMatchObject({
      user: { userId, createdAt: later },
      access: { status: 'disabled', version: 3 },
      extraItems: [],
    });
    expect(requested()).toEqual([['APP#billing APP', 'USER#ada USER', 'USER#ada ACCESS#billing']]);
  });

  test('read one additional item, but not a cached application', async () => {
    const role = { appId, role: 'editor', version: 1 };
    answers = [new Map<string, object>([...ofOneUser, ['APP#billing ROLE#editor', role]])];
    const known = applicationOf({ ...application[1] });
    const current = await readCurrentAccess({
      userId,
      appId,
      extraKeys: [roleKey(appId, 'editor' as never)],
      application: known,
    });
    expect(current.application.unwrap()).toBe(known);
    expect(current.extraItems[0]).toMatchObject(role);
    expect(requested()).toEqual([['USER#ada USER', 'USER#ada ACCESS#billing', 'APP#billing ROLE#editor']]);
  });

  test('are retried if the access belongs to an earlier user with this id, at most three times', async () => {
    answers = [ofTwoUsers, ofTwoUsers, ofOneUser];
    expect((await readCurrentAccess({ userId, appId })).access.userCreatedAt).toBe(later);
    expect(sdk.requests.length).toBe(3);
    sdk.requests.length = 0;
    answers = [ofTwoUsers];
    await expect(readCurrentAccess({ userId, appId })).rejects.toMatchObject({
      code: 'unavailable',
      options: { detail: 'The user is being created again. Try again.' },
    });
    expect(sdk.requests.length).toBe(3);
  });

  test.each([
    ['without a user', [access(times.createdAt)]],
    ['that was never set', [user(later)]],
  ])('get an access %s once', async (_, items) => {
    answers = [new Map<string, object>([...items, application])];
    await readCurrentAccess({ userId, appId });
    expect(sdk.requests.length).toBe(1);
  });

  test.each([
    [1, [3]],
    [49, [99]],
    [50, [100, 1]],
    [51, [100, 3]],
    [100, [100, 100, 1]],
  ])(
    'read %d users with requests of these numbers of keys: %j, the application in the last',
    async (count, expected) => {
      answers = [new Map<string, object>([application])];
      const ids = Array.from({ length: count }, (_, n) => `user-${n}` as UserId);
      const { application: guarded, accesses } = await readCurrentAccesses(appId, ids);
      expect(guarded.unwrap()?.appId).toBe(appId);
      expect([...accesses.keys()]).toEqual(ids);
      expect(requested().map((keys) => keys.length)).toEqual(expected);
      expect(requested().at(-1)).toContain(Object.values(applicationKey(appId)).join(' '));
      expect(
        requested()
          .flat()
          .filter((key) => key.startsWith('APP#')).length,
      ).toBe(1);
    },
  );

  test('return the own access of each of many users, and are retried for a recreated user', async () => {
    const ids = [userId, 'grace' as UserId];
    answers = [ofTwoUsers, ofOneUser];
    const { accesses } = await readCurrentAccesses(appId, ids);
    expect(accesses.get('ada')).toMatchObject({ user: { createdAt: later }, access: { userCreatedAt: later } });
    expect(accesses.get('grace')).toEqual({
      user: undefined,
      access: accessOrDefault(undefined, ids[1] as UserId, appId),
    });
    expect(sdk.requests.length).toBe(2);
  });
});
