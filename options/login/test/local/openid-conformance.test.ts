import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { decodeJwt, UnsecuredJWT } from 'jose';
import { authorizationCodeGrant, ClientSecretBasic, ClientSecretPost, refreshTokenGrant } from 'openid-client';
import { locationOf, openBrowser } from '#test/local/log-in.ts';
import { textOf } from '#test/support/source-files.ts';
import {
  beginLogin,
  choosePerson,
  clientSettings,
  createClient,
  createPerson,
  discover,
  logInAs,
  type PeopleLogin,
  redirectUri,
  startPeopleLogin,
} from './start-people-login.ts';

/* The cases of OpenID's conformance suite that the local login can be asked, by the names of the suite, and some of RFC 9700. */

type Fields = Readonly<Record<string, string>>;
interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

const logoutUri = 'http://127.0.0.1:9/';
let login: PeopleLogin;
let clientId = '';
let secret = '';
let config: Awaited<ReturnType<typeof discover>>;

beforeAll(async () => {
  login = await startPeopleLogin();
  await createPerson(login, 'ada', 'Ada Lindqvist');
  // Without the grace of the client of an application, in which a rotated token can be used again.
  const { ClientId, ClientSecret = '' } = await createClient(login, { GenerateSecret: true });
  [clientId, secret] = [ClientId, ClientSecret];
  config = await discover(login, clientId, ClientSecretBasic(secret));
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => login.close());

/** A request to log in, as the suite sends it: with a state, and without PKCE. */
function requestOf(more: Fields = {}): URL {
  const url = new URL(`${login.issuer}/oauth2/authorize`);
  const usual = { client_id: clientId, response_type: 'code', redirect_uri: redirectUri, scope: 'openid', state: 's' };
  url.search = String(new URLSearchParams({ ...usual, ...more }));
  return url;
}

const isPage = (url: URL) => url.pathname.startsWith('/interaction/');

/** Asks for a code, and chooses Ada where the login asks who it is; returns where the browser is sent in the end. */
async function authorize(more: Fields = {}, browser = openBrowser()): Promise<URL> {
  const response = await browser(requestOf(more));
  const location = locationOf(response);
  return isPage(location) ? locationOf(await choosePerson({ verifier: '', browser, response }, 'ada')) : location;
}

const basic = () => ({ authorization: `Basic ${btoa(`${clientId}:${secret}`)}` });

async function askForTokens(form: Fields, headers: Fields = basic()): Promise<Partial<Tokens> & { error?: string }> {
  const body = new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: redirectUri, ...form });
  return await (await fetch(`${login.issuer}/oauth2/token`, { method: 'POST', headers, body })).json();
}

const codeOf = ({ searchParams }: URL) => searchParams.get('code') ?? '';
const errorOf = ({ searchParams }: URL) => searchParams.get('error');

/** A login that must succeed. */
async function enter(more: Fields = {}, browser = openBrowser()): Promise<Tokens> {
  const callback = await authorize(more, browser);
  expect(callback.href).toMatch(`${redirectUri}?`);
  expect(callback.searchParams.get('state')).toBe('s');
  const { access_token = '', id_token = '', refresh_token = '' } = await askForTokens({ code: codeOf(callback) });
  expect(decodeJwt(id_token)).toMatchObject({ iss: login.issuer, aud: clientId });
  return { access_token, id_token, refresh_token };
}

