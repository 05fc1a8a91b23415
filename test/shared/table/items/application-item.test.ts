import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import type { AppId } from '#shared/contract/fields.ts';
import { countRequests, readExistingApplication } from '#shared/table/items/application-item.ts';
import { readKeyUses } from '#shared/table/items/key-state.ts';
import { storedKey } from '../../../support/stored-items.ts';
import { tableForEachTest } from '../../../support/table-in-memory.ts';
import { applicationItem, keyUseItem } from '../../../support/table-items.ts';

const appId = 'billing' as AppId;

const memory = tableForEachTest(new Date('2026-11-20T19:00:00.500Z'));

test('requests are added to the totals of the application in the Region, which expire a day later', async () => {
  const totals = { requests: 12, restingRequests: 5 };
  memory.sdk.fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {}, Attributes: totals } });
  memory.sdk.requests.length = 0;
  expect(await countRequests(appId, { requests: 2, restingRequests: 1 })).toEqual({ requests: 12, restingRequests: 5 });
  const [{ input } = { input: {} }] = memory.sdk.requests;
  expect(unmarshall(input.Key)).toEqual({ pk: 'RATE#billing', sk: 'local' });
  expect(input.UpdateExpression).toBe('SET #ttl = :ttl ADD #requests :requests, #resting :resting');
  expect(input.ExpressionAttributeNames).toEqual({
    '#ttl': 'ttl',
    '#requests': 'requests',
    '#resting': 'restingRequests',
  });
  const ttl = Date.parse('2026-11-21T19:00:01.000Z') / 1000;
  expect(unmarshall(input.ExpressionAttributeValues)).toEqual({ ':ttl': ttl, ':requests': 2, ':resting': 1 });
  expect(input.ReturnValues).toBe('UPDATED_NEW');
});

test('the last uses of keys are returned in the order of the keys', async () => {
  memory.put(keyUseItem('billing', 'b', '2026-11-19'));
  const keys = ['a', 'b', 'c'].map((keyId) => ({ appId, keyId }));
  expect(await readKeyUses(keys)).toEqual([undefined, '2026-11-19', undefined]);
});

test('a key keeps the lifetime that it was issued with, even after a rotation has shortened its life', async () => {
  const issuedBy = { via: 'iam' as const, id: 'eve', email: null };
  const stored = storedKey({ issuedBy, expiresAt: '2026-01-01T01:00:00.000Z', lifetimeSeconds: 86_400 });
  memory.put(applicationItem({ keys: { stored } }));
  const application = await readExistingApplication(appId);
  expect(application.keys).toEqual({ stored });
});
