import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { exportSPKI, importJWK, type JWK, type JWTPayload } from 'jose';
import { createAccessKey } from '../../local/local-credentials.ts';
import { createTokenKey, mintToken } from '../../local/operator-tokens.ts';
import { describeService } from '../support/describe-service.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem, requestIdOf } from '../support/expect-problem.ts';
import { entryPoints, type ManageOptions, manageClient } from '../support/manage-client.ts';
import type { Answer, SentRequest } from '../support/send-request.ts';
import { startBundles } from '../support/start-service.ts';
import { writeNothing } from '../support/write-nothing.ts';

const service = describeService(startBundles);
const manage = manageClient(() => service);

const write = { body: { status: 'inactive' } };
const setStatus = (entryPoint: (typeof entryPoints)[number], options: ManageOptions) =>
  manage(entryPoint, 'PUT', '/users/ada/status', { ...write, ...options });

/** Returns all lines that the function logged for a request, after waiting for those of a later request. */
async function logOf(answer: Answer): Promise<string[]> {
  const later = requestIdOf(await manage('iam', 'GET', '/users/nobody'));
  const linesOf = (id: unknown) => service.logLines.filter((line) => line.includes(`"${id}"`));
  await eventually(
    async () => linesOf(later),
    (lines) => lines.length > 0,
  );
  return linesOf(requestIdOf(answer));
}

const minutes = (count: number) => new Date(Date.now() + count * 60_000);
const headers = (change: (headers: SentRequest['headers']) => SentRequest['headers']) => ({
  tamper: (request: SentRequest) => ({ ...request, headers: change(request.headers) }),
});

describe('a request authorized by an entry point', () => {
  test.each(entryPoints)(
    '%s: a request is logged with its operator and route, without e-mail address, secret or token',
    async (entryPoint) => {
      const answer = await manage(entryPoint, 'GET', '/users/ada');
      expect([answer.status, answer.body.email]).toEqual([200, 'ada@example.com']);
      const [line = '', ...others] = await logOf(answer);
      expect(others).toEqual([]);
      const operator = { iam: 'arn:aws:iam::000000000000:user/local', jwt: 'operator-of-tests' }[entryPoint];
      expect(JSON.parse(line)).toMatchObject({ message: 'request', route: 'get-user', status: 200, operator });
      expect(line).not.toMatch(/@|Bearer|AWS4|eyJ/);
    },
  );

  test("accepts a token that names its audience only by client_id, like Cognito's access tokens", async () => {
    const token = await service.login.mintToken({ aud: undefined, sub: 'somebody' });
    expect((await manage('jwt', 'GET', '/users/ada', { token })).status).toBe(200);
  });

  test('accepts a token with additional scopes', async () => {
    const token = await service.login.mintToken({ scope: 'email auth-service/manage other', sub: 'somebody' });
    expect((await manage('jwt', 'GET', '/users/ada', { token })).status).toBe(200);
  });
});

describe('the entry point iam answers 403, without invoking the function, to a request', () => {
  writeNothing(() => service);

  const { accessKeyId, secretAccessKey } = createAccessKey();
  const cases: [string, ManageOptions][] = [
    ['without a signature', headers(({ authorization: _, ...others }) => others)],
    ['signed with another secret', { signing: { secretAccessKey } }],
    ['signed with an unknown key', { signing: { accessKeyId, secretAccessKey } }],
    ['signed six minutes ago', { signing: { at: minutes(-6) } }],
    ['signed six minutes ahead', { signing: { at: minutes(6) } }],
    ['signed years ago', { signing: { at: new Date('2015-08-30T12:36:00Z') } }],
    ['whose body was replaced', { tamper: (request) => ({ ...request, body: '{"status":"active"}' }) }],
    ['whose body was removed', { tamper: (request) => ({ ...request, body: undefined }) }],
    ['whose method was replaced', { tamper: (request) => ({ ...request, method: 'PATCH' }) }],
    [
      'whose user was replaced',
      { tamper: (request) => ({ ...request, target: request.target.replace('ada', 'alan') }) },
    ],
    ['to which a query was added', { tamper: (request) => ({ ...request, target: `${request.target}?force=true` }) }],
    [
      'whose If-Match was replaced',
      { headers: { 'if-match': '"9"' }, ...headers((signed) => ({ ...signed, 'if-match': '"1"' })) },
    ],
    ['with a signature cut short', headers((signed) => ({ ...signed, authorization: half(signed.authorization) }))],
    ['with an empty signature', headers((signed) => ({ ...signed, authorization: '' }))],
  ];

  test.each(cases)(
    'the function URL answers 403 to a request %s, without invoking the function',
    async (_, options) => {
      const answer = await setStatus('iam', options);
      expect([answer.status, Object.keys(answer.body)]).toEqual([403, [expect.stringMatching(/^message$/i)]]);
      expect(await logOf(answer)).toEqual([]);
    },
  );

  test('the function URL answers 403 to a request with a token that is valid at the HTTP API', async () => {
    const authorization = `Bearer ${await service.login.mintToken()}`;
    const answer = await setStatus(
      'iam',
      headers((signed) => ({ ...signed, authorization })),
    );
    expect([answer.status, await logOf(answer)]).toEqual([403, []]);
  });

  test('the function URL answers 403 to a request signed by RFC 9421, as an application signs', async () => {
    const { request } = service;
    expect((await request(['PUT', '/api/manage/users/ada/status'], write)).status).toBe(401);
    const fields = { 'signature-input': 'sig1=("@method");created=1;keyid="x"', signature: 'sig1=:AAAA:' };
    const answer = await setStatus(
      'iam',
      headers(({ authorization: _, ...others }) => ({ ...others, ...fields })),
    );
    expect([answer.status, await logOf(answer)]).toEqual([403, []]);
  });
});

