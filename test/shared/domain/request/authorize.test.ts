import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AppId, KeyId } from '#shared/contract/fields.ts';
import type { Scope } from '#shared/contract/operation.ts';
import { ServiceError } from '#shared/core/errors.ts';
import { authorize, requireOpen } from '#shared/domain/request/authorize.ts';
import type { RequestContext } from '#shared/domain/request/request-context.ts';
import { dynamoDb } from '#shared/table/dynamodb.ts';
import { type Application, GuardedApplication } from '#shared/table/items/application-item.ts';
import type { KeyState } from '#shared/table/items/key-state.ts';
import { storedApplication, storedKey } from '../../../support/stored-items.ts';
import { type WatchedSdk, watchSdk } from '../../../support/watch-sdk.ts';

const at = new Date('2026-11-20T19:00:00.000Z');
const [appId, keyId] = ['billing' as AppId, 'svk_k1_billing_1' as KeyId];
const createdAt = '2026-01-01T00:00:00.000Z';
const key = storedKey();
const applicationWith = (keys: Record<string, KeyState>) => storedApplication({ keys });
const withScopes = (...scopes: Scope[]) => applicationWith({ [keyId]: { ...key, scopes } });
const signed = {
  caller: { kind: 'api-key', appId, keyId },
  requiredScope: 'access:read',
  requestId: 'r',
  sourceIp: '192.0.2.7',
} as const;
const operator = {
  caller: { kind: 'operator', via: 'iam', role: 'admin', id: 'ada' },
  requestId: 'r',
  sourceIp: '192.0.2.7',
} as const;
const open = (context: RequestContext, application: Application | undefined) =>
  authorize(context, new GuardedApplication(application), at);

describe('authorize', () => {
  let sdk: WatchedSdk;
  beforeAll(() => {
    sdk = watchSdk(dynamoDb);
    sdk.fault = async () => ({ response: { statusCode: 200 }, output: { $metadata: {} } });
  });

  test('opens the application for an active key with the required scope', async () => {
    const application = withScopes('access:read');
    expect(await open(signed, application)).toBe(application);
  });

  test.each([
    ['of an application that was deleted', undefined],
    ['that was removed from the application', applicationWith({})],
    ['that was revoked', applicationWith({ [keyId]: { ...key, revokedAt: createdAt } })],
  ])('refuses a key %s as revoked', async (_, application) => {
    await expect(open(signed, application)).rejects.toThrow(
      new ServiceError('key_revoked', { detail: 'This API key was revoked. Use another one.' }),
    );
  });

  test('refuses a key from the exact time of its expiry', async () => {
    const ending = (expiresAt: string) => open(signed, applicationWith({ [keyId]: { ...key, expiresAt } }));
    await expect(ending('2026-11-20T19:00:00.000Z')).rejects.toThrow(
      new ServiceError('key_expired', {
        detail: 'This API key expired at 2026-11-20T19:00:00.000Z. Use another one.',
      }),
    );
    await expect(ending('2026-11-20T19:00:00.001Z')).resolves.toBeDefined();
  });

  test('refuses a key without the scope required by the record of the operation', async () => {
    await expect(open(signed, withScopes('access:write', 'roles:write'))).rejects.toMatchObject({
      code: 'scope_missing',
      options: { detail: expect.stringMatching(/access:read; the API key has access:write, roles:write\.$/) },
    });
    await expect(open(signed, withScopes())).rejects.toThrow('the API key has none.');
  });

  test('refuses a key if no scope is defined, because only operators need none', async () => {
    const { requiredScope: _, ...without } = signed;
    // @ts-expect-error A signed request has the scope of its operation.
    await expect(open(without, withScopes('access:read'))).rejects.toMatchObject({ code: 'scope_missing' });
  });

  test('opens every application that exists for operators, and requires no scope', async () => {
    const application = applicationWith({});
    expect(await open(operator, application)).toBe(application);
    await expect(open(operator, undefined)).rejects.toMatchObject({ code: 'application_not_found' });
  });

  test('records the use of a key that lacks the scope, but not of one that is refused as revoked', async () => {
    const uses = async (id: string, keys: Record<string, KeyState>) => {
      sdk.requests.length = 0;
      const context = { ...signed, caller: { ...signed.caller, keyId: id as KeyId } };
      await open(context, applicationWith(keys)).catch(() => {});
      return sdk.requests.length;
    };
    expect(await uses('unscoped', { unscoped: { ...key, scopes: [] } })).toBe(1);
    expect(await uses('revoked', { revoked: { ...key, revokedAt: createdAt } })).toBe(0);
  });
});

describe('requireOpen', () => {
  const later = new Date(at.getTime() + 1).toISOString();

  test.each([
    ['that is open', undefined],
    ['whose closing has just expired', at.toISOString()],
  ])('accepts a change in an application %s', (_, closedUntil) => {
    expect(() => requireOpen({ ...applicationWith({}), closedUntil }, at)).not.toThrow();
  });

  test('refuses a change in a closed application, for some seconds', () => {
    const refused = expect.objectContaining({
      code: 'unavailable',
      options: {
        detail: 'This application may be about to be deleted. Try again in a few seconds.',
        headers: { 'retry-after': '5' },
      },
    });
    expect(() => requireOpen({ ...applicationWith({}), closedUntil: later }, at)).toThrow(refused);
  });
});
