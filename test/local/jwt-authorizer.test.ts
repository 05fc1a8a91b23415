import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type CryptoKey, exportSPKI, importJWK, type JWK, SignJWT } from 'jose';
import { type DevelopmentLogin, serveDevelopmentLogin } from '../../local/development-login.ts';
import { serveHttpApi } from '../../local/http-api.ts';
import type { HttpServer } from '../../local/http-server.ts';
import { listenOn } from '../../local/listen.ts';
import { type Claims, createTokenKey, mintToken, type TokenKey } from '../../local/operator-tokens.ts';
import type { AuthorizerModel } from '../../local/read-stack.ts';
import { sendRequest } from './send-request.ts';

const scopes = ['auth-service/manage'];
let login: DevelopmentLogin;
let api: HttpServer;
let invocations: APIGatewayProxyEventV2[] = [];
beforeAll(async () => {
  login = await serveDevelopmentLogin({ port: 0 });
  api = await serveGuarded({ audience: ['dashboard'], scopes });
});
afterAll(() => Promise.all([api.close(), login.close()]));
afterEach(() => {
  invocations = [];
});

async function serveGuarded(authorizer: AuthorizerModel | undefined, localIssuer: string | undefined = login.issuer) {
  return await serveHttpApi({
    routes: [{ routeKey: 'ANY /api/manage/{proxy+}', functionId: 'Manage', isProtected: true, authorizer }],
    invoke: async (_, event) => {
      invocations.push(event);
      return { kind: 'result', json: '{"statusCode":204}' };
    },
    port: 0,
    localIssuer,
  });
}

const ask = (authorization: string | undefined, gateway = api) =>
  sendRequest(gateway.url, {
    path: '/api/manage/users',
    headers: authorization === undefined ? {} : { authorization },
  });

async function expectUnauthorized(authorization: string | undefined, challenge: string) {
  const received = await ask(authorization);
  expect(received).toMatchObject({ status: 401, body: '{"message":"Unauthorized"}' });
  expect(received.headers['www-authenticate']).toEqual([challenge]);
  expect(invocations).toEqual([]);
}

const invalid = (description: string) => `Bearer scope="" error="invalid_token" error_description="${description}"`;
const now = () => Math.floor(Date.now() / 1000);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const [header, payload, signature] = [0, 1, 2].map((at) => (token: string) => token.split('.')[at] ?? '');

describe('accepts', () => {
  test('a token of the issuer', async () => {
    expect(await ask(`Bearer ${await login.mintToken()}`)).toMatchObject({ status: 204 });
    expect(invocations).toHaveLength(1);
  });

  test('a token without the Bearer prefix', async () => {
    expect(await ask(await login.mintToken())).toMatchObject({ status: 204 });
  });

  test.each<[string, Claims]>([
    ['one audience of several', { aud: ['other', 'dashboard'] }],
    ["its client as audience if it has no audience, like Cognito's", { aud: undefined }],
    ['several scopes', { scope: 'openid auth-service/manage email' }],
    ['its scopes as a list', { scope: undefined, scp: ['auth-service/manage'] }],
    ['a nbf in the past', { nbf: now() - 1 }],
  ])('a token with %s', async (_, claims) => {
    expect(await ask(`Bearer ${await login.mintToken(claims)}`)).toMatchObject({ status: 204 });
  });
});

