import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { newConnection } from '#options/connections/test/support/new-connection.ts';
import { describeService } from '#test/support/describe-service.ts';
import { manageClient } from '#test/support/manage-client.ts';
import { grantRole, newApplication, setStatus } from '#test/support/new-application.ts';
import { newUser } from '#test/support/new-user.ts';
import { sendWithToken } from '#test/support/send-with-token.ts';
import { recordKeyUse, type WatchedSdk, watchServiceTable } from '#test/support/watch-sdk.ts';

const audience = 'the-gateway';
const service = describeService();
let sdk: WatchedSdk;
let appId: string;
beforeAll(async () => {
  sdk = await watchServiceTable();
  appId = await newApplication(['editor', 'viewer']);
  await grantRole('ada', appId, 'editor');
  await grantRole('ada', appId, 'viewer');
  await setStatus('grace', appId, 'disabled');
});
beforeEach(() => {
  sdk.requests.length = 0;
});

const ask = (token: string, headers: Record<string, string>, query = `application=${appId}`) =>
  sendWithToken(service, ['GET', `/access/v1/authorize?${query}`], { token, headers });

describe('with a proxy that overwrites X-Original-User', () => {
  let token: string;
  beforeAll(async () => {
    ({ token } = await newConnection([appId], 'overwriting', { identity: { trustsUserHeader: true } }));
    await recordKeyUse(sdk, () => ask(token, { 'x-original-user': 'ada' }));
  });

  test('answers 204 with the user and the roles, from one request to the table', async () => {
    const { status, headers, body } = await ask(token, { 'x-original-user': 'ada' });
    expect([status, body]).toEqual([204, null]);
    expect(headers).toMatchObject({
      'x-auth-user': 'ada',
      'x-auth-roles': 'editor,viewer',
      'cache-control': 'no-store',
    });
    expect(sdk.requests.map(({ command }) => command)).toEqual(['BatchGetItemCommand']);
  });

  test('both headers are set for a user without roles, and a role can be required', async () => {
    const userId = await newUser();
    const { status, headers } = await ask(token, { 'x-original-user': userId });
    expect([status, headers['x-auth-user'], headers['x-auth-roles']]).toEqual([204, userId, '']);
    const asked = `application=${appId}&role=editor`;
    expect((await ask(token, { 'x-original-user': 'ada' }, asked)).status).toBe(204);
    const denied = await ask(token, { 'x-original-user': userId }, asked);
    expect([denied.status, denied.body.code, denied.body.reason]).toEqual([403, 'access_denied', 'role_missing']);
  });

  test('answers 403 to the blocked and the unknown, 401 without a user', async () => {
    const reasons = { grace: 'user_blocked', nobody: 'user_not_found', 'a b': 'user_not_found' };
    for (const [userId, reason] of Object.entries(reasons)) {
      const { status, headers, body } = await ask(token, { 'x-original-user': userId });
      expect([status, body.reason, headers['x-auth-user']]).toEqual([403, reason, undefined]);
    }
    for (const headers of [{}, { 'x-original-user': '' }, { 'x-original-authorization': '' }]) {
      const { status, body } = await ask(token, headers as Record<string, string>);
      expect([status, body.code]).toEqual([401, 'user_unidentified']);
    }
  });

  test.each(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'decides by %s as by GET: some proxies ask with the method of the request',
    async (method) => {
      const target = `/access/v1/authorize?application=${appId}`;
      const asked = async (userId: string) => {
        const headers = { 'x-original-user': userId };
        const answer = await sendWithToken(service, [method, target], { token, headers });
        return [answer.status, answer.headers['x-auth-user']];
      };
      expect([await asked('ada'), await asked('grace')]).toEqual([
        [204, 'ada'],
        [403, undefined],
      ]);
    },
  );

  test('does not accept a token in place of the header', async () => {
    const unsigned = `${encode({ alg: 'none' })}.${encode({ sub: 'ada' })}.`;
    const { status, body } = await ask(token, { 'x-original-authorization': `Bearer ${unsigned}` });
    expect([status, body.code]).toEqual([401, 'user_unidentified']);
  });

  test('answers 403, not 401, if its own token is refused: logging in would not help the user', async () => {
    const headers = { 'x-original-user': 'ada' };
    const refused = await ask('svt_c1_overwriting', headers);
    expect([refused.status, refused.body.status, refused.body.code]).toEqual([403, 403, 'token_invalid']);
    expect(
      (await sendWithToken(service, ['GET', `/access/v1/authorize?application=${appId}`], { headers })).status,
    ).toBe(403);
  });

  test.each(['', 'application=', 'role=editor', 'application=a&application=b', 'application=a&path=/'])(
    'answers 400 to the query "%s"',
    async (query) => {
      expect((await ask(token, { 'x-original-user': 'ada' }, query)).status).toBe(400);
    },
  );
});

