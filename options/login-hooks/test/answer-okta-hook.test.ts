import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { newConnection } from '#options/connections/test/support/new-connection.ts';
import type { ConnectionId } from '#shared/contract/fields.ts';
import { currentSignal } from '#shared/core/clock.ts';
import { alterItem } from '#test/support/alter-item.ts';
import { describeService } from '#test/support/describe-service.ts';
import { oktaPayload } from '#test/support/hook-payloads.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';
import { operator } from '#test/support/start-service.ts';
import { fromNow } from '#test/support/timestamps.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';

const service = describeService();
let sdk: WatchedSdk;
let client: string;
let token: string;
beforeAll(async () => {
  sdk = await watchServiceTable();
  client = await newApplication(['editor', 'viewer']);
  ({ token } = await newConnection([client, 'wiki'], 'okta'));
  await grantRole('ada', client, 'editor');
  await setStatus('grace', client, 'disabled');
  await recordKeyUse(sdk, () => askFor('ada'));
});
afterEach(() => {
  jest.restoreAllMocks();
});
beforeEach(() => {
  sdk.fault = undefined;
  sdk.requests.length = 0;
});

const send = (body: object | string, options: object = {}) =>
  sendWithToken(service, ['POST', '/hooks/okta'], { token, body, ...options });
const askFor = (user: string, login: object = {}, options: object = {}) =>
  send(oktaPayload({ client, user, ...login }), options);
const denial = { error: { errorSummary: 'You have no access to this application.' } };
const refusal = (code: string) => ({ error: { errorSummary: expect.stringContaining(`${code}: `) } });
/** Answers nothing until the request's time is up; then fails as the SDK does. */
const aborted = () =>
  new Promise<never>((_, reject) => {
    const fail = () => reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
    currentSignal()?.addEventListener('abort', fail);
  });
const commands = () => sdk.requests.map(({ command }) => command);

describe('a user who may enter', () => {
  test('gets the roles in both tokens, from one request to the table', async () => {
    const { status, headers, body } = await askFor('ada');
    const value = [{ op: 'add', path: '/claims/app_roles', value: ['editor'] }];
    expect([status, body]).toEqual([
      200,
      {
        commands: [
          { type: 'com.okta.identity.patch', value },
          { type: 'com.okta.access.patch', value },
        ],
      },
    ]);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(commands()).toEqual(['BatchGetItemCommand']);
  });

  test('gets them with claims and groups that together are larger than other bodies may be', async () => {
    const payload = oktaPayload({ client, user: 'ada' });
    const groups = Array.from({ length: 1500 }, (_, n) => `Everyone in the department ${n}`);
    const { identity } = payload.data;
    const data = { ...payload.data, identity: { ...identity, claims: { ...identity?.claims, groups } } };
    expect((await send({ ...payload, data })).body).toHaveProperty('commands');
  });
});

describe('a denial has the status 200, because Okta issues the tokens after any other', () => {
  test.each([
    ['is blocked in the application', () => askFor('grace')],
    ['is unknown', () => askFor('nobody')],
    ['has an id that cannot be one', () => askFor('a b')],
    ['logs in to a client of no application', () => askFor('ada', { client: '0oa1gjh63g214q0Hq0g4' })],
    ['logs in to an application that the connection does not name', () => askFor('ada', { client: 'billing' })],
    ['is not named', () => send(oktaPayload({ client, user: null }))],
  ])('a user who %s gets no tokens', async (_, ask) => {
    const { status, body } = await ask();
    expect([status, body]).toEqual([200, denial]);
  });

  test('a user who was deactivated or blocked since the login gets none at the refresh', async () => {
    const { setUserStatus } = await import('#shared/domain/user/users.ts');
    const [inactive, blocked] = [await newUser(), await newUser()];
    const refresh = { grant: 'refresh_token', tokens: ['access'] };
    for (const user of [inactive, blocked]) expect((await askFor(user, refresh)).body.commands).toHaveLength(1);
    await setUserStatus({ userId: inactive as never, status: 'inactive', reason: null }, operator);
    await setStatus(blocked, client, 'disabled');
    for (const user of [inactive, blocked]) expect((await askFor(user, refresh)).body).toEqual(denial);
  });
});

test('tokens for a client itself stay as they are, if the connection names its application', async () => {
  const ofClient = { user: null, grant: 'client_credentials', tokens: ['access'] } as const;
  expect((await send(oktaPayload({ client, ...ofClient }))).body).toEqual({ commands: [] });
  expect((await send(oktaPayload({ client: 'billing', ...ofClient }))).body).toEqual(denial);
});