describe('answers 401, without invoking the function, to', () => {
  test('no token', async () => {
    await expectUnauthorized(undefined, 'Bearer');
  });

  test.each<[string, Claims, string]>([
    ['another issuer', { iss: 'http://127.0.0.1:1' }, 'the token does not have a valid iss'],
    ['no issuer', { iss: undefined }, 'the token does not have a valid iss'],
    ['another audience', { aud: 'other' }, 'the token does not have a valid audience'],
    ['another audience and the right client', { aud: ['other'] }, 'the token does not have a valid audience'],
    ['another client and no audience', { aud: undefined, client_id: 'x' }, 'the token does not have a valid audience'],
    ['neither', { aud: undefined, client_id: undefined }, 'the token does not have a valid audience'],
    ['an exp in the past', { exp: now() - 1 }, 'the token has expired'],
    ['no exp', { exp: undefined }, 'the token does not have a valid exp'],
    ['a nbf in the future', { nbf: now() + 60 }, 'the token does not have a valid nbf'],
    ['an iat in the future', { iat: now() + 60 }, 'the token does not have a valid iat'],
  ])('a token with %s', async (_, claims, description) => {
    await expectUnauthorized(`Bearer ${await login.mintToken(claims)}`, invalid(description));
  });

  test.each([
    '',
    'x',
    'a.b.c',
    'eyJhbGciOiJSUzI1NiJ9..',
    'Basic dXNlcjpwYXNz',
    'AWS4-HMAC-SHA256 Credential=a/b/c/d/e',
  ])('an authorization that is not a token: %j', async (text) => {
    await expectUnauthorized(`Bearer ${text}`, invalid('the token is not valid'));
  });

  const forgeries: [string, (good: string) => Promise<string>][] = [
    [
      'changed claims',
      async (good) => `${header?.(good)}.${encode({ ...decoded(good), sub: 'eve' })}.${signature?.(good)}`,
    ],
    ['alg none', async (good) => `${encode({ alg: 'none' })}.${payload?.(good)}.`],
    [
      'alg none and the old signature',
      async (good) => `${encode({ alg: 'none' })}.${payload?.(good)}.${signature?.(good)}`,
    ],
    ['another key', async (good) => mintToken(await createTokenKey(), decoded(good))],
    ['another key with the right key id', async (good) => mintToken(await impostor(good), decoded(good))],
  ];
  test.each(forgeries)('a token with %s', async (_, forge) => {
    const forged = await forge(await login.mintToken());
    await expectUnauthorized(`Bearer ${forged}`, invalid('the token is not valid'));
  });

  test('a token signed with HMAC and the public key as the secret', async () => {
    const good = await login.mintToken();
    const secret = await publishedKey();
    const unsigned = `${encode({ alg: 'HS256', typ: 'JWT', kid: kidOf(good) })}.${payload?.(good)}`;
    const forged = `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`;
    await expectUnauthorized(`Bearer ${forged}`, invalid('the token is not valid'));
  });
});

const decoded = (token: string): Claims => JSON.parse(Buffer.from(payload?.(token) ?? '', 'base64url').toString());
const kidOf = (token: string): string => JSON.parse(Buffer.from(header?.(token) ?? '', 'base64url').toString()).kid;

async function impostor(good: string): Promise<TokenKey> {
  return { ...(await createTokenKey()), kid: kidOf(good) };
}

async function publishedKey(): Promise<string> {
  const { keys } = (await (await fetch(`${login.issuer}/jwks`)).json()) as { keys: [JWK] };
  return await exportSPKI((await importJWK(keys[0], 'RS256', { extractable: true })) as CryptoKey);
}

describe('answers 403, without invoking the function, to a token with', () => {
  test.each<[string, Claims]>([
    ['no scope', { scope: undefined }],
    ['another scope', { scope: 'openid email' }],
    ['a scope that has the right one as a prefix', { scope: 'auth-service/manage-all' }],
  ])('%s', async (_, claims) => {
    const received = await ask(`Bearer ${await login.mintToken(claims)}`);
    expect(received).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
    expect(invocations).toEqual([]);
  });
});