function half(text: unknown): string {
  return String(text).slice(0, -32);
}

describe('the entry point jwt, without invoking the function, answers', () => {
  writeNothing(() => service);

  const hour = 3600;
  const seconds = Math.floor(Date.now() / 1000);
  const claims: [string, Record<string, unknown>][] = [
    ['for another audience', { aud: 'another-client', client_id: 'another-client' }],
    ['for another audience, although by the right client', { aud: 'another-client' }],
    ['without an audience', { aud: undefined, client_id: undefined }],
    ['that has expired', { iat: seconds - 2 * hour, exp: seconds - hour }],
    ['that never expires', { exp: undefined }],
    ['that is not valid yet', { nbf: seconds + hour }],
    ['from the future', { iat: seconds + hour, exp: seconds + 2 * hour }],
    ['of another issuer', { iss: 'https://login.example.com' }],
    ['without an issuer', { iss: undefined }],
  ];

  test.each(claims)('the HTTP API answers 401 to a token %s, without invoking the function', async (_, changed) => {
    const answer = await setStatus('jwt', { token: await service.login.mintToken(changed) });
    expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthorized' }]);
    expect(await logOf(answer)).toEqual([]);
  });

  test.each([
    ['no scope', { scope: undefined }],
    ['other scopes', { scope: 'openid email auth-service/read' }],
    ['a scope that only has the right prefix', { scope: 'auth-service/manage-nothing' }],
    ['the scope in capitals', { scope: 'AUTH-SERVICE/MANAGE' }],
  ])('the HTTP API answers 403 to a token with %s, without invoking the function', async (_, changed) => {
    const answer = await setStatus('jwt', { token: await service.login.mintToken(changed) });
    expect([answer.status, answer.body]).toEqual([403, { message: 'Forbidden' }]);
    expect(await logOf(answer)).toEqual([]);
  });

  test('the HTTP API answers 401 to a request without a token', async () => {
    const answer = await setStatus(
      'jwt',
      headers(({ authorization: _, ...others }) => others),
    );
    expect([answer.status, answer.body, await logOf(answer)]).toEqual([401, { message: 'Unauthorized' }, []]);
  });

  test.each([
    ['an empty one', ''],
    ['only a header', 'e30'],
    ['three empty parts', '..'],
    ['an API key', 'svs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
  ])('the HTTP API answers 401 to a malformed token: %s', async (_, token) => {
    const answer = await setStatus('jwt', { token });
    expect([answer.status, await logOf(answer)]).toEqual([401, []]);
  });

  const forgeries: [string, (valid: string) => Promise<string> | string][] = [
    ['with alg none', (good) => `${encode({ alg: 'none', typ: 'at+jwt' })}.${good.split('.')[1]}.`],
    [
      'with alg none, and the old signature',
      (good) => `${encode({ alg: 'none' })}.${good.split('.').slice(1).join('.')}`,
    ],
    ['without its signature', (good) => `${good.split('.').slice(0, 2).join('.')}.`],
    ['with other claims under the old signature', (good) => withClaims(good, { sub: 'root' })],
    ['signed with another key of the same id', byAnotherKey],
    ['signed with the public key as if it were a shared secret', byThePublicKey],
  ];

  test.each(forgeries)('the HTTP API answers 401 to a forged token: one %s', async (_, forge) => {
    const valid = await service.login.mintToken();
    expect((await manage('jwt', 'GET', '/users/ada', { token: valid })).status).toBe(200);
    const answer = await setStatus('jwt', { token: await forge(valid) });
    expect([answer.status, answer.body, await logOf(answer)]).toEqual([401, { message: 'Unauthorized' }, []]);
  });

  test('the HTTP API answers 401 to a signature that is valid at the function URL', async () => {
    let authorization = '';
    const spy = headers((signed) => {
      authorization = String(signed.authorization);
      return signed;
    });
    await manage('iam', 'GET', '/users/ada', spy);
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 /);
    const answer = await manage(
      'jwt',
      'GET',
      '/users/ada',
      headers((sent) => ({ ...sent, authorization })),
    );
    expect([answer.status, await logOf(answer)]).toEqual([401, []]);
  });
});

test('the function refuses a token without a subject, which the HTTP API accepts', async () => {
  const token = await service.login.mintToken({ sub: undefined });
  expectProblem(await setStatus('jwt', { token }), 'signature_missing');
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

function withClaims(token: string, claims: JWTPayload): string {
  const [header, payload, signature] = token.split('.');
  return [header, encode({ ...decode(payload), ...claims }), signature].join('.');
}

async function byAnotherKey(good: string): Promise<string> {
  const [header, payload] = good.split('.');
  return mintToken({ ...(await createTokenKey()), kid: decode(header).kid }, decode(payload));
}

async function byThePublicKey(good: string): Promise<string> {
  const [header, payload] = good.split('.');
  const { jwks_uri } = await fetchJson<{ jwks_uri: string }>(
    `${service.login.issuer}/.well-known/openid-configuration`,
  );
  const { keys } = await fetchJson<{ keys: [JWK] }>(jwks_uri);
  const pem = await exportSPKI((await importJWK(keys[0], 'RS256')) as Parameters<typeof exportSPKI>[0]);
  const unsigned = `${encode({ ...decode(header), alg: 'HS256' })}.${payload}`;
  return `${unsigned}.${createHmac('sha256', pem).update(unsigned).digest('base64url')}`;
}

async function fetchJson<T>(url: string): Promise<T> {
  return (await (await fetch(url)).json()) as T;
}
