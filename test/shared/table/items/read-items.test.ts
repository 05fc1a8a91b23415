import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AppId, RoleName, UserId } from '#shared/contract/fields.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import * as applications from '#shared/table/items/application-item.ts';
import { completeCall, readCompletedCall } from '#shared/table/items/call-item.ts';
import * as keyStates from '#shared/table/items/key-state.ts';
import * as roles from '#shared/table/items/role-item.ts';
import { deleteSearchEntries, putSearchEntries, searchEntryOf } from '#shared/table/items/search-item.ts';
import * as users from '#shared/table/items/user-item.ts';
import { storedApplication, storedRole, storedUser } from '../../../support/stored-items.ts';
import { type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

const [table = ''] = [process.env.TABLE_NAME];
const [appId, userId, role] = ['billing' as AppId, 'ada' as UserId, 'editor' as RoleName];
const unmarshalled = (item: Parameters<typeof unmarshall>[0]) => unmarshall(item);

describe('reads of the table', () => {
  let sdk: WatchedSdk;
  let items: object[] = [];
  const pages: object[] = [];

  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async ({ command, input }) => {
      const keys = input.RequestItems?.[table].Keys.map(unmarshalled) ?? [];
      const found = items.map((item, n) => ({ ...keys[n], ...item })).filter((item) => !('none' in item));
      const output = command === 'QueryCommand' ? pages.shift() : { Responses: { [table]: found } };
      return { response: { statusCode: 200 }, output: { $metadata: {}, ...output } };
    };
  });
  beforeEach(() => {
    sdk.requests.length = 0;
    items = [];
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  const none = { none: true };
  const application = storedApplication();
  const defined = storedRole({ version: 2 });
  const refusal = (code: string, detail: string) => ({ code, options: { detail } });

  test.each([
    ['there', defined, 'found'],
    ['deleted', { ...defined, deleting: true }, 'none'],
    ['not there', none, 'none'],
  ])('a role that is %s must exist', async (_, item, outcome) => {
    items = [application, item];
    const read = roles.readExistingRole(appId, role);
    if (outcome === 'found') expect(await read).toEqual(defined);
    else
      await expect(read).rejects.toMatchObject(
        refusal('role_not_found', 'The application has no role with this name.'),
      );
  });

  test('a role is read with its application, which must exist', async () => {
    items = [none, defined];
    await expect(roles.readRoleItem(appId, role)).rejects.toMatchObject(
      refusal('application_not_found', 'There is no application with this id.'),
    );
    expect(sdk.requests.map(({ input }) => input.RequestItems[table].Keys.map(unmarshalled))).toEqual([
      [
        { pk: 'APP#billing', sk: 'APP' },
        { pk: 'APP#billing', sk: 'ROLE#editor' },
      ],
    ]);
    items = [application, { ...defined, deleting: true, swept: true, closedUntil: 'soon' }];
    expect(await roles.readRoleItem(appId, role)).toEqual({
      role: defined,
      deleted: true,
      swept: true,
      closedUntil: 'soon',
    });
  });

  test.each([
    ['deleted and not swept', { ...defined, deleting: true }, 2],
    ['deleted and swept', { ...defined, deleting: true, swept: true }, undefined],
    ['defined again', defined, undefined],
    ['gone', none, undefined],
  ])('a role that is %s is swept by its version', async (_, item, version) => {
    items = [item];
    expect(await roles.readUnsweptVersion(appId, role)).toBe(version);
  });

  test('the name of a role is read even if the rest is damaged, and must be a string', () => {
    expect(roles.roleNameOf({ role, version: 'private' })).toBe(role);
    expect(() => roles.roleNameOf({ sk: 'ROLE#editor', role: 7 })).toThrow('The ROLE item cannot be read: role');
    expect([roles.roleOf(undefined), roles.roleItemOf(undefined)]).toEqual([undefined, undefined]);
  });

  test('a deleted application is read on request', async () => {
    items = [{ ...application, deleting: true, swept: true }];
    expect(await applications.readApplicationItem(appId)).toMatchObject({
      application,
      deleted: true,
      swept: true,
    });
    expect((await applications.readApplication(appId)).unwrap()).toBeUndefined();
    await expect(applications.readExistingApplication(appId)).rejects.toMatchObject({ code: 'application_not_found' });
    items = [none];
    expect(await applications.readApplicationItem(appId)).toBeUndefined();
    items = [application];
    expect(await applications.readExistingApplication(appId)).toMatchObject(application);
  });

  test('the use of a key is stored only as a day', async () => {
    await keyStates.writeKeyUsage({ appId }, 'k', '2026-11-20');
    const [{ input } = { input: {} }] = sdk.requests;
    expect([unmarshalled(input.Key), input.UpdateExpression, unmarshalled(input.ExpressionAttributeValues)]).toEqual([
      { pk: 'APP#billing', sk: 'KEYUSE#k' },
      'SET #lastUsedOn = :lastUsedOn',
      { ':lastUsedOn': '2026-11-20' },
    ]);
  });

  const user = storedUser();
  const mark = { erased: true, userId, lastChangeId: 'A', chainHead: 'MAC' };

  test.each([
    ['of a user is taken', user, { taken: true, mark: undefined }],
    ['of a user who is being erased is taken', { ...user, deleting: true }, { taken: true, mark: undefined }],
    ['of an erased user has the mark', mark, { taken: false, mark }],
    ['without a user is free', none, { taken: false, mark: undefined }],
  ])('an id %s', async (_, item, expected) => {
    items = [item];
    expect(await users.readUserId(userId)).toEqual(expected);
  });

  test('users are read by their ids, without unknown ones', async () => {
    items = [user, { ...user, userId: 'grace', deleting: true }, none];
    const read = await users.readUsers([userId, 'grace' as UserId, 'alan' as UserId]);
    expect([...read.keys()]).toEqual([userId]);
    items = [{ ...user, deleting: true }];
    expect(await users.readUserItem(userId)).toMatchObject({ deleting: true, user: { userId } });
    await expect(users.readExistingUser(userId)).rejects.toMatchObject(
      refusal('user_not_found', 'There is no user with this id. Create the user first.'),
    );
    items = [mark];
    expect(await users.readUserItem(userId)).toBeUndefined();
    expect(users.erasedUserOf(mark)).toEqual({ userId, lastChangeId: 'A' });
  });

  const call = {
    key: { pk: 'NONCE#k#n', sk: 'NONCE' },
    requestId: 'r',
    request: 'digest',
    named: true,
    ttl: 7,
    signed: { signature: 's', created: 5, endsAt: 6 },
  };

  test('the outcome of a call is stored with what distinguishes its attempts', async () => {
    expect(await completeCall(call, { answer: { changed: true } })).toBeUndefined();
    const [stored] = sdk.requests.map(({ input }) => unmarshalled(input.Item));
    const { key, named: _, ...rest } = call;
    expect(stored).toEqual({ ...key, ...rest, outcome: '{"answer":{"changed":true}}' });
    items = [{ ...stored }];
    const { signature, created } = call.signed;
    const ended = { ...rest, signed: { signature, created }, outcome: { answer: { changed: true } }, stored };
    expect(await readCompletedCall(call)).toEqual(ended);
    items = [none];
    expect(await readCompletedCall(call)).toBeUndefined();
    const { signed: ___, ...unsigned } = call;
    await completeCall(unsigned, { refusal: { code: 'user_not_found', detail: 'd', headers: { 'retry-after': '5' } } });
    const last = unmarshalled(sdk.requests.at(-1)?.input.Item);
    expect(last).not.toHaveProperty('signed');
    items = [last];
    expect((await readCompletedCall(unsigned))?.outcome).toEqual({
      refusal: { code: 'user_not_found', detail: 'd', headers: { 'retry-after': '5' } },
    });
  });

  test('a user is listed under each sufficiently long word', () => {
    const entry = { userId, word: 'ada', words: ' ada king ' };
    const key = { pk: 'FIND#ad', sk: 'ada#ada' };
    expect(putSearchEntries(entry)).toMatchObject([{ Put: { Item: { ...key, ...entry } } }]);
    expect(deleteSearchEntries(entry)).toMatchObject([{ Delete: { Key: key } }]);
    expect([putSearchEntries({ ...entry, word: 'a' }), deleteSearchEntries({ ...entry, word: 'a' })]).toEqual([[], []]);
    expect(searchEntryOf({ ...key, ...entry })).toEqual(entry);
    expect(() => searchEntryOf({ ...key, userId })).toThrow('The ada item cannot be read: word');
  });
});