test('a connection that identifies nobody lets nobody pass', async () => {
  const { token } = await newConnection([appId]);
  const { status, body } = await ask(token, { 'x-original-user': 'ada' });
  expect([status, body.code, body.detail]).toEqual([403, 'access_denied', expect.stringContaining('X-Original-User')]);
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

describe('with tokens of an issuer', () => {
  const original = globalThis.fetch;
  let pair: Awaited<ReturnType<typeof generateKeyPair>>;
  let keys: object[];
  let asked: string[];
  let issued = 0;
  let issuer: string;
  let token: string;

  beforeAll(async () => {
    pair = await generateKeyPair('RS256');
    keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256' }];
  });
  beforeEach(async () => {
    issuer = `https://issuer-${++issued}.example`;
    asked = [];
    ({ token } = await newConnection([appId], undefined, { identity: { issuer, audience } }));
    answerWith({ issuer, jwks_uri: `${issuer}/keys` });
    sdk.requests.length = 0;
  });
  afterEach(() => {
    globalThis.fetch = original;
  });

  /** Stands in for the issuer; everything else is really sent. */
  function answerWith(configuration: object, keysAnswer = () => Response.json({ keys })): void {
    globalThis.fetch = async (input, init) => {
      const url = String(input);
      if (!url.startsWith('https://issuer-')) return original(input, init);
      asked.push(url);
      return url.endsWith('/.well-known/openid-configuration') ? Response.json(configuration) : keysAnswer();
    };
  }

  const sign = (
    claims: Record<string, unknown> = {},
    {
      alg = 'RS256',
      key = pair.privateKey as never,
      ...header
    }: Record<string, unknown> & { alg?: string; key?: never } = {},
  ) => {
    const now = Math.floor(Date.now() / 1000);
    const whole = { iss: issuer, aud: audience, sub: 'ada', iat: now, exp: now + 60, ...claims };
    return new SignJWT(whole).setProtectedHeader({ alg, kid: 'one', ...header }).sign(key);
  };
  const askWith = (jwt: string, headers: Record<string, string> = {}) =>
    ask(token, { 'x-original-authorization': `Bearer ${jwt}`, ...headers });

  test('answers 204 for the subject of a valid token; the keys of the issuer are read once', async () => {
    const { status, headers } = await askWith(await sign());
    expect([status, headers['x-auth-user'], headers['x-auth-roles']]).toEqual([204, 'ada', 'editor,viewer']);
    expect((await askWith(await sign())).status).toBe(204);
    expect((await askWith(await sign({ sub: 'grace' }))).status).toBe(403);
    expect(asked).toEqual([`${issuer}/.well-known/openid-configuration`, `${issuer}/keys`]);
  });

  test('an issuer on this machine, and no other, may answer over http', async () => {
    const provider = createServer(({ url }, response) => {
      const answer = url === '/keys' ? { keys } : { issuer, jwks_uri: `${issuer}/keys` };
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const manage = manageClient(() => service);
    const create = (from: string) => {
      const body = { connectionId: 'local-issuer', kind: 'evaluate', name: 'Here', applications: [appId], audience };
      return manage('iam', 'POST', '/connections', { body: { ...body, issuer: from } });
    };
    for (const elsewhere of ['login.example.com', '127.0.0.1.example.com', 'localhost@example.com', '127.0.0.1:80x']) {
      expect(await create(`http://${elsewhere}`)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '#/issuer' }] },
      });
    }
    expect((await create(issuer)).status).toBe(201);
    ({ token } = (await manage('iam', 'POST', '/connections/local-issuer/keys')).body);
    const { status, headers } = await askWith(await sign());
    await new Promise((resolve) => provider.close(resolve));
    expect([status, headers['x-auth-user']]).toEqual([204, 'ada']);
  });

  test('a header that names another user changes nothing', async () => {
    const answer = await askWith(await sign({ sub: 'grace' }), { 'x-original-user': 'ada' });
    expect(answer.status).toBe(403);
    const named = await ask(token, { 'x-original-user': 'ada' });
    expect([named.status, named.body.code]).toEqual([401, 'user_unidentified']);
  });

  test('refuses tokens that are expired, early, for others, by others, altered, unsigned or without a subject', async () => {
    const now = Math.floor(Date.now() / 1000);
    const other = await generateKeyPair('RS256');
    const valid = await sign();
    const [header, , signature] = valid.split('.');
    const altered = `${header}.${encode({ iss: issuer, aud: audience, sub: 'ada', exp: now + 600 })}.${signature}`;
    const refused = {
      expired: await sign({ exp: now - 60 }),
      early: await sign({ nbf: now + 60 }),
      'of another audience': await sign({ aud: 'another' }),
      'of another issuer': await sign({ iss: 'https://issuer-0.example' }),
      'without an end': await sign({ exp: undefined }),
      'without a subject': await sign({ sub: undefined }),
      'signed by another key': await sign({}, { key: other.privateKey as never }),
      'with a MAC': await sign({}, { alg: 'HS256', key: Buffer.alloc(32, 7) as never }),
      altered,
      unsigned: `${encode({ alg: 'none' })}.${encode({ iss: issuer, aud: audience, sub: 'ada', exp: now + 60 })}.`,
      'no token': 'ada',
    };
    for (const [what, jwt] of Object.entries(refused)) {
      const { status, body } = await askWith(jwt);
      expect([what, status, body?.code]).toEqual([what, 401, 'user_unidentified']);
    }
  });

  // RFC 7519 section 5.1 and RFC 7515 section 4.1.9 (JWT, without "application/", in any case); RFC 9068 section 2.1.
  test.each([
    undefined,
    'JWT',
    'jwt',
    'application/jwt',
    'at+jwt',
    'AT+JWT',
    'application/at+jwt',
    'Application/at+JWT',
  ])('accepts the type "%s" of ID and access tokens', async (typ) => {
    expect((await askWith(await sign({}, { typ }))).status).toBe(204);
  });

  // RFC 8725 section 3.11: what an issuer signs for another purpose must not be taken for a login.
  test.each([
    'logout+jwt',
    'application/logout+jwt',
    'secevent+jwt',
    'dpop+jwt',
    'token-introspection+jwt',
    'oauth-authz-req+jwt',
    'client-authentication+jwt',
    'entity-statement+jwt',
    'kb+jwt',
    'JOSE',
    '',
    'at+jwt ',
    'text/jwt',
    'application/',
    null,
    1,
    ['JWT'],
    { typ: 'JWT' },
  ])('refuses the type %j, which no ID or access token has', async (typ) => {
    const { status, body } = await askWith(await sign({}, { typ }));
    expect([status, body?.code]).toEqual([401, 'user_unidentified']);
  });

  test('answers 503, which no proxy lets pass, if the keys cannot be read, and reads them again', async () => {
    for (const wrong of [
      { issuer: 'https://issuer-0.example', jwks_uri: `${issuer}/keys` },
      { issuer, jwks_uri: 'http://issuer-0.example/keys' },
      { issuer },
    ]) {
      answerWith(wrong);
      expect((await askWith(await sign())).status).toBe(503);
    }
    answerWith({ issuer, jwks_uri: `${issuer}/keys` }, () => new Response('', { status: 500 }));
    expect((await askWith(await sign())).status).toBe(503);
    answerWith({ issuer, jwks_uri: `${issuer}/keys` });
    expect((await askWith(await sign())).status).toBe(204);
  });
});

test('a connection has one way of identifying users', async () => {
  const { updateConnection } = await import('#options/connections/server/connections.ts');
  const { operator } = await import('#test/support/start-service.ts');
  const { connectionId } = await newConnection([appId], undefined, { identity: { trustsUserHeader: true } });
  const issuer = 'https://issuer.example';
  for (const wrong of [{ issuer }, { audience }, { issuer, audience }]) {
    await expect(updateConnection({ connectionId, ...wrong }, operator)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  }
  const next = { connectionId, issuer, audience, trustsUserHeader: false };
  expect(await updateConnection(next, operator)).toMatchObject({ issuer, audience, trustsUserHeader: false });
});
