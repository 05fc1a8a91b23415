import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, KeyId, UserId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import type * as ReadAccess from '#shared/domain/access/read-access.ts';
import type { KeyState } from '#shared/table/items/key-state.ts';
import { storedApplication, storedKey, storedUser } from '../../../support/stored-items.ts';
import { type Fault, type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

const cacheSeconds = 10;
const createdAt = '2026-01-01T00:00:00.000Z';
const start = Date.parse('2026-11-20T12:00:00.000Z');

describe('a process that caches an application for 10 s', () => {
  let sdk: WatchedSdk;
  let getAccess: typeof ReadAccess.getAccess;
  let keys: Record<string, KeyState> = {};
  let rolloutPercent = 100;

  /** Answers reads for one application, in which every requested user exists. */
  const answer: Fault = async ({ input }) => {
    const [name = ''] = Object.keys(input.RequestItems ?? {});
    const items = keysOf(input.RequestItems?.[name]?.Keys ?? []).flatMap(itemOf);
    return { response: { statusCode: 200 }, output: { $metadata: {}, Responses: { [name]: items } } };
  };
  const keysOf = (all: Parameters<typeof unmarshall>[0][]) => all.map((key) => unmarshall(key)) as Key[];
  const itemOf = ({ pk, sk }: Key): object[] => {
    const [kind, id] = pk.split('#');
    if (sk === 'APP') return [{ ...storedApplication({ keys, rolloutPercent }), pk, sk, appId: id }];
    return kind === 'USER' && sk === 'USER' ? [{ ...storedUser(), pk, sk, userId: id }] : [];
  };

  beforeAll(async () => {
    process.env.KEY_STATE_CACHE_SECONDS = String(cacheSeconds);
    // A separate process, because a process reads its settings only once.
    await jest.isolateModulesAsync(async () => {
      ({ getAccess } = await import('#shared/domain/access/read-access.ts'));
      sdk = watchSdk((await import('#shared/table/dynamodb.ts')).dynamoDb);
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  });
  beforeEach(() => {
    sdk.fault = answer;
    keys = { a: activeKey(['access:read']), b: activeKey(['access:read']) };
    rolloutPercent = 100;
    jest.setSystemTime(start);
  });
  afterAll(() => {
    delete process.env.KEY_STATE_CACHE_SECONDS;
    jest.useRealTimers();
  });

  const activeKey = (scopes: Scope[]) => storedKey({ scopes });
  const signedBy = (appId: string, keyId: string) => ({
    caller: { kind: 'api-key', appId: appId as AppId, keyId: keyId as KeyId } as const,
    requiredScope: 'access:read' as const,
  });
  const operator = { caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' } } as const;
  /** Returns whether an access is answered, and whether the application was read for it. */
  const ask = async (
    appId: string,
    { after = 0, by = signedBy(appId, 'a') as typeof operator | ReturnType<typeof signedBy> } = {},
  ) => {
    jest.setSystemTime(start + after * 1000);
    sdk.requests.length = 0;
    const subject = { userId: 'ada' as UserId, appId: appId as AppId };
    const context = { ...by, requestId: 'r', sourceIp: '192.0.2.7' };
    const outcome = await getAccess(subject, context).then(
      ({ effectiveStatus }) => effectiveStatus,
      (error) => error.code,
    );
    const read = sdk.requests.flatMap(({ input }) =>
      keysOf(Object.values<ReadRequest>(input.RequestItems ?? {})[0]?.Keys ?? []),
    );
    return { outcome, isRead: read.some(({ sk }) => sk === 'APP') };
  };

  test('reads it with the first request, and again after 10 s', async () => {
    expect(await ask('one')).toEqual({ outcome: 'enabled', isRead: true });
    expect(await ask('one')).toEqual({ outcome: 'enabled', isRead: false });
    expect(await ask('one', { after: 9.999 })).toEqual({ outcome: 'enabled', isRead: false });
    expect(await ask('one', { after: 10 })).toEqual({ outcome: 'enabled', isRead: true });
    expect(await ask('one', { after: 19.999 })).toEqual({ outcome: 'enabled', isRead: false });
  });

  test('counts the 10 s from the beginning of its read, because its state may be that old', async () => {
    sdk.fault = (request, send) => {
      jest.setSystemTime(start + 6000);
      return answer(request, send);
    };
    expect(await ask('slow')).toEqual({ outcome: 'enabled', isRead: true });
    sdk.fault = answer;
    expect(await ask('slow', { after: 9.999 })).toEqual({ outcome: 'enabled', isRead: false });
    expect(await ask('slow', { after: 10 })).toEqual({ outcome: 'enabled', isRead: true });
  });

  test('ignores one that was read at a later time by the clock', async () => {
    await ask('two', { after: 5 });
    expect(await ask('two', { after: 4.999 })).toEqual({ outcome: 'enabled', isRead: true });
  });

  test.each([
    ['issued', undefined, 'enabled'],
    ['that may not read', activeKey(['access:write']), 'scope_missing'],
    ['that was revoked', { ...activeKey(['access:read']), revokedAt: createdAt }, 'key_revoked'],
    ['that has expired', { ...activeKey(['access:read']), expiresAt: createdAt }, 'key_expired'],
  ])('reads the stored state before refusing, as for a key %s', async (name, known, outcome) => {
    keys = { a: activeKey(['access:read']), ...(known && { b: known }) };
    await ask(name);
    keys = { ...keys, b: known ?? activeKey(['access:read']) };
    expect(await ask(name, { by: signedBy(name, 'b') })).toEqual({ outcome, isRead: true });
  });

  test('reads it for each request of an operator, who has no key', async () => {
    await ask('three');
    expect(await ask('three', { by: operator })).toEqual({ outcome: 'enabled', isRead: true });
  });

  test('reads it for each request while its rollout is below 100', async () => {
    rolloutPercent = 99;
    await ask('part');
    rolloutPercent = 0;
    expect(await ask('part')).toEqual({ outcome: 'disabled', isRead: true });
  });

  test('evicts the application that was read longest ago when there are 1,000', async () => {
    jest.setSystemTime(start);
    await ask('first', { after: 1000 });
    await ask('second', { after: 1000 });
    await ask('first', { after: 1000, by: operator });
    for (let n = 0; n < 999; n++) await ask(`app-${n}`, { after: 1000 });
    expect((await ask('second', { after: 1001 })).isRead).toBe(true);
    expect((await ask('first', { after: 1001 })).isRead).toBe(true);
    expect((await ask('app-998', { after: 1001 })).isRead).toBe(false);
  });
});

interface Key {
  readonly pk: string;
  readonly sk: string;
}

interface ReadRequest {
  readonly Keys?: Parameters<typeof unmarshall>[0][];
}
