import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newConnection } from '#options/connections/test/support/new-connection.ts';
import { describeService } from '#test/support/describe-service.ts';
import { hydraPayload } from '#test/support/hook-payloads.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';
import { operator } from '#test/support/start-service.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
let client: string;
let token: string;
beforeAll(async () => {
  sdk = await watchServiceTable();
  client = await newApplication(['editor', 'viewer']);
  ({ token } = await newConnection([client], 'hydra'));
  await grantRole('ada', client, 'viewer');
  await grantRole('ada', client, 'editor');
  await setStatus('grace', client, 'disabled');
  await recordKeyUse(sdk, () => askFor('ada'));
});
beforeEach(() => {
  sdk.fault = undefined;
  sdk.requests.length = 0;
});

const send = (body: object | string, options: object = {}) =>
  sendWithToken(service, ['POST', '/hooks/hydra'], { token, body, ...options });
const askFor = (subject: string, login: object = {}, options: object = {}) =>
  send(hydraPayload({ client, subject, ...login }), options);

test('a user who may enter gets the roles beside the claims of the session, from one request to the table', async () => {
  const { status, headers, body } = await askFor('ada', { extra: { tenant: 't1' }, ext: { theme: 'dark' } });
  const claims = { app_roles: ['editor', 'viewer'] };
  const session = { access_token: { tenant: 't1', ...claims }, id_token: { theme: 'dark', ...claims } };
  expect([status, body]).toEqual([200, { session }]);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  expect(sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
});

test('the token may be in a header or in the cookie "token"', async () => {
  const inCookie = { token: undefined, headers: { cookie: `other=1; token=${token}` } };
  expect((await askFor('ada', {}, inCookie)).status).toBe(200);
  const forged = { token: undefined, headers: { cookie: 'token=svt_c1_hydra' } };
  const { status, body } = await askFor('ada', {}, forged);
  expect([status, body.code]).toEqual([401, 'token_invalid']);
});

describe('answers 403, which the client gets as access_denied, to a user who', () => {
  test.each([
    ['is blocked in the application', 'user_blocked', () => askFor('grace')],
    ['is unknown', 'user_not_found', () => askFor('nobody')],
    ['is not named', 'user_unidentified', () => askFor('')],
    ['logs in to an unknown client', 'application_not_allowed', () => askFor('ada', { client: 'wiki' })],
    ['would get in by two grants', 'user_blocked', () => askFor('grace', { grants: ['client_credentials', 'x'] })],
  ])('%s', async (_, reason, ask) => {
    const { status, body } = await ask();
    expect([status, body.code, body.reason]).toEqual([403, 'access_denied', reason]);
  });

  test('was deactivated or blocked since the login, at the refresh', async () => {
    const { setUserStatus } = await import('#shared/domain/user/users.ts');
    const [inactive, blocked] = [await newUser(), await newUser()];
    const refresh = { grants: ['refresh_token'] };
    for (const user of [inactive, blocked]) expect((await askFor(user, refresh)).status).toBe(200);
    await setUserStatus({ userId: inactive as never, status: 'inactive', reason: null }, operator);
    await setStatus(blocked, client, 'disabled');
    for (const user of [inactive, blocked]) expect((await askFor(user, refresh)).status).toBe(403);
  });
});

test('tokens for a client itself stay as they are: 204, if the connection names its application', async () => {
  const grants = ['client_credentials'];
  const { status, body } = await askFor(client, { grants });
  expect([status, body]).toEqual([204, null]);
  expect((await askFor('wiki', { client: 'wiki', grants })).status).toBe(403);
});

describe('what cannot be decided is an error other than 403, after which a refresh token stays usable', () => {
  test('a token of the service that is missing, forged, revoked or limited', async () => {
    const { revokeConnectionKey } = await import('#options/connections/server/connection-keys.ts');
    const revoked = await newConnection([client]);
    await revokeConnectionKey(revoked, operator);
    const limited = await newConnection([client], undefined, { scopes: ['access:read'] });
    const refused = [
      [{ token: undefined }, 'token_missing'],
      [{ token: token.replace(/.{3}$/, 'AAA') }, 'token_invalid'],
      [revoked, 'key_revoked'],
      [limited, 'scope_missing'],
    ] as const;
    for (const [options, code] of refused) {
      const { status, body } = await askFor('ada', {}, options);
      expect([status, body.status, body.code]).toEqual([401, 401, code]);
    }
  });

  test.each([
    ['no body', '', {}, 400],
    ['no JSON', '{', {}, 400],
    ['a list', '[]', {}, 400],
    ['an empty object', '{}', {}, 400],
    ['a session that is text', { ...hydraPayload(), session: 'x' }, {}, 400],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415],
    ['a body over 128 KB', { ...hydraPayload(), filler: 'x'.repeat(131_072) }, {}, 413],
  ])('%s, without a request to the table', async (_, body, headers, expected) => {
    expect((await send(body, { headers })).status).toBe(expected);
    expect(sdk.requests).toEqual([]);
  });

  test('a table that fails', async () => {
    sdk.fault = async () => {
      throw Object.assign(new Error('slow down'), { name: 'ProvisionedThroughputExceededException' });
    };
    expect((await askFor('ada')).status).toBe(503);
  });
});
