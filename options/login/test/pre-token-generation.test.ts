import { Metrics } from '@aws-lambda-powertools/metrics';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { AppId, UserId } from '#shared/contract/fields.ts';
import { transact } from '#shared/table/client.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { operator } from '#test/support/start-service.ts';
import { tableForEachTest } from '#test/support/table-in-memory.ts';
import { handler } from '../functions/pre-token-generation.ts';
import { inviteUser } from '../server/accounts.ts';
import { setLogin } from '../server/logins.ts';
import { putClientEntries } from '../table/login-item.ts';

const memory = tableForEachTest();
const time = '2026-11-20T19:00:00.000Z';
const denial = 'You have no access to this application.';
let clients = 0;
let event: Parameters<typeof handler>[0] & { readonly request: { readonly userAttributes: object } };
let appId: string;
let userId: string;

beforeEach(async () => {
  const clientId = `of-function-${++clients}`;
  appId = await newApplication(['editor', 'viewer']);
  userId = await newUser();
  const login = { clientType: 'public', redirectUris: ['https://app.example.com/'], logoutUris: [] } as const;
  await setLogin({ appId: appId as AppId, ...login }, operator);
  await inviteUser({ userId: userId as UserId }, operator);
  await grantRole(userId, appId, 'editor');
  await grantRole(userId, appId, 'viewer');
  await transact(putClientEntries({ appId: appId as AppId, clientId, madeAt: '', error: null }));
  event = {
    version: '2',
    triggerSource: 'TokenGeneration_HostedAuth',
    userName: userId.toUpperCase(),
    callerContext: { clientId },
    request: { userAttributes: { sub: 'a-uuid', 'custom:user_id': userId, 'custom:user_created_at': time } },
    response: { claimsAndScopeOverrideDetails: null },
  };
});

const claims = () => ({ claimsToAddOrOverride: { user_id: userId, roles: ['editor', 'viewer'] } });

describe('the function that Cognito calls before each token', () => {
  test.each(['2', '3'])('gives both tokens the user and the roles, in version %s of the event', async (version) => {
    const response = {
      claimsAndScopeOverrideDetails: { idTokenGeneration: claims(), accessTokenGeneration: claims() },
    };
    expect(await handler({ ...event, version })).toEqual({ ...event, version, response });
  });

  test('gives the ID token texts in version 1, which knows no lists', async () => {
    const claimsToAddOrOverride = { user_id: userId, roles: 'editor viewer' };
    const response = { claimsOverrideDetails: { claimsToAddOrOverride } };
    expect(await handler({ ...event, version: '1' })).toEqual({ ...event, version: '1', response });
  });

  test.each(['TokenGeneration_HostedAuth', 'TokenGeneration_RefreshTokens', 'TokenGeneration_Authentication'])(
    'refuses a blocked user at %s, with what the person reads',
    async (triggerSource) => {
      await setStatus(userId, appId, 'disabled');
      await expect(handler({ ...event, triggerSource })).rejects.toThrow(denial);
    },
  );

  test('refuses whoever has not the attribute that the service sets, whatever the name', async () => {
    const named = { ...event, request: { userAttributes: { sub: 'a-uuid' } } };
    await expect(handler(named)).rejects.toThrow(denial);
    await expect(handler({ ...event, callerContext: {} })).rejects.toThrow(denial);
  });

  test('refuses an account whose name is that of another user, whatever its attribute', async () => {
    await expect(handler({ ...event, userName: 'somebody' })).rejects.toThrow(denial);
    const { userName: _, ...nameless } = event;
    await expect(handler(nameless)).rejects.toThrow(denial);
  });

  test('counts whom it refuses, so that an alarm tells refusals from failures, and nobody else', async () => {
    const publish = jest.spyOn(Metrics.prototype, 'addMetric');
    await handler(event);
    expect(publish).not.toHaveBeenCalled();
    await setStatus(userId, appId, 'disabled');
    await handler(event).catch(() => undefined);
    await handler({ ...event, userName: 'somebody' }).catch(() => undefined);
    expect(publish.mock.calls.map(([name]) => name)).toEqual(['LoginsRefused', 'LoginsRefused']);
    publish.mockRestore();
  });

  test('refuses while the table does not answer', async () => {
    jest.useRealTimers();
    memory.sdk.fault = async () => {
      throw Object.assign(new Error('injected'), { name: 'AccessDeniedException' });
    };
    await expect(handler(event)).rejects.toThrow();
  });
});
