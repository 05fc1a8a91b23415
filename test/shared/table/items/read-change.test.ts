import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessFields } from '#shared/contract/access-fields.ts';
import type { Change } from '#shared/contract/change.ts';
import { unsetFields } from '#shared/contract/field-forms.ts';
import type { UserId } from '#shared/contract/fields.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import { readChanges, readExistingChange, undoableChange } from '#shared/table/items/read-change.ts';
import { storedChange } from '../../../support/stored-items.ts';
import { type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

const [table = ''] = [process.env.TABLE_NAME];
const [userId, id] = ['ada' as UserId, '01KB3ZC4N7Z3QF4V6E5T8S9R2W'];
const at = '2026-01-01T00:00:00.000Z';
const recorded = { status: 'enabled', explicit: false, ...unsetFields(accessFields) };
const change = storedChange({ id, at, before: recorded, after: { version: 2 } });
const key = { pk: 'USER#ada', sk: `CHANGE#${id}` };

describe('changes that are read by their ids', () => {
  let sdk: WatchedSdk;
  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async ({ input }) => {
      const keys = input.RequestItems[table].Keys.map((each: Parameters<typeof unmarshall>[0]) => unmarshall(each));
      const found = keys
        .filter(({ sk }: { sk: string }) => sk === key.sk)
        .map((one: object) => ({ ...one, ...change }));
      return { response: { statusCode: 200 }, output: { $metadata: {}, Responses: { [table]: found } } };
    };
  });
  afterAll(() => {
    sdk.fault = undefined;
  });

  test('one must exist', async () => {
    expect(await readExistingChange({ userId, changeId: id })).toEqual(change);
    await expect(readExistingChange({ userId, changeId: 'gone' })).rejects.toMatchObject({
      code: 'change_not_found',
      options: { detail: 'The history of the user has no change with this id.' },
    });
  });

  test('of several, those no longer kept are omitted', async () => {
    const found = await readChanges([id, 'gone'].map((changeId) => ({ userId, changeId })));
    expect([...found]).toEqual([[id, change]]);
  });
});

describe('a change that can be undone', () => {
  const common = { id, at, userId };
  const after = { version: 2 };
  const granted = { granted: true, expiresAt: null, fromGroup: false };

  test.each([
    ['of an access', { action: 'access.changed', appId: 'billing', before: recorded, after }],
    ['of a role that was assigned', { action: 'role.assigned', appId: 'billing', role: 'a', before: granted, after }],
    ['of a role that was revoked', { action: 'role.revoked', appId: 'billing', role: 'a', before: granted, after }],
    ['of a status', { action: 'user.status.changed', before: { status: 'inactive' }, after }],
  ])('a change %s has everything needed to undo it', (_, of) => {
    const found = { ...change, ...of } as unknown as Change;
    expect(undoableChange(found)).toEqual({ ...common, ...of });
    for (const lacking of [{ before: null }, { before: {} }, { after: null }, { after: {} }, { id: 7 }]) {
      expect(undoableChange({ ...found, ...lacking } as unknown as Change)).toBeUndefined();
    }
  });

  test('any other change is not', () => {
    for (const action of ['user.created', 'key.issued', 'later.made'])
      expect(undoableChange({ ...change, action } as Change)).toBeUndefined();
  });
});
