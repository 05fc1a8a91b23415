import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import { log } from '#shared/core/telemetry.ts';
import { authorize } from '#shared/domain/request/authorize.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import { GuardedApplication } from '#shared/table/items/application-item.ts';
import { storedApplication, storedKey } from '../../../support/stored-items.ts';
import { type Fault, type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

const appId = 'billing' as AppId;
const written: Fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {} } });
const hanging: Fault = () => new Promise(() => {});

describe('authorize records the use of a key', () => {
  let sdk: WatchedSdk;
  let issued = 0;
  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
  });
  beforeEach(() => {
    jest.useFakeTimers({ now: new Date('2026-11-20T23:59:59.000Z'), doNotFake: ['nextTick', 'setImmediate'] });
    sdk.requests.length = 0;
    sdk.fault = written;
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    sdk.fault = undefined;
  });

  const newKey = () => `svk_k1_billing_${++issued}` as KeyId;
  const use = (keyId: KeyId) =>
    authorize(
      {
        caller: { kind: 'api-key', appId, keyId },
        requiredScope: 'access:read',
        requestId: 'r',
        sourceIp: '192.0.2.7',
      },
      new GuardedApplication(storedApplication({ keys: { [keyId]: storedKey() } })),
      new Date(),
    );
  const updates = () =>
    sdk.requests.map(({ input }) => ({ key: unmarshall(input.Key), set: unmarshall(input.ExpressionAttributeValues) }));
  const days = () => updates().flatMap(({ set }) => Object.values(set));

  test('the use of a key is recorded once a day, in a separate item', async () => {
    const keyId = newKey();
    await use(keyId);
    await use(keyId);
    expect(days()).toEqual(['2026-11-20']);
    expect(updates()[0]?.key).toEqual({ pk: 'APP#billing', sk: `KEYUSE#${keyId}` });
    jest.setSystemTime(new Date('2026-11-21T00:00:00.000Z'));
    await use(keyId);
    jest.setSystemTime(new Date('2026-11-21T23:59:59.999Z'));
    await use(keyId);
    expect(days()).toEqual(['2026-11-20', '2026-11-21']);
  });

  test('each key is recorded separately', async () => {
    const [one, other] = [newKey(), newKey()];
    for (const keyId of [one, other, one, other]) await use(keyId);
    expect(sdk.requests).toHaveLength(2);
  });

  test('no use is recorded for an operator', async () => {
    const context = {
      caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' },
      requestId: 'r',
      sourceIp: '192.0.2.7',
    } as const;
    await authorize(context, new GuardedApplication(storedApplication()), new Date());
    expect(sdk.requests).toEqual([]);
  });

  test('a response waits only until the key use is recorded', async () => {
    const timeOut = new Promise((resolve) => setImmediate(resolve, 'waited'));
    expect(await Promise.race([use(newKey()).then(() => 'answered'), timeOut])).toBe('answered');
  });

  test('a hanging record of a key use delays a response by only 100 ms', async () => {
    sdk.fault = hanging;
    let answered = false;
    void use(newKey()).then(() => {
      answered = true;
    });
    await jest.advanceTimersByTimeAsync(99);
    expect([answered, sdk.requests.length]).toEqual([false, 1]);
    await jest.advanceTimersByTimeAsync(1);
    expect(answered).toBe(true);
  });

  test('a key use that cannot be recorded is logged, without failing the request or a retry', async () => {
    const warn = jest.spyOn(log, 'warn').mockReturnValue();
    const error = Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
    sdk.fault = () => Promise.reject(error);
    const keyId = newKey();
    await use(keyId);
    await use(keyId);
    expect(sdk.requests).toHaveLength(1);
    expect(warn.mock.calls).toEqual([
      ['The use of a key was not recorded', { keyId, reason: 'AccessDeniedException: denied' }],
    ]);
  });

  test('a process remembers 1,000 recorded keys', async () => {
    const remembered = newKey();
    const othersUntilForgotten = async () => {
      for (let others = 1; others < 2000; others++) {
        await use(newKey());
        sdk.requests.length = 0;
        await use(remembered);
        if (sdk.requests.length > 0) return others;
      }
      return Number.POSITIVE_INFINITY;
    };
    // Earlier tests left keys; after the first time only two are remembered.
    await use(remembered);
    await othersUntilForgotten();
    expect(await othersUntilForgotten()).toBe(999);
  });
});