async function userInfo({ access_token }: Tokens, method = 'GET'): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${access_token}` };
  return await (await fetch(`${login.issuer}/oauth2/userInfo`, { method, headers })).json();
}

function passSeconds(seconds: number): void {
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1000);
}

/** Asks for a logout, and confirms it where the login asks; returns where the browser is sent, and undefined for a page. */
async function logOut(parameters: Fields, browser: ReturnType<typeof openBrowser>): Promise<URL | undefined> {
  const answer = await browser(`${login.issuer}/logout?${new URLSearchParams(parameters)}`);
  const page = await answer.text();
  const [, action] = /action="([^"]+)"/.exec(page) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
  if (action === undefined) return answer.headers.has('location') ? locationOf(answer) : undefined;
  const confirmed = await browser(action, { xsrf, logout: 'yes' });
  return confirmed.headers.has('location') ? locationOf(confirmed) : undefined;
}

/** Logs in and out again; the browser must not be sent to the application. */
async function expectNoReturn(parameters: (tokens: Tokens) => Fields): Promise<void> {
  const browser = openBrowser();
  const target = await logOut(parameters(await enter({}, browser)), browser);
  expect(target?.href ?? login.issuer).toMatch(login.issuer);
}

/** A second login of a browser, and whether the login asked who it is. */
async function enterAgain(more: Fields): Promise<{ first: Tokens; second: Tokens; asked: boolean }> {
  const browser = openBrowser();
  const first = await enter({ max_age: '15000' }, browser);
  passSeconds(5);
  const asked = isPage(locationOf(await browser(requestOf(more))));
  return { first, second: await enter(more, browser), asked };
}

const authTimeOf = ({ id_token }: Tokens) => Number(decodeJwt(id_token).auth_time);
const succeedsWith = (more: Fields) => async () => void (await enter(more));

async function expectReuseRefused(seconds: number): Promise<void> {
  const code = codeOf(await authorize());
  const { refresh_token = '' } = await askForTokens({ code });
  passSeconds(seconds);
  expect(await askForTokens({ code })).toMatchObject({ error: 'invalid_grant' });
  // What the code has given ends with it (RFC 6749 section 4.1.2).
  expect(await askForTokens({ grant_type: 'refresh_token', refresh_token })).toMatchObject({ error: 'invalid_grant' });
}

const cases: Readonly<Record<string, () => Promise<void>>> = {
  'oidcc-server': async () => {
    const more = { nonce: 'a-nonce', state: 'a-state' };
    const begun = await beginLogin(config, openBrowser(), more);
    const callback = locationOf(await choosePerson(begun, 'ada'));
    const checks = { pkceCodeVerifier: begun.verifier, expectedNonce: more.nonce, expectedState: more.state };
    expect((await authorizationCodeGrant(config, callback, checks)).claims()?.sub).toBe(
      login.pool.users.get('ada')?.sub,
    );
  },
  'oidcc-response-type-missing': async () => {
    const url = requestOf();
    url.searchParams.delete('response_type');
    const answer = await fetch(url, { redirect: 'manual' });
    expect(errorOf(locationOf(answer))).toBe('invalid_request');
  },
  'oidcc-userinfo-get': async () => {
    const tokens = await enter();
    expect((await userInfo(tokens)).sub).toBe(decodeJwt(tokens.id_token).sub);
  },
  'oidcc-userinfo-post-header': async () => {
    const tokens = await enter();
    expect((await userInfo(tokens, 'POST')).sub).toBe(decodeJwt(tokens.id_token).sub);
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async () => {
    expect(decodeJwt((await enter()).id_token)).not.toHaveProperty('nonce');
  },
  'oidcc-scope-profile': async () => {
    expect(await userInfo(await enter({ scope: 'openid profile' }))).toHaveProperty('name', 'Ada Lindqvist');
  },
  'oidcc-scope-email': async () => {
    expect(await userInfo(await enter({ scope: 'openid email' }))).toHaveProperty('email', 'ada@example.com');
  },
  'oidcc-alternate-happy-flow': succeedsWith({ scope: 'email openid' }),
  'oidcc-display-page': succeedsWith({ display: 'page' }),
  'oidcc-display-popup': succeedsWith({ display: 'popup' }),
  'oidcc-prompt-login': async () => {
    const { first, second, asked } = await enterAgain({ prompt: 'login', max_age: '15000' });
    expect(asked).toBe(true);
    expect(authTimeOf(second)).toBeGreaterThan(authTimeOf(first));
  },
  'oidcc-prompt-none-not-logged-in': async () => {
    expect(errorOf(await authorize({ prompt: 'none' }))).toBe('login_required');
  },
  'oidcc-prompt-none-logged-in': async () => {
    const { first, second, asked } = await enterAgain({ prompt: 'none', max_age: '15000' });
    expect(asked).toBe(false);
    expect(authTimeOf(second)).toBe(authTimeOf(first));
    expect(decodeJwt(second.id_token).sub).toBe(decodeJwt(first.id_token).sub);
  },
  'oidcc-max-age-1': async () => {
    const { first, second, asked } = await enterAgain({ max_age: '1' });
    expect(asked).toBe(true);
    expect(authTimeOf(second)).toBeGreaterThan(authTimeOf(first));
  },
  'oidcc-max-age-10000': async () => {
    const { first, second, asked } = await enterAgain({ max_age: '10000' });
    expect(asked).toBe(false);
    expect(authTimeOf(second)).toBe(authTimeOf(first));
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeedsWith({ extra: 'foobar' }),
  'oidcc-id-token-hint': async () => {
    const browser = openBrowser();
    const { id_token } = await enter({}, browser);
    await enter({ prompt: 'none', id_token_hint: id_token }, browser);
  },
  'oidcc-login-hint': succeedsWith({ login_hint: 'ada@example.com' }),
  'oidcc-ui-locales': succeedsWith({ ui_locales: 'se' }),
  'oidcc-claims-locales': succeedsWith({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': succeedsWith({ acr_values: '1 2' }),
  'oidcc-codereuse': () => expectReuseRefused(0),
  'oidcc-codereuse-30seconds': () => expectReuseRefused(30),
  'oidcc-ensure-registered-redirect-uri': async () => {
    const answer = await fetch(requestOf({ redirect_uri: `${redirectUri}/other` }), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  },
  'oidcc-server-client-secret-post': async () => {
    expect(await logInAs(await discover(login, clientId, ClientSecretPost(secret)), 'ada')).toHaveProperty('id_token');
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': async () => {
    const request = new UnsecuredJWT({ client_id: clientId, response_type: 'code', nonce: 'n' }).encode();
    expect(errorOf(await authorize({ request }))).toBe('request_not_supported');
  },
  'oidcc-claims-essential': async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    expect(await userInfo(await enter({ claims }))).toHaveProperty('name', 'Ada Lindqvist');
  },
  'oidcc-ensure-request-object-with-redirect-uri': async () => {
    const request = new UnsecuredJWT({ redirect_uri: 'https://evil.example/' }).encode();
    const location = await authorize({ request });
    expect([location.host, errorOf(location)]).toEqual([new URL(redirectUri).host, 'request_not_supported']);
  },
  'oidcc-refresh-token': async () => {
    const { refresh_token, id_token } = await enter();
    const { iss, aud, sub } = decodeJwt(id_token);
    expect((await refreshTokenGrant(config, refresh_token)).claims()).toMatchObject({ iss, aud, sub });
    const other = await createClient(login, { ...clientSettings, GenerateSecret: true });
    const theirs = await discover(login, other.ClientId, ClientSecretBasic(other.ClientSecret ?? ''));
    const { refresh_token: mine } = await enter();
    await expect(refreshTokenGrant(theirs, mine)).rejects.toMatchObject({ error: 'invalid_grant' });
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async () => {
    expect(await logInAs(config, 'ada')).toHaveProperty('id_token');
  },

  'oidcc-rp-initiated-logout': async () => {
    const browser = openBrowser();
    const { id_token } = await enter({}, browser);
    const parameters = { id_token_hint: id_token, post_logout_redirect_uri: logoutUri, state: 'x' };
    expect((await logOut(parameters, browser))?.href).toBe(`${logoutUri}?state=x`);
    expect(errorOf(await authorize({ prompt: 'none' }, browser))).toBe('login_required');
  },
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': () =>
    expectNoReturn(({ id_token }) => ({ id_token_hint: id_token, post_logout_redirect_uri: `${logoutUri}other` })),
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': () =>
    expectNoReturn(({ id_token }) => ({ id_token_hint: id_token, post_logout_redirect_uri: `${logoutUri}?foo=bar` })),
  'oidcc-rp-initiated-logout-modified-id-token-hint': () =>
    expectNoReturn(({ id_token }) => ({
      id_token_hint: new UnsecuredJWT(decodeJwt(id_token)).encode(),
      post_logout_redirect_uri: logoutUri,
    })),
  'oidcc-rp-initiated-logout-bad-id-token-hint': () =>
    expectNoReturn(({ id_token }) => ({ id_token_hint: `${id_token}x`, post_logout_redirect_uri: logoutUri })),
  'oidcc-rp-initiated-logout-no-id-token-hint': () => expectNoReturn(() => ({ post_logout_redirect_uri: logoutUri })),
  'oidcc-rp-initiated-logout-no-params': () => expectNoReturn(() => ({})),
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': () =>
    expectNoReturn(({ id_token }) => ({ id_token_hint: id_token })),
  'oidcc-rp-initiated-logout-only-state': () => expectNoReturn(() => ({ state: 'x' })),

  'RFC 9700, 2.1.1: the verifier of another request': async () => {
    const begun = await beginLogin(config);
    const code = codeOf(locationOf(await choosePerson(begun, 'ada')));
    expect(await askForTokens({ code, code_verifier: 'x'.repeat(43) })).toMatchObject({ error: 'invalid_grant' });
  },
  'RFC 9700, 2.1.1: a verifier for a request without a challenge': async () => {
    const code = codeOf(await authorize());
    expect(await askForTokens({ code, code_verifier: 'x'.repeat(43) })).toMatchObject({ error: 'invalid_grant' });
  },
  'RFC 9700, 2.1.2: the implicit grant': async () => {
    const answer = await fetch(requestOf({ response_type: 'token' }), { redirect: 'manual' });
    const { hash, searchParams } = locationOf(answer);
    expect(`${searchParams}${hash}`).toContain('unsupported_response_type');
  },
  'RFC 9700, 2.2.2: a refresh token that was replaced': async () => {
    const { refresh_token } = await enter();
    const { refresh_token: next = '' } = await refreshTokenGrant(config, refresh_token);
    expect(next).not.toBe(refresh_token);
    for (const each of [refresh_token, next]) {
      await expect(refreshTokenGrant(config, each)).rejects.toMatchObject({ error: 'invalid_grant' });
    }
  },
  'RFC 9700, 2.4: the password grant': async () => {
    const form = { grant_type: 'password', username: 'ada', password: 'x' };
    expect(await askForTokens(form)).toMatchObject({ error: 'unsupported_grant_type' });
  },
  'RFC 9700, 4.4: the code of another client': async () => {
    const { ClientId, ClientSecret } = await createClient(login, { GenerateSecret: true });
    const theirs = { authorization: `Basic ${btoa(`${ClientId}:${ClientSecret}`)}` };
    expect(await askForTokens({ code: codeOf(await authorize()) }, theirs)).toMatchObject({ error: 'invalid_grant' });
  },
};

test.each(Object.entries(cases))('%s', async (_, run) => {
  await run();
  expect(login.failures).toEqual([]);
});

test('the page lists each case, and says why the others are left out', () => {
  const rows = textOf('options/login/openid-conformance.md').matchAll(/^\| `?([^`|]+?)`? +\| ([^|]+?) +\|$/gm);
  const listed = new Map([...rows].map(([, name = '', says = '']) => [name, says]));
  expect(Object.keys(cases).filter((name) => !listed.has(name))).toEqual([]);
  const isAsked = (says: string) => !says.startsWith('not asked: ');
  const cells = [...listed].filter(([name]) => /^(?:oidcc-|RFC )/.test(name));
  expect(cells.filter(([name, says]) => isAsked(says) !== name in cases)).toEqual([]);
});