describe('a connection that names clients and a claim', () => {
  test('decides by them; only the first request of a process needs a second one to the table', async () => {
    const clients = `0oa1=${client} 0oa2=wiki`;
    const named = await newConnection([client, 'wiki'], 'okta-named', { logins: { clients, userIdClaim: 'login' } });
    const ask = (id: string, login: string) =>
      send(oktaPayload({ client: id, user: '00u1', login }), { token: named.token });
    expect((await ask('0oa1', 'ada')).body.commands).toHaveLength(2);
    sdk.requests.length = 0;
    expect((await ask('0oa1', 'grace')).body).toEqual(denial);
    expect((await ask('0oa2', 'grace')).body.commands).toHaveLength(2);
    expect((await ask('0oa3', 'ada')).body).toEqual(denial);
    expect(commands()).toEqual(Array(3).fill('BatchGetItemCommand'));

    const { updateConnection } = await import('#options/connections/server/connections.ts');
    const connectionId = 'okta-named' as ConnectionId;
    await updateConnection({ connectionId, clients: `0oa2=${client}`, userIdClaim: null }, operator);
    expect((await ask('0oa2', 'ada')).body).toEqual(denial);
    expect((await send(oktaPayload({ client: '0oa2', user: 'grace' }), { token: named.token })).body).toEqual(denial);
    const { body } = await send(oktaPayload({ client: '0oa2', user: 'ada' }), { token: named.token });
    expect(body.commands).toHaveLength(2);
  });
});

describe('what cannot be decided is denied', () => {
  test('without a token of the service, without a request to the table', async () => {
    const forged = token.replace(/.{3}$/, 'AAA');
    expect((await askFor('ada', {}, { token: forged })).body).toEqual(refusal('token_invalid'));
    expect((await askFor('ada', {}, { token: undefined })).body).toEqual(refusal('token_missing'));
    const inCookie = { token: undefined, headers: { cookie: `token=${token}` } };
    expect((await askFor('ada', {}, inCookie)).body).toEqual(refusal('token_missing'));
    expect(sdk.requests).toEqual([]);
  });

  test('with a token that was revoked, has expired or lacks a scope', async () => {
    const { revokeConnectionKey } = await import('#options/connections/server/connection-keys.ts');
    const revoked = await newConnection([client]);
    await revokeConnectionKey(revoked, operator);
    expect((await askFor('ada', {}, revoked)).body).toEqual(refusal('key_revoked'));
    const expired = await newConnection([client]);
    await alterItem(
      service,
      [`CONNECTION#${expired.connectionId}`, 'CONNECTION'],
      ['keys', expired.keyId, 'expiresAt'],
      fromNow(-1),
    );
    expect((await askFor('ada', {}, expired)).body).toEqual(refusal('key_expired'));
    for (const scope of ['access:read', 'roles:read'] as const) {
      const limited = await newConnection([client], undefined, { scopes: [scope] });
      expect((await askFor('ada', {}, limited)).body).toEqual(refusal('scope_missing'));
    }
  });

  test.each([
    ['no body', '', {}, 'invalid_request'],
    ['no JSON', '{', {}, 'malformed_json'],
    ['a list', '[]', {}, 'invalid_request'],
    ['an empty object', '{}', {}, 'invalid_request'],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 'unsupported_media_type'],
    ['another event', { ...oktaPayload(), eventType: 'com.okta.import.transform' }, {}, 'invalid_request'],
    ['a body over 128 KB', { ...oktaPayload(), filler: 'x'.repeat(131_072) }, {}, 'body_too_large'],
  ])('with %s, without a request to the table', async (_, body, headers, code) => {
    const { status, body: answer } = await send(body, { headers });
    expect([status, answer]).toEqual([200, refusal(code)]);
    expect(sdk.requests).toEqual([]);
  });

  test('if the table fails or is too slow, before Okta stops waiting', async () => {
    sdk.fault = async () => {
      throw Object.assign(new Error('refused'), { name: 'AccessDeniedException' });
    };
    expect((await askFor('ada')).body).toEqual(refusal('internal'));
    // Okta waits for 3 s.
    const timers = jest.spyOn(globalThis, 'setTimeout');
    sdk.fault = () => aborted();
    expect((await askFor('ada')).body).toEqual(refusal('unavailable'));
    const limits = timers.mock.calls.map(([, milliseconds = 0]) => milliseconds);
    expect(limits.filter((limit) => limit > 1000 && limit <= 2000)).not.toEqual([]);
  });
});
