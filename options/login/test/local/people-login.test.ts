import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  authorizationCodeGrant,
  buildEndSessionUrl,
  ClientSecretBasic,
  ClientSecretPost,
  refreshTokenGrant,
} from 'openid-client';
import { styleClient } from '#options/login/cognito/client-style.ts';
import { locationOf, openBrowser } from '#test/local/log-in.ts';
import { sendRequest } from '#test/local/send-request.ts';
import {
  answerWith,
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

let login: PeopleLogin;
const started: PeopleLogin[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.close()));
  expect(login.failures).toEqual([]);
});

/** Starts a login with the user Ada and a public client. */
async function start(options: Parameters<typeof startPeopleLogin>[0] = {}) {
  login = await startPeopleLogin(options);
  started.push(login);
  await createPerson(login, 'ada', 'Ada Lindqvist');
  const { ClientId } = await createClient(login);
  return { clientId: ClientId, config: await discover(login, ClientId) };
}

const refused = async () => ({ kind: 'failed' });
const invalidGrant = { error: 'invalid_grant' };

describe('a login', () => {
  test('ends with tokens in the form of Cognito, with the claims of the function', async () => {
    const { clientId, config } = await start();
    const tokens = await logInAs(config, 'ada');
    const { sub } = login.pool.users.get('ada') ?? {};
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 300 });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
      iss: login.issuer,
      aud: clientId,
      sub,
      token_use: 'id',
      'cognito:username': 'ada',
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lindqvist',
      user_id: 'ada',
      roles: ['viewer'],
    });
    const access = decodeJwt(tokens.access_token);
    expect(access).toMatchObject({
      iss: login.issuer,
      sub,
      username: 'ada',
      client_id: clientId,
      token_use: 'access',
      scope: 'openid email profile',
      user_id: 'ada',
      roles: ['viewer'],
    });
    expect(access).not.toHaveProperty('aud');
    expect(decodeProtectedHeader(tokens.access_token).alg).toBe('RS256');
    for (const { exp = 0, iat = 0 } of [access, decodeJwt(tokens.id_token ?? '')]) expect(exp - iat).toBe(300);
  });

  test('invokes the function with the event of Cognito', async () => {
    const { clientId, config } = await start();
    await logInAs(config, 'ada');
    expect(login.events.at(-1)).toEqual({
      version: '2',
      triggerSource: 'TokenGeneration_HostedAuth',
      region: 'local',
      userPoolId: 'local_People',
      userName: 'ada',
      callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
      request: {
        userAttributes: {
          sub: login.pool.users.get('ada')?.sub,
          'cognito:user_status': 'CONFIRMED',
          name: 'Ada Lindqvist',
          email: 'ada@example.com',
          email_verified: 'true',
        },
        groupConfiguration: { groupsToOverride: [], iamRolesToOverride: [], preferredRole: null },
        scopes: ['openid', 'email', 'profile'],
      },
      response: { claimsAndScopeOverrideDetails: null },
    });
  });

  test('takes no claim of the function that Cognito reserves, and leaves out those that it suppresses', async () => {
    const { config } = await start();
    login.decide = async (event) => {
      const generation = {
        claimsToAddOrOverride: { sub: 'other', token_use: 'x', aud: 'x', client_id: 'x', any: { deep: 1 } },
        claimsToSuppress: ['name', 'sub', 'token_use'],
      };
      const details = { idTokenGeneration: generation, accessTokenGeneration: generation };
      return {
        kind: 'result',
        json: JSON.stringify({ ...event, response: { claimsAndScopeOverrideDetails: details } }),
      };
    };
    const tokens = await logInAs(config, 'ada');
    const [id, access] = [decodeJwt(tokens.id_token ?? ''), decodeJwt(tokens.access_token)];
    const { sub } = login.pool.users.get('ada') ?? {};
    expect(id).toMatchObject({ sub, token_use: 'id', any: { deep: 1 } });
    expect(id).not.toHaveProperty('name');
    expect(access).toMatchObject({ sub, token_use: 'access', client_id: config.clientMetadata().client_id });
  });

  test.each([
    ['refuses', refused],
    ['times out', async () => ({ kind: 'timed-out' })],
    ['answers nothing', async () => ({ kind: 'result', json: 'null' })],
    ['is not reached', () => Promise.reject(new Error('no worker'))],
  ])('shows that there is no access to the application if the function %s', async (_, decide) => {
    const { config } = await start();
    login.decide = decide;
    const begun = await beginLogin(config);
    const resumed = await choosePerson(begun, 'ada');
    const page = await begun.browser(locationOf(resumed));
    expect(page.status).toBe(403);
    const html = await page.text();
    expect(html).toContain('Ada Lindqvist has no access to <strong>Billing</strong>.');
    expect(html).toContain('<a href="?choose">Choose another person</a>');
    const again = await begun.browser(new URL('?choose', locationOf(resumed)));
    expect(again.status).toBe(200);
    expect(await again.text()).toContain('Ada Lindqvist</button>');
  });

  test('refuses a function that does not answer in time', async () => {
    const { config } = await start({ timeoutMs: 20 });
    login.decide = () => new Promise(() => undefined);
    const begun = await beginLogin(config);
    expect((await begun.browser(locationOf(await choosePerson(begun, 'ada')))).status).toBe(403);
  });

  test('is refused if the function refuses only when the code is used', async () => {
    const { config } = await start();
    const begun = await beginLogin(config);
    const callback = locationOf(await choosePerson(begun, 'ada'));
    login.decide = refused;
    await expect(authorizationCodeGrant(config, callback, { pkceCodeVerifier: begun.verifier })).rejects.toMatchObject(
      invalidGrant,
    );
  });

  test('is decided for each application, also with a session', async () => {
    const { config } = await start();
    const other = await createClient(login, { ClientName: 'Warehouse + Co.' });
    const browser = openBrowser();
    await logInAs(config, 'ada', browser);
    const entered = await beginLogin(config, browser);
    expect(locationOf(entered.response).searchParams.has('code')).toBe(true);
    login.decide = async (event) =>
      event.callerContext.clientId === other.ClientId ? { kind: 'failed' } : answerWith(event, {});
    const begun = await beginLogin(await discover(login, other.ClientId), browser);
    const page = await browser(locationOf(begun.response));
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('<strong>Warehouse + Co.</strong>');
  });

  test('of a disabled user is refused', async () => {
    const { config } = await start();
    await login.call('AdminDisableUser', { Username: 'ada' });
    const page = await choosePerson(await beginLogin(config), 'ada');
    expect(page.status).toBe(403);
    expect(await page.text()).toContain('The account of Ada Lindqvist is disabled.');
    expect(login.events).toEqual([]);
  });

  test('confirms the account', async () => {
    const { config } = await start();
    await logInAs(config, 'ada');
    const { body } = await login.call('AdminGetUser', { Username: 'ada' });
    expect(body.UserStatus).toBe('CONFIRMED');
  });
});