describe('passes to the function', () => {
  const identityOf = async (claims: Claims, gateway = api) => {
    await ask(`Bearer ${await login.mintToken(claims)}`, gateway);
    return (invocations[0]?.requestContext as { authorizer?: { jwt: unknown } } | undefined)?.authorizer;
  };

  test('every claim as text', async () => {
    const exp = now() + 60;
    const claims = {
      exp,
      'cognito:groups': ['admin', 'staff'],
      email_verified: true,
      address: { city: 'x' },
      nothing: null,
    };
    expect(await identityOf(claims)).toMatchObject({
      jwt: {
        claims: {
          sub: 'edith',
          email: 'edith@example.com',
          aud: 'dashboard',
          exp: String(exp),
          'cognito:groups': '[admin staff]',
          email_verified: 'true',
          address: '{"city":"x"}',
        },
      },
    });
    const { jwt } = (await identityOf(claims)) as { jwt: { claims: object } };
    expect(jwt.claims).not.toHaveProperty('nothing');
  });

  test("the token's scopes", async () => {
    const scope = 'openid auth-service/manage';
    expect(await identityOf({ scope })).toMatchObject({ jwt: { claims: { scope }, scopes: scope.split(' ') } });
  });

  test('no scopes if the route requires none', async () => {
    const gateway = await serveGuarded({ audience: ['dashboard'], scopes: [] });
    expect(await identityOf({ scope: 'openid' }, gateway)).toMatchObject({ jwt: { scopes: null } });
    await gateway.close();
  });
});

describe('a protected route answers 401', () => {
  test.each<[string, AuthorizerModel | undefined, string | undefined]>([
    ['whose authorizer has another type', undefined, undefined],
    ['whose user pool has no local replacement', { audience: ['dashboard'], scopes }, ''],
  ])('%s', async (_, authorizer, localIssuer) => {
    const gateway = await serveGuarded(authorizer, localIssuer);
    expect(await ask(`Bearer ${await login.mintToken()}`, gateway)).toMatchObject({ status: 401 });
    expect(invocations).toEqual([]);
    await gateway.close();
  });
});

describe('another issuer', () => {
  let key: TokenKey;
  let issuer: string;
  let server: Server;
  let isDown = false;
  beforeAll(async () => {
    key = await createTokenKey();
    const { n, e, kty } = key.privateJwk;
    server = createServer((request, response) => {
      const isDiscovery = request.url === '/realm/.well-known/openid-configuration';
      const body = isDiscovery ? { jwks_uri: `${issuer}keys` } : { keys: [{ n, e, kty, kid: key.kid }] };
      response.writeHead(isDown ? 500 : 200).end(isDown ? '' : JSON.stringify(body));
    });
    issuer = `http://127.0.0.1:${await listenOn(server, 0)}/realm/`;
  });
  afterAll(() => void server.close());

  test('provides its keys, and only its own tokens are accepted', async () => {
    const gateway = await serveGuarded({ issuer, audience: ['api'], scopes });
    const claims = { iss: issuer, aud: 'api', scope: scopes.join(' '), sub: 's', exp: now() + 60 };
    expect(await ask(`Bearer ${await mintToken(key, claims)}`, gateway)).toMatchObject({ status: 204 });
    expect(await ask(`Bearer ${await login.mintToken({ aud: 'api' })}`, gateway)).toMatchObject({ status: 401 });
    await gateway.close();
  });

  test.each([
    ['without the key id', () => ({ alg: 'RS256' })],
    ['with another algorithm', () => ({ alg: 'PS256', kid: key.kid })],
  ])('is not accepted %s', async (_, protectedHeader) => {
    const gateway = await serveGuarded({ issuer, audience: ['api'], scopes });
    const claims = { iss: issuer, aud: 'api', scope: scopes.join(' '), exp: now() + 60 };
    const signing = await importJWK({ ...key.privateJwk, alg: protectedHeader().alg });
    const token = await new SignJWT(claims).setProtectedHeader(protectedHeader()).sign(signing);
    expect(await ask(`Bearer ${token}`, gateway)).toMatchObject({ status: 401 });
    expect(invocations).toEqual([]);
    await gateway.close();
  });

  test('is not accepted until it answers', async () => {
    const gateway = await serveGuarded({ issuer, audience: ['api'], scopes });
    const claims = { iss: issuer, aud: 'api', scope: scopes.join(' '), sub: 's', exp: now() + 60 };
    isDown = true;
    expect(await ask(`Bearer ${await mintToken(key, claims)}`, gateway)).toMatchObject({ status: 401 });
    isDown = false;
    expect(await ask(`Bearer ${await mintToken(key, claims)}`, gateway)).toMatchObject({ status: 204 });
    await gateway.close();
  });
});