describe('a request to log in', () => {
  const authorize = async (clientId: string, more: Record<string, string>) => {
    const url = new URL(`${login.issuer}/oauth2/authorize`);
    const params = { client_id: clientId, response_type: 'code', redirect_uri: redirectUri, scope: 'openid' };
    url.search = String(new URLSearchParams({ ...params, ...more }));
    return await fetch(url, { redirect: 'manual' });
  };
  const pkce = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };

  test.each([
    'http://127.0.0.1:9/callback/',
    'http://127.0.0.1:10/callback',
    'http://localhost:9/callback',
    'https://evil.example/callback',
  ])('is not answered at the address %s, which is not the registered one', async (redirect_uri) => {
    const { clientId } = await start();
    const answer = await authorize(clientId, { ...pkce, redirect_uri });
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test('of an app with its own scheme is answered only at its exact addresses', async () => {
    await start();
    const { ClientId } = await createClient(login, { CallbackURLs: ['http://127.0.0.1/', 'app.example:/done'] });
    expect((await authorize(ClientId, { ...pkce, redirect_uri: 'app.example:/done' })).status).toBe(303);
    expect((await authorize(ClientId, { ...pkce, redirect_uri: 'http://127.0.0.1:8080/' })).status).toBe(400);
  });

  test.each([
    ['without PKCE', {}, 'invalid_request'],
    ['with a plain challenge', { ...pkce, code_challenge_method: 'plain' }, 'invalid_request'],
    ['for the implicit flow', { ...pkce, response_type: 'token' }, 'unsupported_response_type'],
    ['for an ID token alone', { ...pkce, response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['for a scope that the client may not have', { ...pkce, scope: 'openid phone' }, 'invalid_scope'],
  ])('%s is refused', async (_, more, error) => {
    const { clientId } = await start();
    const answer = await authorize(clientId, more);
    const { searchParams, hash } = locationOf(answer);
    expect(searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')).toBe(error);
  });

  test('is refused for a client that may not use the code flow', async () => {
    await start();
    const { ClientId } = await createClient(login, {
      AllowedOAuthFlowsUserPoolClient: false,
      AllowedOAuthFlows: [],
    });
    expect((await authorize(ClientId, pkce)).status).toBe(400);
  });

  test('follows the client as it is now: changed addresses at once, and none after its deletion', async () => {
    const { clientId } = await start();
    const redirect_uri = 'http://localhost:9/new';
    expect((await authorize(clientId, { ...pkce, redirect_uri })).status).toBe(400);
    const changed = { ...clientSettings, ClientId: clientId, CallbackURLs: [redirect_uri] };
    await login.call('UpdateUserPoolClient', changed);
    expect((await authorize(clientId, { ...pkce, redirect_uri })).status).toBe(303);
    expect((await authorize(clientId, pkce)).status).toBe(400);
    await login.call('DeleteUserPoolClient', { ClientId: clientId });
    expect((await authorize(clientId, { ...pkce, redirect_uri })).status).toBe(400);
  });
});

describe('a refresh', () => {
  test('asks the function again, and rotates the refresh token', async () => {
    const { config } = await start();
    const first = await logInAs(config, 'ada');
    login.decide = async (event) => answerWith(event, { user_id: 'ada', roles: ['admin'] });
    const second = await refreshTokenGrant(config, first.refresh_token ?? '');
    expect(login.events.at(-1)).toMatchObject({
      triggerSource: 'TokenGeneration_RefreshTokens',
      request: { scopes: ['openid', 'email', 'profile'] },
    });
    expect(decodeJwt(second.id_token ?? '').roles).toEqual(['admin']);
    expect(decodeJwt(second.access_token).roles).toEqual(['admin']);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    await expect(refreshTokenGrant(config, first.refresh_token ?? '')).rejects.toMatchObject(invalidGrant);
  });

  test.each([
    ['the function refuses', async () => Object.assign(login, { decide: refused })],
    ['the user is disabled', () => login.call('AdminDisableUser', { Username: 'ada' })],
    ['the user is deleted', () => login.call('AdminDeleteUser', { Username: 'ada' })],
    ['the user is signed out everywhere', () => login.call('AdminUserGlobalSignOut', { Username: 'ada' })],
  ])('is refused with invalid_grant when %s', async (_, end) => {
    const { config } = await start();
    const { refresh_token = '' } = await logInAs(config, 'ada');
    await end();
    await expect(refreshTokenGrant(config, refresh_token)).rejects.toMatchObject(invalidGrant);
  });

  test('succeeds again when the function lets the user in again', async () => {
    const { config } = await start();
    const { refresh_token = '' } = await logInAs(config, 'ada');
    const { decide } = login;
    login.decide = refused;
    await expect(refreshTokenGrant(config, refresh_token)).rejects.toMatchObject(invalidGrant);
    login.decide = decide;
    expect(await refreshTokenGrant(config, refresh_token)).toHaveProperty('access_token');
  });

  test('keeps the refresh token if the client does not rotate it', async () => {
    await start();
    const { ClientId } = await createClient(login, { RefreshTokenRotation: { Feature: 'DISABLED' } });
    const config = await discover(login, ClientId);
    const { refresh_token = '' } = await logInAs(config, 'ada');
    expect((await refreshTokenGrant(config, refresh_token)).refresh_token).toBe(refresh_token);
    expect(await refreshTokenGrant(config, refresh_token)).toHaveProperty('access_token');
  });

  test('with a rotated token succeeds within the grace period of the client', async () => {
    await start();
    const RefreshTokenRotation = { Feature: 'ENABLED', RetryGracePeriodSeconds: 60 };
    const config = await discover(login, (await createClient(login, { RefreshTokenRotation })).ClientId);
    const { refresh_token = '' } = await logInAs(config, 'ada');
    await refreshTokenGrant(config, refresh_token);
    expect(await refreshTokenGrant(config, refresh_token)).toHaveProperty('access_token');
  });
});

test('tokens are valid as long as the client says, and refresh tokens for 30 days by default', async () => {
  await start();
  const lifetimes = async (more: object) => {
    const config = await discover(login, (await createClient(login, more)).ClientId);
    const { id_token = '', access_token, refresh_token = '', expires_in } = await logInAs(config, 'ada');
    const kept = await login.state.adapter('RefreshToken')?.find(refresh_token);
    const all = [decodeJwt(access_token), decodeJwt(id_token), kept ?? {}];
    return [expires_in, ...all.map(({ exp = 0, iat = 0 }) => exp - iat)];
  };
  expect(await lifetimes({})).toEqual([300, 300, 300, 30 * 86_400]);
  const TokenValidityUnits = { AccessToken: 'minutes', IdToken: 'hours', RefreshToken: 'days' };
  const own = { TokenValidityUnits, AccessTokenValidity: 10, IdTokenValidity: 2, RefreshTokenValidity: 7 };
  expect(await lifetimes(own)).toEqual([600, 600, 7200, 7 * 86_400]);
});

test('a global sign-out ends the session of the browser too', async () => {
  const { config } = await start();
  const browser = openBrowser();
  await logInAs(config, 'ada', browser);
  await login.call('AdminUserGlobalSignOut', { Username: 'ada' });
  const { response } = await beginLogin(config, browser);
  expect(locationOf(response).pathname).toMatch(/^\/interaction\//);
});

describe('a client with a secret', () => {
  test.each([
    ['the header', ClientSecretBasic],
    ['the body', ClientSecretPost],
  ])('sends any of its secrets in %s, and no other', async (_, authenticate) => {
    await start();
    const { ClientId, ClientSecret = '' } = await createClient(login, { GenerateSecret: true });
    const added = await login.call('AddUserPoolClientSecret', { ClientId });
    const { ClientSecretValue } = added.body.ClientSecretDescriptor;
    for (const secret of [ClientSecret, ClientSecretValue]) {
      const tokens = await logInAs(await discover(login, ClientId, authenticate(secret)), 'ada');
      expect(tokens).toHaveProperty('access_token');
    }
    const wrong = await discover(login, ClientId, authenticate(`${ClientSecret.slice(1)}x`));
    await expect(logInAs(wrong, 'ada')).rejects.toMatchObject({ status: 401 });
    await expect(logInAs(await discover(login, ClientId), 'ada')).rejects.toMatchObject({ status: 401 });
  });
});

test('the attributes of the user are answered for an access token alone', async () => {
  const { config } = await start();
  const { access_token, id_token = '' } = await logInAs(config, 'ada');
  const { userinfo_endpoint = '' } = config.serverMetadata();
  expect(userinfo_endpoint).toBe(`${login.issuer}/oauth2/userInfo`);
  const ask = (token: string) => fetch(userinfo_endpoint, { headers: { authorization: `Bearer ${token}` } });
  const answer = await ask(access_token);
  expect(await answer.json()).toEqual({
    sub: login.pool.users.get('ada')?.sub,
    username: 'ada',
    name: 'Ada Lindqvist',
    email: 'ada@example.com',
    email_verified: 'true',
  });
  for (const token of [id_token, `${access_token}x`, '']) expect((await ask(token)).status).toBe(401);
});

describe('a logout', () => {
  /** Sends the form of the logout page, as its script does. */
  const confirm = async (browser: ReturnType<typeof openBrowser>, url: URL) => {
    const page = await (await browser(url)).text();
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    return locationOf(await browser(action, { xsrf, logout: 'yes' })).href;
  };

  test.each([
    [
      'by OpenID Connect',
      (config: Awaited<ReturnType<typeof discover>>, idToken: string) =>
        buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: 'http://127.0.0.1:9/' }),
    ],
    [
      'by the request of Cognito',
      (config: Awaited<ReturnType<typeof discover>>) => {
        const { client_id } = config.clientMetadata();
        return new URL(`${login.issuer}/logout?client_id=${client_id}&logout_uri=http%3A%2F%2F127.0.0.1%3A9%2F`);
      },
    ],
    [
      'by the request of Cognito with the parameters of OpenID Connect, as a proxy sends it,',
      (config: Awaited<ReturnType<typeof discover>>, idToken: string) => {
        const url = new URL(`${login.issuer}/logout?logout_uri=http%3A%2F%2F127.0.0.1%3A9%2F`);
        const { client_id } = config.clientMetadata();
        const more = { client_id, id_token_hint: idToken, post_logout_redirect_uri: 'http://127.0.0.1:9/other' };
        for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
        return url;
      },
    ],
  ])('%s ends the session and the refresh token, and returns to the application', async (_, urlOf) => {
    const { config } = await start();
    const browser = openBrowser();
    const { id_token = '', refresh_token = '' } = await logInAs(config, 'ada', browser);
    expect(await confirm(browser, urlOf(config, id_token))).toBe('http://127.0.0.1:9/');
    await expect(refreshTokenGrant(config, refresh_token)).rejects.toMatchObject(invalidGrant);
    expect(locationOf((await beginLogin(config, browser)).response).pathname).toMatch(/^\/interaction\//);
  });

  test('does not return to an address that is not registered', async () => {
    const { clientId } = await start();
    const url = `${login.issuer}/logout?client_id=${clientId}&logout_uri=https%3A%2F%2Fevil.example%2F`;
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(400);
  });
});

describe('the page of the login', () => {
  const openPage = async (config: Awaited<ReturnType<typeof discover>>, search?: string) => {
    const { browser, response } = await beginLogin(config);
    const url = locationOf(response);
    if (search !== undefined) url.searchParams.set('search', search);
    const page = await browser(url);
    const html = await page.text();
    const names = [...html.matchAll(/<button name="person" value="([^"]+)"/g)].map(([, name]) => name);
    return { html, names, headers: page.headers };
  };

  test('lists the people of the pool, says that it is for development, and has no script', async () => {
    const { config } = await start();
    await createPerson(login, 'auth0|1', '<b>Bo</b>');
    await login.call('AdminDisableUser', { Username: 'auth0|1' });
    const { html, names, headers } = await openPage(config);
    expect(html).toContain('<h2>Log in to Billing</h2>');
    expect(html).toContain('This login is for development.');
    expect(names).toEqual(['auth0|1', 'ada']);
    expect(html).toContain('&#60;b&#62;Bo&#60;/b&#62;</button>');
    expect(html).toContain('auth0|1 · auth0.1@example.com · disabled');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('type="search"');
    expect(headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:9;");
  });

  test('has the color of buttons and the image that the pages of Cognito have', async () => {
    const { clientId, config } = await start();
    const path = join(login.folder, 'logo.svg');
    await writeFile(path, '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const environment = {
      AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: login.url,
      LOGIN_STYLE: JSON.stringify({ id: 'a', color: '#1A5276', logo: { path, extension: 'SVG' } }),
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    };
    Object.assign(process.env, environment);
    await styleClient(login.pool.id, clientId);
    for (const name of Object.keys(environment)) delete process.env[name];
    const { html, headers } = await openPage(config);
    expect(html).toContain('button { background: #1a5276; color: #fff;');
    const bytes = await readFile(path, 'base64');
    expect(html).toContain(`<img src="data:image/svg+xml;base64,${bytes}" alt="">`);
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
    const policy = headers.get('content-security-policy');
    expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`);
    expect(policy).toContain('img-src data:;');
    login.decide = refused;
    const begun = await beginLogin(config);
    const noAccess = await begun.browser(locationOf(await choosePerson(begun, 'ada')));
    expect([noAccess.status, await noAccess.text()]).toEqual([403, expect.stringContaining('<img src="data:')]);
  });

  test('searches if there are more than 20 people', async () => {
    const { config } = await start();
    for (let at = 1; at <= 25; at++) await createPerson(login, `user-${at}`, `Person ${at}`);
    const all = await openPage(config);
    expect(all.names).toHaveLength(20);
    expect(all.html).toContain('20 of 26 people.');
    expect((await openPage(config, 'LINDQ')).names).toEqual(['ada']);
    expect((await openPage(config, 'user.25@')).names).toEqual(['user-25']);
    expect((await openPage(config, '"><b>')).html).toContain('value="&#34;&#62;&#60;b&#62;"');
  });

  test('says how to invite somebody while there is nobody', async () => {
    const { config } = await start();
    await login.call('AdminDeleteUser', { Username: 'ada' });
    expect((await openPage(config)).html).toContain('Nobody has an account yet.');
  });

  test('asks again for a person who does not exist', async () => {
    const { config } = await start();
    const answer = await choosePerson(await beginLogin(config), 'nobody');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Choose a person');
  });
});

test('a host name that resolves to this address is refused', async () => {
  await start();
  const { status, body } = await sendRequest(login.issuer, {
    path: '/.well-known/jwks.json',
    headers: { host: 'evil.example' },
  });
  expect(status).toBe(421);
  expect(body).not.toContain('"keys"');
});

test('people and clients are there after a restart, and can log in', async () => {
  const { clientId } = await start();
  const { folder } = login;
  const [ada] = login.pool.users.values();
  await login.close();
  login = await startPeopleLogin({ folder });
  started.splice(0, 1, login);
  expect(login.pool.users.get('ada')).toEqual(ada);
  const tokens = await logInAs(await discover(login, clientId), 'ada');
  expect(decodeJwt(tokens.id_token ?? '').sub).toBe(ada?.sub);
});

test('a page of the origin of a redirect address may ask for tokens, and a page of another may not', async () => {
  const { clientId } = await start();
  const ask = async (origin: string) => {
    const body = new URLSearchParams({ client_id: clientId, grant_type: 'refresh_token', refresh_token: 'x' });
    const answer = await fetch(`${login.issuer}/oauth2/token`, { method: 'POST', headers: { origin }, body });
    return answer.headers.get('access-control-allow-origin');
  };
  expect(await ask('http://127.0.0.1:9')).toBe('http://127.0.0.1:9');
  expect(await ask('https://evil.example')).toBeNull();
});
